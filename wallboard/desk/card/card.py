"""The card of one call: who is calling, what was before, what was noted. Private, and made for one person only."""

from dataclasses import asdict
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import company_day
from accounts.access import Viewer
from accounts.models import Domain
from wallboard.calls import legs, places
from wallboard.calls.documents import call_of, outcome_of
from wallboard.calls.models import Leg
from wallboard.contacts import address_book, crm_links
from wallboard.contacts.models import Contact
from wallboard.desk import notes, outcomes, time_phrases
from wallboard.desk.card import call_history, transfers
from wallboard.desk.card.call_history import Names
from wallboard.desk.card.caller import Caller, caller_id_of, caller_of, swap_ends, with_contact_name
from wallboard.desk.card.earlier_calls import MOST_EARLIER, describe
from wallboard.desk.card.summary import CallerHistory, before_dialling, colleagues_notes, sentences
from wallboard.desk.card.transfers import Transfer
from wallboard.desk.permissions import is_dialled
from wallboard.live.feeds import milliseconds

MOST_PASSED_ON = 30  # calls that are found by what was noted on them, the newest notes first
Card = dict[str, Any]


def card(viewer: Viewer, domain: Domain, leg: Leg, contact_id: int | None = None) -> Card:
    """Everything the desk shows about this leg's call, ready for JSON; `leg` must be one that the viewer may see.

    `contact_id` is whom the person takes the caller for, where that is not kept with their note yet.
    """
    is_outgoing, of_call = is_dialled(viewer, leg), call_history.legs_of_call(leg)
    # The one with the times of its record, which `leg` itself lacks.
    mine = next(one for one in of_call if one.pk == leg.pk)
    # Whoever dialled knows whom and why.
    origin = None if is_outgoing else transfers.transfer_of(mine, of_call)
    if is_outgoing:
        mine = swap_ends(mine)
    own = notes.own_note(viewer.person_id or 0, call_of(leg))
    # Only a colleague needs names this early: an outside call saves two queries.
    ours = call_history.names_of(domain.pk, [mine]) if mine.from_user else Names({}, {})
    matches = address_book.find_by_caller_id(domain.pk, address := caller_id_of(domain, mine, ours))
    # The person's own choice, here or with an earlier note, comes before any guess.
    contact = address_book.selected(matches, contact_id or own.contact)
    history = _history(viewer, domain, of_call, origin, _numbers(mine, origin, contact))
    caller = with_contact_name(caller_of(domain, mine, history.known), contact)
    return {
        **call_progress(mine, _with(of_call, origin), history.known),
        **asdict(caller),
        "place": places.place(mine.caller_e164, domain.country) if mine.caller_e164 else "",
        "sentences": before_dialling(history)
        if is_outgoing
        else _sentences(domain, caller, history, mine, of_call, origin),
        "earlier": [
            describe(course, history, mine.caller_e164, domain.country) for course in history.courses[:MOST_EARLIER]
        ],
        "note": {"text": own.text, "stamp": own.stamp, "outcome": own.outcome, "contact": contact_id or own.contact},
        "contacts": [address_book.as_document(contact) for contact in matches],
        "links": [asdict(link) for link in crm_links.links_for_call(domain.pk, _facts(viewer, mine, caller, contact))],
        "outcomes": outcomes.outcomes(domain.pk),
        "can_save": address != "" and not matches,
        "can_ignore": not is_outgoing and (address != "" or caller.is_internal),
        "is_outgoing": is_outgoing,
        **(outgoing_outcome(mine) if is_outgoing else {}),
    }


def _numbers(leg: Leg, origin: Transfer | None, contact: Contact | None) -> list[str]:
    """Every number of whoever is on the line: the call's own, that of the call it came from, the contact's others."""
    known = [leg.caller_e164, origin.leg.caller_e164 if origin else ""]
    return [each for each in dict.fromkeys(known + (address_book.phone_numbers(contact) if contact else [])) if each]


def _with(of_call: list[Leg], origin: Transfer | None) -> list[Leg]:
    return of_call if origin is None else [*of_call, *origin.of_call]


