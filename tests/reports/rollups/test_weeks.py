"""Weeks as columns of many days: over both ends of months, a change of clocks and of the year, as the minutes tell."""

from collections import defaultdict
from datetime import date, datetime, time, timedelta

import time_machine

from accounts.models import Domain
from tests.reports.rollups.some_days import ZONE
from wallboard.queues.models import Queue, Sample
from wallboard.reports import day_figures
from wallboard.reports.models import SampleDay
from wallboard.reports.period_parts import Period
from wallboard.reports.rollups import rolling

FIRST, LAST = date(2026, 10, 21), date(2027, 1, 10)  # a Wednesday and a Sunday; clocks change on 25 October
DAYS, HOUR = 82, 4  # and when a day begins
A_DAY = timedelta(days=1)
Week = tuple[str, datetime]  # number of the queue, and the first day of the week in the period as it begins
Told = dict[Week, tuple[int, int, int]]  # minutes late, most waiting, minutes measured


def make(domain: Domain) -> None:
    """The first and the last minute of each day, the days around them too, and the hour that is there twice."""
    queues = [Queue.objects.create(domain=domain, number=number) for number in ("501", "502")]
    begins = [datetime.combine(FIRST + index * A_DAY, time(HOUR), ZONE) for index in range(-1, DAYS + 2)]
    minutes = [at.timestamp() + seconds for at in begins for seconds in (-60, 0)]
    minutes += [datetime(2026, 10, 25, 2, 30, fold=fold, tzinfo=ZONE).timestamp() for fold in (0, 1)]
    for place, queue in enumerate(queues):
        Sample.objects.bulk_create(
            Sample(
                queue=queue,
                minute=datetime.fromtimestamp(at, ZONE),
                waiting=index % 7,
                most_waiting=index % 7 + place,
                readings=12,
                agents=1,
                least_available=1,
                late_seconds=60.0 * (index % 3 > place),
                watch_seconds=0.0,
                nobody_seconds=0.0,
                longest_wait_seconds=0,
            )
            for index, at in enumerate(minutes)
        )


def from_minutes(domain: Domain) -> Told:
    """The same counted here, minute by minute."""
    found: Told = defaultdict(lambda: (0, 0, 0))
    for each in Sample.objects.filter(queue__domain=domain).select_related("queue"):
        local = each.minute.astimezone(ZONE)
        day = local.date() - A_DAY * (local.hour < HOUR)
        if FIRST <= day <= LAST:
            week = max(day - day.weekday() * A_DAY, FIRST)
            key = each.queue.number, datetime.combine(week, time(HOUR), ZONE)
            late, most, measured = found[key]
            found[key] = late + int(each.late_seconds) // 60, max(most, each.most_waiting), measured + 1
    return dict(found)


def weeks(domain: Domain, period: Period) -> Told:
    """What the columns of the table are made of."""
    rows = day_figures.by_day_and_week(domain, period)[1]
    return {
        (row.queue.number, row.at): (row.late_minutes, row.most_waiting, row.measured_minutes)
        for row in rows
        if row.at is not None
    }


def test_weeks_over_a_change_of_clocks_and_of_the_year_are_what_the_minutes_tell(domain: Domain) -> None:
    make(domain)
    period = Period(FIRST, LAST, ZONE, HOUR)

    with time_machine.travel(datetime(2027, 1, 12, 12, tzinfo=ZONE), tick=False):
        want = from_minutes(domain)
        assert weeks(domain, period) == want
        rolling.roll(domain, datetime(2027, 1, 12, 12, tzinfo=ZONE))
        assert SampleDay.objects.filter(day__gte=FIRST, day__lte=LAST).count() == DAYS
        assert weeks(domain, period) == want
        # Some days of which only the minutes are there, in the middle of the others.
        SampleDay.objects.filter(day__in=[date(2026, 10, 25), date(2026, 12, 31), date(2027, 1, 1)]).delete()
        assert weeks(domain, period) == want

    heads = sorted({at.date() for _number, at in want})
    assert (heads[0], heads[1], len(heads)) == (FIRST, date(2026, 10, 26), 12)
    assert {date(2026, 12, 28), date(2027, 1, 4)} < set(heads)
    assert want["501", datetime(2026, 10, 21, HOUR, tzinfo=ZONE)][2] == 5 * 2 + 2
