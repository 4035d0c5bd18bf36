"""A person's own day: what rang their phone or left it today, and what became of it."""

from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts import company_day
from accounts.access import Viewer
from accounts.languages.digits import ascii_digits
from accounts.models import Domain
from wallboard.calls import numbers
from wallboard.calls.documents import call_of, taken_on
from wallboard.calls.legs import is_end_lost, is_spoken
from wallboard.calls.log.search import SHORTEST_SEARCHED_NUMBER
from wallboard.calls.models import Leg
from wallboard.contacts import address_book
from wallboard.contacts.models import Contact
from wallboard.contacts.safe_text import one_line
from wallboard.desk import time_phrases
from wallboard.desk.card import call_history
from wallboard.desk.card.call_history import Names
from wallboard.desk.card.caller import caller_id_of, caller_of, swap_ends, with_contact_name
from wallboard.desk.card.card import call_progress
from wallboard.desk.permissions import dialled_legs, own_legs

# The column beside the card; the search finds the rest.
MOST_LISTED = 30
# A page that was asleep for less hears how a call went that the person made before midnight.
TOLD_AFTER_MIDNIGHT = timedelta(hours=1)
LONGEST_TOLD = timedelta(days=3)  # no call is longer by any company's limit of hours
Row = dict[str, Any]


def day(viewer: Viewer, domain: Domain, text: str = "") -> dict[str, Any]:
    """Today's figures and today's calls, newest first, ready for JSON. Everything is derived from call events.

    A call that rang again counts once, by its last ring; one that a colleague took is neither answered nor missed.
    With a text only the calls about a name, number, queue or colleague with that text in it are listed. `dialled` are
    the newest calls that the person made, whatever is looked for: their cards live on them. So those that live or have
    just ended are told though they began before midnight.
    """
    now = timezone.now()
    began = company_day.start(domain, now)
    is_today = Q(first_seen_at__gte=began)
    is_told = is_today | Q(ended_at=None) | Q(ended_at__gt=now - TOLD_AFTER_MIDNIGHT)
    recent = dialled_legs(viewer).filter(first_seen_at__gte=now - LONGEST_TOLD)  # by an index, which `is_told` has not
    mine, dialled = _legs(own_legs(viewer).filter(is_today)), _legs(recent.filter(is_told))
    newest = _newest([*dialled, *mine])
    of_calls = _of_calls(domain.pk, mine)
    known = call_history.names_of(domain.pk, [*dialled, *(leg for legs in of_calls.values() for leg in legs)])
    # Whoever was dialled stands where a caller does, so one reading of names serves both.
    others = [leg if leg.to_user == viewer.extension else swap_ends(leg) for leg in newest.values()]
    by_address = address_book.unique_by_caller_id(domain.pk, {caller_id_of(domain, leg, known) for leg in others})
    calls = [
        _call(domain, leg, of_calls[call], known, by_address) if leg.to_user == viewer.extension
        else _dialled(domain, leg, known, by_address)
        for call, leg in reversed(newest.items())
    ]  # fmt: skip
    of_today = [call for call in calls if newest[call["call"]].first_seen_at >= began]
    found = [call for call in of_today if _is_about(call, text)]
    return {
        "figures": _figures(mine, of_today),
        "calls": found[:MOST_LISTED],
        "found": len(found),
        "all": len(of_today),
        "dialled": [call for call in calls if call["is_outgoing"]][:MOST_LISTED],
    }


def _legs(rows: QuerySet[Leg]) -> list[Leg]:
    return call_history.with_record_times(list(rows.order_by("first_seen_at", "pk")))


def _newest(legs: list[Leg]) -> dict[str, Leg]:
    """Of each call the leg to list it by: the last one, but for one that rang beside the device that was answered."""
    newest: dict[str, Leg] = {}
    for leg in sorted(legs, key=lambda leg: leg.first_seen_at):
        before = newest.get(call_of(leg))
        if before is None or leg.is_answered or taken_on(leg, [before]) is None:
            newest[call_of(leg)] = leg
    return newest


def _is_about(call: Row, text: str) -> bool:
    wanted = text.strip().casefold()
    if wanted in " ".join((call["name"], call["number"], call["queue"], call["by"])).casefold():
        return True
    # 0170 here, +49 170 in the call: the zero only says how to dial.
    digits = "".join(filter(str.isdecimal, ascii_digits(wanted))).lstrip("0")
    return len(digits) >= SHORTEST_SEARCHED_NUMBER and not any(map(str.isalpha, wanted)) and digits in call["digits"]


def _of_calls(domain_id: int, mine: list[Leg]) -> dict[str, list[Leg]]:
    """All legs of the same calls, the colleagues' too, by call."""
    # Without a caller's id a leg is a call of its own.
    found: dict[str, list[Leg]] = {call_of(leg): [leg] for leg in mine if not leg.from_call_id}
    callers = {leg.from_call_id for leg in mine if leg.from_call_id}
    for leg in call_history.oldest_first(Leg.objects.filter(domain_id=domain_id, from_call_id__in=callers)):
        found.setdefault(call_of(leg), []).append(leg)
    return found


def _call(domain: Domain, leg: Leg, of_call: list[Leg], known: Names, by_address: dict[str, Contact]) -> Row:
    caller = with_contact_name(caller_of(domain, leg, known), by_address.get(caller_id_of(domain, leg, known)))
    talked = _talk_seconds(leg)
    return {
        **call_progress(leg, of_call, known),
        "name": caller.name,
        "number": caller.number,
        "digits": caller.dial,
        "is_outgoing": False,
        "talked": "" if talked is None else time_phrases.duration(talked),
    }


def _dialled(domain: Domain, leg: Leg, known: Names, by_address: dict[str, Contact]) -> Row:
    """A call that the person made. `name` is never empty."""
    number = numbers.shown(leg.to_number or leg.to_user, domain.country)
    contact = by_address.get(leg.caller_e164)
    name = known.people.get(leg.to_user) or (contact.name if contact else one_line(leg.to_name)) or number
    is_reached = is_spoken(leg)
    talked = _talk_seconds(leg) if is_reached else None
    return {
        **call_progress(leg, [leg], known),
        "outcome": "reached" if is_reached else "no_answer",
        "name": name,
        "number": "" if name == number else number,
        "digits": leg.caller_e164 or leg.to_user,
        "is_outgoing": True,
        "talked": "" if talked is None else time_phrases.duration(talked),
    }


def _figures(mine: list[Leg], calls: list[Row]) -> dict[str, Any]:
    talks = [seconds for leg in mine if (seconds := _talk_seconds(leg)) is not None]
    return {
        "answered": len({call_of(leg) for leg in mine if leg.is_answered}),
        "missed": sum(call["outcome"] == "missed" for call in calls),
        "average_talk": time_phrases.duration(sum(talks) / len(talks)) if talks else "",
    }


def _talk_seconds(leg: Leg) -> float | None:
    if not leg.is_answered or leg.active_at is None or leg.ended_at is None:
        return None
    if is_end_lost(leg.ended_at, leg.heard_at):
        return None
    return (leg.ended_at - leg.active_at).total_seconds()
