"""Which days of a company are added up and hold, and which have to be counted from their rows.

A day that is over is added up once by the worker (rolling.py), in the background. It holds as long as the definitions
that it rests on are those of now (`stamp`) and nothing of it has changed since (queues.past_changes).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db import transaction

from accounts import company_day
from accounts.models import Domain
from wallboard.queues.models import PastChange
from wallboard.reports.models import CallDay, QueueCallDay, Rolled, SampleDay
from wallboard.reports.period_parts import Period

A_DAY = timedelta(days=1)
KINDS: dict[type[Rolled], PastChange.Kind] = {
    SampleDay: PastChange.Kind.SAMPLES,
    CallDay: PastChange.Kind.CALLS,
    QueueCallDay: PastChange.Kind.CALLS,
}


@dataclass(frozen=True)
class Split:
    """The days of a period that are added up, and the rest as periods: neighbours are one."""

    rolled: list[date]
    others: list[Period]


def clock_stamp(domain: Domain) -> str:
    """What every day rests on: when it begins."""
    return f"1 {domain.time_zone} {domain.day_starts_hour}"


def split(domain: Domain, period: Period, table: type[Rolled], stamp: str) -> Split:
    """Which days of the period are in that table and hold."""
    # Another zone than the company's, or days from midnight: those days are nobody's.
    is_companys = str(period.zone) == str(company_day.zone_of(domain)) and period.starts_hour == domain.day_starts_hour
    held = holding(domain, table, stamp, period.first, period.last) if is_companys else set()
    if not held:
        return Split([], [period])
    others: list[Period] = []
    for each in period.days:
        if each.first in held:
            continue
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
