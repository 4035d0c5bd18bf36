"""The worker's part: every day that is over is added up, the newest first, and again where it does not hold any more.

One at a time for each company; whatever dies in between leaves a day without a row, which the next run counts.
"""

import time
from collections.abc import Callable
from datetime import date, datetime, timedelta

from accounts import company_day, leases
from accounts.models import Domain
from wallboard.calls.gaps import coverage
from wallboard.calls.sweeping import KEEP_CALLS
from wallboard.queues.hours import calendar
from wallboard.queues.retention import SAMPLES
from wallboard.reports.models import CallDay, QueueCallDay, Rolled, SampleDay
from wallboard.reports.period_parts import Period
from wallboard.reports.rollups import calls, days, queued, samples
from wallboard.reports.service import counting

LEASE_SECONDS = 300.0
LONGEST_RUN_SECONDS = 20.0  # then others have their turn; the next run goes on
A_DAY = timedelta(days=1)
Roll = Callable[[Domain, Period], None]


def roll(domain: Domain, now: datetime, seconds: float = LONGEST_RUN_SECONDS) -> int:
    """Add up what is missing; gives how many days that were. Safe to repeat."""
    lease = leases.acquire(f"day figures:{domain.pk}", LEASE_SECONDS)
    if lease is None:
        return 0
    with lease:
        days.void(domain)
        _forget(domain, now)
        ends_at, done = time.monotonic() + seconds, 0
        todo = sorted(_missing(domain, now), key=lambda each: each[0].first, reverse=True)
        for day, add_up in todo:
            if time.monotonic() >= ends_at:
                break
            add_up(domain, day)
            done += 1
    return done


def _missing(domain: Domain, now: datetime) -> list[tuple[Period, Roll]]:
    """Days that are over and are not added up, each with what adds it up."""
    clock = days.clock_stamp(domain)
    first_sample, first_event = samples.first_day(domain), coverage.first_event_at(domain.pk)
    first_call = company_day.start(domain, first_event).date() if first_event else None
    found: list[tuple[Period, Roll]] = [
        (day, samples.roll) for day in _days(domain, SampleDay, [clock], first_sample, now)
    ]
    found += [(day, calls.roll) for day in _days(domain, CallDay, [clock], first_call, now)]
    firm = counting.ground(domain.pk)
    if firm.is_firm:
        schedule, from_music = calendar.schedule(domain), counting.is_from_music(firm)
        stamp = queued.stamp(domain, schedule, from_music=from_music)

        def keep(domain: Domain, day: Period) -> None:
            queued.roll(domain, day, schedule, from_music=from_music)

        stamps = [stamp, stamp + queued.TOO_MANY]
        found += [(day, keep) for day in _days(domain, QueueCallDay, stamps, first_call, now)]
    return found


def _days(domain: Domain, table: type[Rolled], stamps: list[str], first: date | None, now: datetime) -> list[Period]:
    """The days from the first one on that are over and are not in that table with one of these stamps."""
    if first is None:
        return []
    rows = table._default_manager.filter(domain=domain, day__gte=first, stamp__in=stamps)
    done = set(rows.values_list("day", flat=True))
    count = (company_day.start(domain, now).date() - first).days
    zone = company_day.zone_of(domain)
    wanted = [first + index * A_DAY for index in range(count)]
    return [Period(day, day, zone, domain.day_starts_hour, domain.clock) for day in wanted if day not in done]


def _forget(domain: Domain, now: datetime) -> None:
    """Drop the days whose rows are gone."""
    samples.forget(domain, company_day.start(domain, now - SAMPLES).date())
    for table in (CallDay, QueueCallDay):
        before = company_day.start(domain, now - KEEP_CALLS).date()
        table._default_manager.filter(domain=domain, day__lt=before).delete()
