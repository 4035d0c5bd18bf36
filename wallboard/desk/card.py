"""The card of one call: who is calling, what was before, what was noted. Private, and made for one person only."""

from dataclasses import asdict
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.access import Viewer
from accounts.models import Domain
from wallboard.calls import legs
from wallboard.calls.models import Leg
from wallboard.calls.news import call_of, taken_by
from wallboard.desk import contacts, crm, history, notes, when
from wallboard.desk.caller import Caller, address_of, caller_of, known_as
from wallboard.desk.history import Course, Names
from wallboard.desk.models import Contact, Note
from wallboard.desk.said import Memory, colleagues_wrote, sentences

MOST_EARLIER = 6
Card = dict[str, Any]


def card(viewer: Viewer, domain: Domain, leg: Leg) -> Card:
    """Everything the desk shows about this leg's call, ready for JSON; `leg` must be one that the viewer may see."""
    of_call, before = history.siblings(leg), history.earlier(leg)
    mine = next(one for one in of_call if one.pk == leg.pk)
    known = history.names(domain.pk, of_call + before)
    caller = caller_of(domain, mine, known)
    memory = _remembered(viewer, domain, mine, history.courses(before), known)
    own = notes.own(viewer.person_id or 0, call_of(leg))
    address = address_of(domain, mine, known)
    matches = contacts.find(domain.pk, address)
    contact = contacts.chosen(matches, own.contact)
    caller = known_as(caller, contact)
    return {
        **head(mine, of_call, known),
        **asdict(caller),
        "said": _said(caller, memory, mine, of_call),
        "earlier": [_line(course, memory) for course in memory.courses[:MOST_EARLIER]],
        "note": {"text": own.text, "stamp": own.stamp, "outcome": own.outcome, "contact": own.contact},
        "contacts": [contacts.as_news(contact) for contact in matches],
        "links": [asdict(link) for link in crm.links(domain.pk, _facts(viewer, mine, caller, contact))],
        "can_save": address != "" and not matches,
    }


def _facts(viewer: Viewer, leg: Leg, caller: Caller, contact: Contact | None) -> dict[str, str]:
    """What a link may say of the call."""
    return {
        "number": "" if caller.is_withheld else leg.from_number,
        "e164": leg.caller_e164,
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
        "since": when.milliseconds(legs.since(leg)),
        "rang": when.milliseconds(leg.ringing_at or leg.first_seen_at),
        "answered": when.milliseconds(leg.active_at),
        "outcome": outcome,
        "by": by,
        "queue": known.queues.get(history.queue_of(of_call), ""),
    }


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


def _remembered(viewer: Viewer, domain: Domain, leg: Leg, courses: list[Course], known: Names) -> Memory:
    calls = {call_of(leg), *(course.call_id for course in courses)}
    return Memory(
        now=timezone.now(),
        zone=when.zone_named(domain.time_zone),
        extension=viewer.extension,
        courses=courses,
        known=known,
        notes=notes.about(domain.pk, calls, leg.caller_e164),
    )


def _said(caller: Caller, memory: Memory, leg: Leg, of_call: list[Leg]) -> list[str]:
    passed_on = [line for line in (_passed_on(other, leg, memory.known) for other in of_call) if line]
    wrote = colleagues_wrote(memory, call_of(leg))
    return passed_on + wrote + (sentences(memory) if leg.caller_e164 and not caller.is_internal else [])


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


def _line(course: Course, memory: Memory) -> Card:
    """One earlier call, in words."""
    return {
        "call": course.call_id,
        "when": when.in_a_list(course.started_at, memory.now, memory.zone),
        "who": memory.known.people.get(course.spoke, ""),
        "talked": "" if course.talk_seconds is None else when.length(course.talk_seconds),
        "rang": "" if course.rang_seconds is None else when.length(course.rang_seconds),
        "queue": memory.known.queues.get(course.queue, ""),
        "is_outgoing": course.is_outgoing,
        "is_answered": course.is_answered,
        "is_over": course.ended_at is not None,
        "notes": [_written(note) for note in memory.notes.get(course.call_id, [])],
    }


def _written(note: Note) -> Card:
    outcome = note.outcome.name if note.outcome else ""
    return {"by": str(note.person) if note.person else "", "text": note.text, "outcome": outcome}
