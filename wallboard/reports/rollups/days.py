"""Which days of a company are added up and hold, and which have to be counted from their rows.

A day that is over is added up once by the worker (rolling.py), in the background. It holds as long as the definitions
that it rests on are those of now (`stamp`) and nothing of it has changed since (queues.past_changes).
A page counts few rows by itself (`for_page`); where a company has more, the worker adds up today as well, again and
again.
"""

from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, TypeVar

from django.db import transaction
from django.utils import timezone

from accounts import company_day
from accounts.models import Domain
from wallboard.calls.gaps import coverage
from wallboard.calls.models import Leg
from wallboard.queues import retention
from wallboard.queues.models import PastChange, Queue
from wallboard.reports.models import CallDay, QueueCallDay, Rolled, SampleDay
from wallboard.reports.period_parts import Period

T = TypeVar("T")
A_DAY = timedelta(days=1)
KINDS: dict[type[Rolled], PastChange.Kind] = {
    SampleDay: PastChange.Kind.SAMPLES,
    CallDay: PastChange.Kind.CALLS,
    QueueCallDay: PastChange.Kind.CALLS,
}


MOST_QUEUE_DAYS, MOST_LEGS = 150, 5_000  # that a page counts by itself, in a fraction of a second
UNTIL = " until "  # of a stamp: a day that is not over, added up as far as it was then


@dataclass(frozen=True)
class Split:
    """The days of a period that are added up, and the rest as periods: neighbours are one.

    `left_out` are too much for a page to count: the worker adds them up.
    """

    rolled: list[date]
    others: list[Period]
    left_out: frozenset[date] = frozenset()


@dataclass
class Waiting:
    """What a page lacks: days that are still to be added up, and since when nothing of today is in it.

    `first_days` and `known` is what it has asked for already.
    """

    days: set[date] = field(default_factory=set)
    today_until: datetime | None = None
    first_days: dict[type[Rolled], date | None] = field(default_factory=dict)
    known: dict[Hashable, Any] = field(default_factory=dict)


_page: ContextVar[Waiting | None] = ContextVar("page_of_reports", default=None)


@contextmanager
def for_page() -> Iterator[Waiting]:
    """Inside it nothing is counted from more rows than a page may read; what is missing then is told."""
    waiting = Waiting()
    token = _page.set(waiting)
    try:
        yield waiting
    finally:
        _page.reset(token)


def known_on_page(asked: Hashable) -> Any:
    """What the page has been told already; None if nothing, or where it is no page."""
    page = _page.get()
    return None if page is None else page.known.get(asked)


def keep_on_page(asked: Hashable, found: T) -> T:
    """Keep what was found, so that the page does not read it twice."""
    if (page := _page.get()) is not None:
        page.known[asked] = found
    return found


def clock_stamp(domain: Domain) -> str:
    """What every day rests on: when it begins."""
    return f"1 {domain.time_zone} {domain.day_starts_hour}"


def split(domain: Domain, period: Period, table: type[Rolled], stamp: str) -> Split:
    """Which days of the period are in that table and hold."""
    # Another zone than the company's, or days from midnight: those days are nobody's.
    is_companys = str(period.zone) == str(company_day.zone_of(domain)) and period.starts_hour == domain.day_starts_hour
    held = holding(domain, table, stamp, period.first, period.last) if is_companys else set()
    missing = [day for day in period.days if day.first not in held]
    waiting = _page.get()
    if waiting is not None and is_companys and missing:
        told = _told(domain, table, missing, waiting)
        if is_too_much(domain, table, told):
            return _without(domain, table, stamp, held, period, {day.first for day in told}, waiting)
    if not held:
        return Split([], [period])
    others: list[Period] = []
    for each in missing:
        if others and others[-1].last == each.first - A_DAY:
            others[-1] = Period(others[-1].first, each.last, each.zone, each.starts_hour, each.clock)
        else:
            others.append(each)
    return Split(sorted(held), others)


def holding(domain: Domain, table: type[Rolled], stamp: str, first: date, last: date) -> set[date]:
    """The days from first until last that are in that table and hold."""
    rows = table._default_manager.filter(domain=domain, day__gte=first, day__lte=last, stamp=stamp)
    found = set(rows.values_list("day", flat=True))
    if found:
        marks = PastChange.objects.filter(domain=domain, kind=KINDS[table]).values_list("since", "until")
        begins = {day: company_day.begin(domain, day) for day in found}
        found -= set(_within(begins, domain, marks))
    return found


def is_too_much(domain: Domain, table: type[Rolled], missing: list[Period]) -> bool:
    """Whether these days have more rows than a page may count."""
    if not missing:
        return False
    if table is SampleDay:
        return Queue.objects.filter(domain=domain).count() * len(missing) > MOST_QUEUE_DAYS
    span = {"first_seen_at__gte": missing[0].begin, "first_seen_at__lt": missing[-1].end}
    return Leg.objects.filter(domain=domain, **span).values("pk")[MOST_LEGS : MOST_LEGS + 1].exists()


def today_until(domain: Domain, table: type[Rolled], stamp: str, day: date) -> datetime | None:
    """Until when that day, which is not over, was added up; None where it was not."""
    row = table._default_manager.filter(domain=domain, day=day, stamp__startswith=stamp + UNTIL).first()
    return datetime.fromisoformat(row.stamp.rpartition(UNTIL)[2]).replace(tzinfo=UTC) if row else None


def first_day(domain: Domain, table: type[Rolled]) -> date | None:
    """The day of the oldest row of what is added up there."""
    is_of_samples = table is SampleDay
    oldest = retention.oldest_minute(domain) if is_of_samples else coverage.first_event_at(domain.pk)
    return company_day.start(domain, oldest).date() if oldest else None


def _told(domain: Domain, table: type[Rolled], missing: list[Period], waiting: Waiting) -> list[Period]:
    """Those of these days of which there can be rows."""
    if table not in waiting.first_days:
        waiting.first_days[table] = first_day(domain, table)
    first = waiting.first_days[table]
    today = company_day.start(domain, timezone.now()).date()
    return [day for day in missing if first is not None and first <= day.first <= today]


def _without(
    domain: Domain, table: type[Rolled], stamp: str, held: set[date], period: Period, told: set[date], waiting: Waiting
) -> Split:
    """Nothing but what was added up, with today as far as that was."""
    today = company_day.start(domain, timezone.now()).date()
    if today in told and (until := today_until(domain, table, stamp, today)):
        held, told = held | {today}, told - {today}
        waiting.today_until = min(until, waiting.today_until or until)
    waiting.days |= told
    return Split(sorted(held), [], frozenset(day.first for day in period.days) - held)


def void(domain: Domain) -> None:
    """Take away what does not hold any more, so that it is counted anew; the one place that takes notes away."""
    for mark in PastChange.objects.filter(domain=domain):
        first = company_day.start(domain, max(mark.since, company_day.begin(domain, company_day.FIRST))).date()
        with transaction.atomic():
            # A change that comes meanwhile has another token, and stays noted.
            if not PastChange.objects.filter(pk=mark.pk, token=mark.token).delete()[0]:
                continue
            for table in (each for each, kind in KINDS.items() if kind == mark.kind):
                until = company_day.start(domain, mark.until).date()
                table._default_manager.filter(domain=domain, day__gte=first, day__lte=until).delete()


def _within(begins: dict[date, datetime], domain: Domain, marks: Iterable[tuple[datetime, datetime]]) -> Iterable[date]:
    spans = list(marks)
    for day, begin in begins.items() if spans else ():
        end = company_day.end(domain, day)
        if any(since < end and until > begin for since, until in spans):
            yield day
