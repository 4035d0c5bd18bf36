"""The worker's part: every day that is over is added up, the newest first, and again where it does not hold any more.

One at a time for each company; whatever dies in between leaves a day without a row, which the next run counts.
"""

import time
from collections.abc import Callable, Collection
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Protocol
from zlib import crc32

from accounts import company_day, leases
from accounts.models import Domain
from accounts.spreading import companies
from wallboard.queues.hours import calendar
from wallboard.queues.models import PastChange
from wallboard.reports.models import CallDay, QueueCallDay, Rolled, SampleDay
from wallboard.reports.period_parts import Period
from wallboard.reports.rollups import (
    asked_limits,
    calls,
    days,
    hours_of_sets,
    queue_sums,
    queued,
    samples,
    sum_keys,
    sums_of_sets,
)
from wallboard.reports.service import counting

LEASE_SECONDS = 300.0
LONGEST_RUN_SECONDS = 20.0  # then others have their turn; the next run goes on
LOOK_MINUTES = 5
A_DAY = timedelta(days=1)
TODAY_EVERY = timedelta(minutes=5)
Roll = Callable[[Domain, Period], None]


class RollUntil(Protocol):
    """Adds up a day that is not over; `until` ends its stamp."""

    def __call__(self, domain: Domain, day: Period, until: str = "") -> None: ...


def worth(domain_ids: Collection[int], now: datetime) -> list[int]:
    """Of these companies those to look at in this minute, in one query: where a day has changed that was over, and each
    once in LOOK_MINUTES. Pages say that days follow within minutes; of few companies none has to wait for its turn.
    """
    if len(domain_ids) <= companies.FEW:
        return list(domain_ids)
    turn = int(now.timestamp() // 60) % LOOK_MINUTES
    changed = set(PastChange.objects.filter(domain__in=domain_ids).values_list("domain_id", flat=True).distinct())
    return [pk for pk in domain_ids if pk in changed or crc32(b"%d" % pk) % LOOK_MINUTES == turn]


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
        # At last, as it rests on all days before.
        for again in queue_sums.without_again(domain):
            if time.monotonic() >= ends_at:
                break
            queue_sums.count_again(domain, again)
    return done


def _missing(domain: Domain, now: datetime) -> list[tuple[Period, Roll]]:
    """Days that are over and are not added up, each with what adds it up."""
    clock, of_calls = days.clock_stamp(domain), calls.stamp_of(domain)
    samples_from, calls_from = _kept_from(domain, now)
    first_sample, first_call = days.first_day(domain, SampleDay), days.first_day(domain, CallDay)
    first_sample = max(first_sample, samples_from) if first_sample else None
    first_call = max(first_call, calls_from) if first_call else None
    found: list[tuple[Period, Roll]] = [
        (day, samples.roll) for day in _days(domain, SampleDay, [clock], first_sample, now)
    ]
    found += _of_today(domain, now, SampleDay, clock, samples.roll)
    found += [(day, calls.roll) for day in _days(domain, CallDay, [of_calls], first_call, now)]
    found += _of_today(domain, now, CallDay, of_calls, calls.roll)
    found += _to_renew(domain)
    firm = counting.ground(domain.pk)
    if firm.is_firm:
        schedule, from_music = calendar.schedule(domain), counting.is_from_music(firm)
        stamp = queued.stamp(domain, schedule, from_music=from_music)

        def keep(domain: Domain, day: Period, until: str = "") -> None:
            queued.roll(domain, day, schedule, from_music=from_music, until=until)

        stamps = [stamp, stamp + queued.TOO_MANY]
        found += [(day, keep) for day in _days(domain, QueueCallDay, stamps, first_call, now)]
        found += _of_today(domain, now, QueueCallDay, stamp, keep)
    return found


def _to_renew(domain: Domain) -> list[tuple[Period, Roll]]:
    """Days that are added up, but not for the queues that are shown, the teams and the limits that there are now."""
    numbers = sum_keys.queues(domain)
    limited = sum_keys.queues_of_limits(domain)
    keys: list[tuple[type[Rolled], str, str, Callable[[Domain, date], None]]] = [
        (SampleDay, "shown", hours_of_sets.made_for(domain), hours_of_sets.renew),
        (CallDay, "limits_stamp", sum_keys.limits_key(sum_keys.limits_of(domain)), calls.renew),
        (QueueCallDay, "sums_stamp", sum_keys.sums_key(numbers, sum_keys.teams(domain)), queue_sums.renew),
        (QueueCallDay, "sets_stamp", sums_of_sets.sets_key(limited, numbers), queue_sums.renew_sets),
    ]
    zone = company_day.zone_of(domain)
    found: list[tuple[Period, Roll]] = []
    for table, column, key, renew in keys:
        rows = table._default_manager.filter(domain=domain).values_list("day", "stamp", column)
        stale = [day for day, stamp, made_for in rows if made_for != sum_keys.of_row(stamp, key)]

        def again(domain: Domain, day: Period, renew: Callable[[Domain, date], None] = renew) -> None:
            renew(domain, day.first)

        found += [(Period(day, day, zone, domain.day_starts_hour, domain.clock), again) for day in stale]
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


def _of_today(
    domain: Domain, now: datetime, table: type[Rolled], stamp: str, add_up: RollUntil
) -> list[tuple[Period, Roll]]:
    """The day that is not over, where pages cannot count it by themselves and it was not added up just now."""
    first = company_day.start(domain, now).date()
    today = Period(first, first, company_day.zone_of(domain), domain.day_starts_hour, domain.clock)
    if not days.is_too_much(domain, table, [today]):
        return []
    until = days.today_until(domain, table, stamp, first)
    if until is not None and timedelta(0) <= now - until < TODAY_EVERY:
        return []
    return [(today, partial(add_up, until=f"{days.UNTIL}{now.astimezone(UTC):%Y-%m-%dT%H:%M}"))]


def _forget(domain: Domain, now: datetime) -> None:
    """Drop the days whose rows are gone."""
    asked_limits.forget(domain)
    samples_from, calls_from = _kept_from(domain, now)
    samples.forget(domain, samples_from)
    for table in (CallDay, QueueCallDay):
        table._default_manager.filter(domain=domain, day__lt=calls_from).delete()


def _kept_from(domain: Domain, now: datetime) -> tuple[date, date]:
    """The first day of which samples are kept, and that of calls."""
    times = (timedelta(days=domain.samples_kept_days), timedelta(days=domain.log_kept_days))
    of_samples, of_calls = (company_day.start(domain, now - time).date() for time in times)
    return of_samples, of_calls
