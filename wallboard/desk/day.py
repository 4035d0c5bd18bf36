"""A person's own day: what rang their phone since midnight, and what became of it."""

from typing import Any

from django.utils import timezone

from accounts.access import Viewer
from accounts.models import Domain
from wallboard.calls.models import Leg
from wallboard.calls.news import call_of
from wallboard.desk import contacts, history, when
from wallboard.desk.caller import address_of, caller_of, known_as
from wallboard.desk.card import head
from wallboard.desk.history import Names
from wallboard.desk.models import Contact
from wallboard.desk.reach import own_legs

MOST_LISTED = 30


def day(viewer: Viewer, domain: Domain) -> dict[str, Any]:
    """Today's figures and today's calls, newest first, ready for JSON. Everything is derived from call events.

    A call that rang again counts once, by its last ring; one that a colleague took is neither answered nor missed.
    """
    midnight = when.start_of_day(timezone.now(), when.zone_named(domain.time_zone))
    mine = history.corrected(list(own_legs(viewer).filter(first_seen_at__gte=midnight).order_by("first_seen_at")))
    newest = {call_of(leg): leg for leg in mine}
    of_calls = _of_calls(domain.pk, mine)
    known = history.names(domain.pk, [leg for legs in of_calls.values() for leg in legs])
    by_address = contacts.sole(domain.pk, {address_of(domain, leg, known) for leg in newest.values()})
    calls = [_call(domain, leg, of_calls[call_id], known, by_address) for call_id, leg in reversed(newest.items())]
    return {"figures": _figures(mine, calls), "calls": calls[:MOST_LISTED]}


def _of_calls(domain_id: int, mine: list[Leg]) -> dict[str, list[Leg]]:
    """All legs of the same calls, the colleagues' too, by call."""
    found: dict[str, list[Leg]] = {call_of(leg): [leg] for leg in mine if not leg.from_call_id}
    callers = {leg.from_call_id for leg in mine if leg.from_call_id}
    for leg in Leg.objects.filter(domain_id=domain_id, from_call_id__in=callers).order_by("first_seen_at", "pk"):
        found.setdefault(call_of(leg), []).append(leg)
    return found


def _call(domain: Domain, leg: Leg, of_call: list[Leg], known: Names, by_address: dict[str, Contact]) -> dict[str, Any]:
    caller = known_as(caller_of(domain, leg, known), by_address.get(address_of(domain, leg, known)))
    talked = _talk_seconds(leg)
    return {
        **head(leg, of_call, known),
        "name": caller.name,
        "number": caller.number,
        "talked": "" if talked is None else when.length(talked),
        "time": when.time_of_day(leg.first_seen_at, when.zone_named(domain.time_zone)),
    }


def _figures(legs: list[Leg], calls: list[dict[str, Any]]) -> dict[str, Any]:
    talks = [seconds for leg in legs if (seconds := _talk_seconds(leg)) is not None]
    return {
        "answered": len({call_of(leg) for leg in legs if leg.is_answered}),
        "missed": sum(call["outcome"] == "missed" for call in calls),
        "average_talk": when.length(sum(talks) / len(talks)) if talks else "",
    }


def _talk_seconds(leg: Leg) -> float | None:
    if not leg.is_answered or leg.active_at is None or leg.ended_at is None:
        return None
    return (leg.ended_at - leg.active_at).total_seconds()
