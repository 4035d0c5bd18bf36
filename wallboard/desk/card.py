"""The card of one call: who is calling, what was before, what was noted. Private, and made for one person only."""

from dataclasses import asdict
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import days
from accounts.access import Viewer
from accounts.models import Domain
from wallboard.calls import legs, places
from wallboard.calls.models import Leg
from wallboard.calls.news import call_of, taken_by
from wallboard.desk import contacts, crm, history, notes, offers, transfers, when
from wallboard.desk.caller import Caller, address_of, caller_of, from_there, known_as
from wallboard.desk.earlier import MOST_EARLIER, line
from wallboard.desk.history import Names
from wallboard.desk.models import Contact
from wallboard.desk.reach import is_dialled
from wallboard.desk.said import Memory, before_dialling, colleagues_wrote, sentences
from wallboard.desk.transfers import Handover
from wallboard.live.feeds import milliseconds

Card = dict[str, Any]


def card(viewer: Viewer, domain: Domain, leg: Leg, contact_id: int | None = None) -> Card:
    """Everything the desk shows about this leg's call, ready for JSON; `leg` must be one that the viewer may see.

    `contact_id` is whom the person takes the caller for, where that is not kept with their note yet.
    """
    is_outgoing, of_call = is_dialled(viewer, leg), history.siblings(leg)
    mine = next(one for one in of_call if one.pk == leg.pk)
    origin = None if is_outgoing else transfers.handover(mine, of_call)
    if is_outgoing:
        mine = from_there(mine)
    own = notes.own(viewer.person_id or 0, call_of(leg))
    ours = history.names(domain.pk, [mine]) if mine.from_user else Names({}, {})
    matches = contacts.find(domain.pk, address := address_of(domain, mine, ours))
    contact = contacts.chosen(matches, contact_id or own.contact)
    memory = _remembered(viewer, domain, of_call, origin, _numbers(mine, origin, contact))
    caller = known_as(caller_of(domain, mine, memory.known), contact)
    return {
        **head(mine, _with(of_call, origin), memory.known),
        **asdict(caller),
        "place": places.place(mine.caller_e164, domain.country) if mine.caller_e164 else "",
        "said": before_dialling(memory) if is_outgoing else _said(domain, caller, memory, mine, of_call, origin),
        "earlier": [line(course, memory, mine.caller_e164, domain.country) for course in memory.courses[:MOST_EARLIER]],
        "note": {"text": own.text, "stamp": own.stamp, "outcome": own.outcome, "contact": contact_id or own.contact},
        "contacts": [contacts.as_news(contact) for contact in matches],
        "links": [asdict(link) for link in crm.links(domain.pk, _facts(viewer, mine, caller, contact))],
        "outcomes": offers.outcomes(domain.pk),
        "can_save": address != "" and not matches,
        "can_ignore": not is_outgoing and (address != "" or caller.is_internal),
        "is_outgoing": is_outgoing,
        **(reached(mine) if is_outgoing else {}),
    }


def _numbers(leg: Leg, origin: Handover | None, contact: Contact | None) -> list[str]:
    """Every number of whoever is on the line: the call's own, that of the call it came from, the contact's others."""
    told = [leg.caller_e164, origin.leg.caller_e164 if origin else ""]
    return [each for each in dict.fromkeys(told + (contacts.phone_numbers(contact) if contact else [])) if each]


def _with(of_call: list[Leg], origin: Handover | None) -> list[Leg]:
    return of_call if origin is None else [*of_call, *origin.of_call]


def _facts(viewer: Viewer, leg: Leg, caller: Caller, contact: Contact | None) -> dict[str, str]:
    """What a link may say of the call."""
    return {
        "number": "" if caller.is_withheld else leg.from_number,
        "e164": "" if caller.is_withheld else leg.caller_e164,
        "name": caller.name,
        "company": contact.company if contact else "",
        "call": call_of(leg),
        "extension": viewer.extension,
    }


def head(leg: Leg, of_call: list[Leg], known: Names) -> Card:
    """What changes while the call goes on: state, since when, through which queue, and how it ended."""
    state = phase(leg)
    outcome, by = _outcome(leg, of_call, known) if state == "ended" else ("", "")
    return {
        "leg": leg.pk,
        "call": call_of(leg),
        "state": state,
        "since": milliseconds(legs.since(leg)),
        "rang": milliseconds(leg.ringing_at or leg.first_seen_at),
        "answered": milliseconds(leg.active_at),
        "outcome": outcome,
        "by": by,
        "queue": known.queues.get(history.queue_of(of_call), ""),
    }


def reached(leg: Leg) -> Card:
    """How a call went that the person made: reached or no_answer once it is over. Nobody else can have taken it."""
    outcome = "reached" if leg.is_answered else "no_answer"
    return {"outcome": outcome if phase(leg) == "ended" else "", "by": ""}


def phase(leg: Leg) -> str:
    """Ringing, talking or ended."""
    words = {Leg.State.ENDED.value: "ended", Leg.State.ACTIVE.value: "talking"}
    return words.get(legs.state_of(leg), "ringing")


def _outcome(leg: Leg, of_call: list[Leg], known: Names) -> tuple[str, str]:
    """How an ended leg went for its person: answered, taken by a colleague whose phone rang too, or missed."""
    if leg.is_answered:
        return "answered", ""
    taker = taken_by(leg, of_call)
    return ("taken", _name(taker, known) or taker.to_user) if taker else ("missed", "")


def _name(leg: Leg, known: Names) -> str:
    return known.people.get(leg.to_user) or leg.to_name


def _remembered(
    viewer: Viewer, domain: Domain, of_call: list[Leg], origin: Handover | None, numbers: list[str]
) -> Memory:
    here = _with(of_call, origin)
    this = {call_of(leg) for leg in here}
    before = history.earlier(viewer, numbers, this)
    courses = history.courses(before)
    now = timezone.now()
    return Memory(
        now=now,
        zone=days.zone_of(domain),
        day_began=days.start(domain, now),
        extension=viewer.extension,
        is_whole=not viewer.limit.is_set,
        courses=courses,
        known=history.names(domain.pk, here + before),
        notes=notes.about(domain.pk, this | {course.call_id for course in courses}, numbers),
    )


def _said(
    domain: Domain, caller: Caller, memory: Memory, leg: Leg, of_call: list[Leg], origin: Handover | None
) -> list[str]:
    passed_on = [line for line in (_passed_on(other, leg, memory.known) for other in of_call) if line]
    if origin:
        passed_on = [transfers.said(domain, origin, leg, memory.known)]
    calls = dict.fromkeys(map(call_of, _with(of_call, origin)))
    wrote = [line for call in calls for line in colleagues_wrote(memory, call)]
    is_known = leg.caller_e164 and not caller.is_internal
    is_theirs = origin is not None and origin.leg.caller_e164
    return passed_on + wrote + (sentences(memory) if is_known or is_theirs else [])


def _passed_on(other: Leg, leg: Leg, known: Names) -> str:
    """A colleague who spoke in this very call before it rang here."""
    if other.active_at is None or other.active_at >= leg.first_seen_at or not history.is_spoken(other):
        return ""
    until = min(other.ended_at or leg.first_seen_at, leg.first_seen_at)
    talked = when.length((until - other.active_at).total_seconds())
    return _("%(who)s spoke with them first, for %(length)s.") % {
        "who": _name(other, known) or _("Somebody"),
        "length": talked,
    }
