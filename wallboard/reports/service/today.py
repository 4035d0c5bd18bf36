"""Calls of queues of the last day, counted by the worker and kept by quarter hours: boards only add them up.

The last two hours are counted anew each time, and everything every quarter of an hour or where a rule, the hours of a
queue or what was proven has changed. A day of a board may begin in another zone than the company's, hence 26 hours.
"""

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from accounts import leases
from accounts.models import Domain
from wallboard.calibration.locks import Ground
from wallboard.queues.hours import calendar
from wallboard.reports.models import ServiceDay
from wallboard.reports.queue_calls import QueueCall, TooMany
from wallboard.reports.rollups import call_sums
from wallboard.reports.service import counting, rules
from wallboard.reports.service_level import Rules, percent_of

LEASE_SECONDS = 120.0
QUARTER, MINUTE = 900, 60
KEPT, AGAIN, HOUR = timedelta(hours=26), timedelta(hours=2), timedelta(hours=1)
WHOLE_EVERY = timedelta(minutes=15)
GREETING = timedelta(minutes=5)
TOO_MANY = [["too_many", "other"]]
Buckets = dict[str, dict[str, "Tally"]]


class Tally(msgspec.Struct, array_like=True):
    """Calls of one queue: how many came, were answered and left early, the level's two counts, and seconds waited."""

    offered: int = 0
    answered: int = 0
    left_early: int = 0
    met: int = 0
    base: int = 0
    seconds: float = 0.0

    def add(self, other: "Tally") -> None:
        """Count those of the other with these."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def percent(self) -> float | None:
        """The service level; None where nothing counts."""
        return percent_of(self.met, self.base)

    @property
    def answer_seconds(self) -> float | None:
        """The average speed of answer."""
        return round(self.seconds / self.answered) if self.answered else None


@dataclass(frozen=True)
class Span:
    """From when until when."""

    begin: datetime
    end: datetime


@dataclass(frozen=True)
class Counted:
    """What was counted since a moment, and when; if it cannot be told, why: [question, what is missing]."""

    tally: Tally | None
    at: datetime | None
    locked: list[list[str]]


def countable(domain_ids: Collection[int]) -> set[int]:
    """Of these companies those whose calls can be counted, or of which it is not written down why not; two queries."""
    rows = dict(ServiceDay.objects.filter(domain__in=domain_ids).values_list("domain_id", "locked"))
    grounds = counting.grounds(domain_ids)
    return {pk for pk, firm in grounds.items() if firm.is_firm or rows.get(pk) != _reasons(firm)}


def update(domain: Domain, now: datetime) -> None:
    """Count the calls of the last day and keep that. One at a time; safe to repeat."""
    lease = leases.acquire(f"service level:{domain.pk}", LEASE_SECONDS)
    if lease is None:
        return
    with lease:
        firm, by = counting.ground(domain.pk), rules.rules(domain.pk)
        before = ServiceDay.objects.filter(domain=domain).first()
        ServiceDay.objects.update_or_create(domain=domain, defaults=_counted(domain, firm, by, before, now))


def _counted(domain: Domain, firm: Ground, by: Rules, before: ServiceDay | None, now: datetime) -> dict[str, Any]:
    """The columns of ServiceDay."""
    stamp = _stamp(domain, firm, by)
    empty = {"at": now, "counted_whole_at": now, "stamp": stamp, "quarters": {}, "minutes": {}}
    if not firm.is_firm:
        return empty | {"locked": _reasons(firm)}
    known = before if before and before.stamp == stamp and not before.locked else None
    is_whole = known is None or now - known.counted_whole_at >= WHOLE_EVERY
    earliest = _begin(now - KEPT, QUARTER)
    begin = earliest if is_whole else _begin(now - AGAIN, QUARTER)
    try:
        # A caller enters the queue some seconds after the leg was seen first, where a greeting comes before.
        some = counting.calls(domain, Span(datetime.fromtimestamp(begin, UTC) - GREETING, now), firm)
    except TooMany:
        return empty | {"locked": TOO_MANY}
    calls = [call for call in some if call.entered_at.timestamp() >= begin]
    kept = known.quarters if known is not None else {}
    quarters = {key: value for key, value in kept.items() if earliest <= int(key) < begin}
    hour_ago = now - HOUR
    return {
        "at": now,
        "counted_whole_at": known.counted_whole_at if known is not None and not is_whole else now,
        "stamp": stamp,
        "quarters": quarters | _buckets(calls, by, QUARTER),
        "minutes": _buckets((call for call in calls if call.entered_at >= hour_ago), by, MINUTE),
        "locked": [],
    }


def _reasons(firm: Ground) -> list[list[str]]:
    return [[lock.question, lock.state] for lock in firm.locks]


def since(domain_id: int, numbers: Collection[str] | None, begin: datetime, row: ServiceDay | None = None) -> Counted:
    """The calls of these queues, or of all of them, since that moment: exact by quarter hours, or to a minute within
    the last hour."""
    row = row or ServiceDay.objects.filter(domain_id=domain_id).first()
    if row is None:
        return Counted(None, None, [])
    if row.locked:
        return Counted(None, row.at, row.locked)
    tally = Tally()
    for number, each in by_queue(row, begin).items():
        if numbers is None or number in numbers:
            tally.add(each)
    return Counted(tally, row.at, [])


def by_queue(row: ServiceDay, begin: datetime) -> dict[str, Tally]:
    """The calls of each queue since that moment, by its number."""
    is_last_hour = begin >= row.at - HOUR - timedelta(minutes=1)
    stored, least = (row.minutes, _begin(begin, MINUTE)) if is_last_hour else (row.quarters, _begin(begin, QUARTER))
    found: dict[str, Tally] = {}
    for key, of_queue in stored.items():
        if int(key) >= least:
            for number, each in of_queue.items():
                found.setdefault(number, Tally()).add(msgspec.convert(each, Tally))
    return found


def _buckets(calls: Iterable[QueueCall], by: Rules, seconds: int) -> Buckets:
    """Tallies by the beginning of so many seconds, and by queue."""
    sorted_in: dict[str, dict[str, list[QueueCall]]] = {}
    for call in calls:
        of_queue = sorted_in.setdefault(str(_begin(call.entered_at, seconds)), {})
        of_queue.setdefault(call.queue, []).append(call)
    return {
        key: {number: _tally(some, by, number) for number, some in of_queue.items()}
        for key, of_queue in sorted_in.items()
    }


def _tally(calls: list[QueueCall], by: Rules, number: str) -> Tally:
    rule, counts = by.of(number), call_sums.counts([call_sums.waits_of(calls)])
    met, base = rule.count(counts)
    waits = [call.wait_seconds for call in calls if call.is_answered]
    return Tally(len(calls), len(waits), counts.left(rule.short), met, base, sum(waits))


def _begin(moment: datetime, seconds: int) -> int:
    return int(moment.timestamp()) // seconds * seconds


def _stamp(domain: Domain, firm: Ground, by: Rules) -> str:
    """What the counting depends on beside the calls."""
    parts = (firm.answers, firm.gaps, by, calendar.schedule(domain))
    return hashlib.sha256(msgspec.json.encode(parts, order="deterministic")).hexdigest()
