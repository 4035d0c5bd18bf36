"""Callers whom nobody answered: the list that closes itself once somebody spoke with them, whoever rang whom.

Derived from call events of the last days; withheld numbers cannot be called back and are not listed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.db.models import Count, Max, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.access import Viewer
from accounts.models import Domain, Person
from wallboard.calls import numbers
from wallboard.calls.models import Leg
from wallboard.calls.news import call_of
from wallboard.desk import contacts, when
from wallboard.desk.caller import said_name
from wallboard.desk.models import CallBack

LOOKED_BACK = timedelta(days=3)
SNOOZE = timedelta(hours=1)
OLD = timedelta(hours=1)
MOST_LISTED = 100
FRESH_SECONDS = 3  # for so long one reading of the calls serves every desk of the company
INBOUND = Q(from_user="")
SPOKEN = Q(is_answered=True, queue="") & (Q(is_human=True) | Q(is_human=None))


@dataclass(frozen=True)
class Missed:
    """A number nobody spoke with since it last called; `times` it called since anybody did."""

    number: str
    last_at: datetime
    times: int
    said_name: str


def missed(domain_id: int) -> list[Missed]:
    """Every number that called and reached nobody, newest first; not while it is on the line."""
    since = timezone.now() - LOOKED_BACK
    legs = Leg.objects.filter(domain_id=domain_id, first_seen_at__gte=since).exclude(caller_e164="")
    rows: Iterable[Any] = legs.values("caller_e164").annotate(
        last_at=Max("first_seen_at", filter=INBOUND),
        spoke_at=Max(Coalesce("ended_at", "heard_at"), filter=SPOKEN),
        live=Count("pk", filter=Q(ended_at=None, is_unconfirmed=False)),
    )
    waiting = [row for row in rows if row["last_at"] and not row["live"] and not _is_answered(row)]
    newest = sorted(waiting, key=lambda row: row["last_at"], reverse=True)[:MOST_LISTED]
    return _told(legs, {row["caller_e164"]: row for row in newest})


def listed(viewer: Viewer, domain: Domain) -> dict[str, Any]:
    """The open call-backs as the desk shows them, ready for JSON, and how many there are by person and age."""
    now, zone = timezone.now(), when.zone_named(domain.time_zone)
    states = {state.number_e164: state for state in _states(domain)}
    waiting = [each for each in _recent(domain.pk) if _is_open(each, states.get(each.number), now)]
    known = contacts.sole(domain.pk, {each.number for each in waiting})
    rows = []
    for each in waiting:
        state = states.get(each.number)
        owner = state.owner if state else None
        shown, contact = numbers.shown(each.number, domain.country), known.get(each.number)
        rows.append(
            {
                "number": each.number,
                "shown": shown,
                "name": contact.name if contact else each.said_name or shown,
                "when": when.in_a_list(each.last_at, now, zone),
                "times": each.times,
                "owner": str(owner) if owner else "",
                "is_mine": owner is not None and owner.pk == viewer.person_id,
            }
        )
    return {"rows": rows, "counts": _counts(rows, waiting, now)}


def change(domain: Domain, person: Person, number: str, act: str) -> bool:
    """Take, leave, finish or put off a call-back; False where a colleague has taken it or it is not open."""
    if not any(each.number == number for each in missed(domain.pk)):
        return False
    state, _is_new = CallBack.objects.get_or_create(domain=domain, number_e164=number)
    now = timezone.now()
    changes: dict[str, dict[str, Any]] = {
        "take": {"owner": person},
        "leave": {"owner": None},
        "done": {"owner": None, "done_at": now, "done_by": person},
        "snooze": {"snoozed_until": now + SNOOZE},
    }
    free = CallBack.objects.filter(Q(owner=None) | Q(owner=person), pk=state.pk)
    return bool(free.update(**changes[act]))


def _recent(domain_id: int) -> list[Missed]:
    found: list[Missed] = cache.get_or_set(f"call-backs-{domain_id}", lambda: missed(domain_id), FRESH_SECONDS) or []
    return found


def _is_answered(row: dict[str, Any]) -> bool:
    """Phones that rang beside the one that was answered were first seen before that talk ended."""
    return row["spoke_at"] is not None and row["spoke_at"] >= row["last_at"]


def _told(legs: Any, waiting: dict[str, dict[str, Any]]) -> list[Missed]:
    calls: dict[str, set[str]] = {number: set() for number in waiting}
    names: dict[str, str] = {}
    for leg in legs.filter(INBOUND, caller_e164__in=list(waiting)).order_by("first_seen_at"):
        spoke_at = waiting[leg.caller_e164]["spoke_at"]
        if spoke_at is None or leg.first_seen_at > spoke_at:
            calls[leg.caller_e164].add(call_of(leg))
            names[leg.caller_e164] = said_name(leg)
    return [
        Missed(number, row["last_at"], len(calls[number]), names.get(number, "")) for number, row in waiting.items()
    ]


def _states(domain: Domain) -> Iterable[CallBack]:
    return CallBack.objects.filter(domain=domain).select_related("owner")


def _is_open(each: Missed, state: CallBack | None, now: datetime) -> bool:
    if state is None:
        return True
    is_done = state.done_at is not None and state.done_at >= each.last_at
    is_snoozed = state.snoozed_until is not None and state.snoozed_until > now
    return not (is_done or is_snoozed)


def _counts(rows: list[dict[str, Any]], waiting: list[Missed], now: datetime) -> dict[str, Any]:
    return {
        "open": len(rows),
        "mine": sum(row["is_mine"] for row in rows),
        "taken": sum(row["owner"] != "" for row in rows),
        "old": sum(each.last_at < now - OLD for each in waiting),
    }