def _facts(viewer: Viewer, leg: Leg, caller: Caller, contact: Contact | None) -> dict[str, str]:
    """What a link may say of the call."""
    return {
        # A link must not lead a browser away with what the caller withheld.
        "number": "" if caller.is_withheld else leg.from_number,
        "e164": "" if caller.is_withheld else leg.caller_e164,
        "name": caller.name,
        "company": contact.company if contact else "",
        "call": call_of(leg),
        "extension": viewer.extension,
    }


def call_progress(leg: Leg, of_call: list[Leg], known: Names) -> Card:
    """What changes while the call goes on: state, since when, through which queue, and how it ended; `as_of` as in the
    feed of the desk.
    """
    state = phase(leg)
    # “Missed” where a colleague took it would send people after callers who were helped.
    outcome, taker = outcome_of(leg, of_call) if state == "ended" else ("", None)
    return {
        "leg": leg.pk,
        "call": call_of(leg),
        "state": state,
        "since": milliseconds(legs.since(leg)),
        "rang": milliseconds(leg.ringing_at or leg.first_seen_at),
        "answered": milliseconds(leg.active_at),
        "as_of": milliseconds(legs.known_until(leg)),
        "outcome": outcome,
        "by": _name(taker, known) or taker.to_user if taker else "",
        "queue": known.queues.get(call_history.queue_of(of_call), ""),
    }


def outgoing_outcome(leg: Leg) -> Card:
    """How a call went that the person made: reached or no_answer once it is over; a voicemail is nobody."""
    outcome = "reached" if legs.is_spoken(leg) else "no_answer"
    return {"outcome": outcome if phase(leg) == "ended" else "", "by": ""}


def phase(leg: Leg) -> str:
    """Ringing, talking or ended."""
    phases = {Leg.State.ENDED.value: "ended", Leg.State.ACTIVE.value: "talking"}
    return phases.get(legs.state_of(leg), "ringing")


def _name(leg: Leg, known: Names) -> str:
    return known.people.get(leg.to_user) or leg.to_name


def _history(
    viewer: Viewer, domain: Domain, of_call: list[Leg], origin: Transfer | None, numbers: list[str]
) -> CallerHistory:
    here = _with(of_call, origin)
    this = {call_of(leg) for leg in here}
    before = call_history.earlier_legs(viewer, numbers, this)
    told = this.union(map(call_of, before))
    written = notes.notes_by_call(domain.pk, told, numbers)
    # A call that a colleague passed on has only the colleague's number; what was noted on it has the caller's.
    before += call_history.legs_of_calls(viewer, [call for call in written if call not in told][:MOST_PASSED_ON])
    courses = call_history.past_calls(before)
    now = timezone.now()
    return CallerHistory(
        now=now,
        zone=company_day.zone_of(domain),
        day_began=company_day.start(domain, now),
        extension=viewer.extension,
        # Somebody who sees a part must not read “first call from this number”.
        is_whole=not viewer.limit.is_set,
        courses=courses,
        known=call_history.names_of(domain.pk, here + before),
        notes=written,
    )


def _sentences(
    domain: Domain, caller: Caller, history: CallerHistory, leg: Leg, of_call: list[Leg], origin: Transfer | None
) -> list[str]:
    passed_on = [line for line in (_passed_on(other, leg, history.known) for other in of_call) if line]
    if origin:
        passed_on = [transfers.sentence(domain, origin, leg, history.known)]
    calls = dict.fromkeys(map(call_of, _with(of_call, origin)))
    wrote = [line for call in calls for line in colleagues_notes(history, call)]
    # How often a colleague rang today is nobody's news.
    is_known = leg.caller_e164 and not caller.is_internal
    is_theirs = origin is not None and origin.leg.caller_e164
    return passed_on + wrote + (sentences(history) if is_known or is_theirs else [])


def _passed_on(other: Leg, leg: Leg, known: Names) -> str:
    """A colleague who spoke in this very call before it rang here."""
    if other.active_at is None or other.active_at >= leg.first_seen_at or not legs.is_spoken(other):
        return ""
    # They may still be on the line during the transfer; what counts is until it rang here.
    until = min(other.ended_at or leg.first_seen_at, leg.first_seen_at)
    talked = time_phrases.duration((until - other.active_at).total_seconds())
    return _("%(who)s spoke with them first, for %(length)s.") % {
        "who": _name(other, known) or _("Somebody"),
        "length": talked,
    }
