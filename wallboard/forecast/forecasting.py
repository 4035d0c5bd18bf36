"""A company's forecasts: days counted, the next hour of each queue calculated, both stored."""

from collections.abc import Collection
from datetime import date, datetime

from django.utils import timezone

from accounts import company_day, leases
from accounts.models import Domain
from wallboard.calibration import locks
from wallboard.figures import phrases
from wallboard.forecast import accuracy, history
from wallboard.forecast.accuracy import Made
from wallboard.forecast.calls_ahead import WEEKS
from wallboard.forecast.courses import DAY, QUARTER
from wallboard.forecast.models import CountedDay, ForecastDay, NextHour
from wallboard.forecast.outlook import Asked, outlook, window_at
from wallboard.queues.hours import calendar
from wallboard.queues.models import Queue
from wallboard.queues.targets import levels

# Of each queue by itself: without legs to it nobody can say how many called it.
CALL_NEEDS: locks.Needs = phrases.CALLS_OF_QUEUES
WAIT_NEEDS: locks.Needs = phrases.CALLERS_OF_QUEUES
LEASE_SECONDS = 240.0
DAYS_AT_ONCE = 4  # of the past that are counted in one run
SETTLED_SECONDS = 45  # events of a quarter come a little later


def countable(domain_ids: Collection[int]) -> list[int]:
    """Of these companies those whose calls to each queue can be counted at all, in one query."""
    return [pk for pk, ground in locks.grounds(domain_ids, CALL_NEEDS).items() if ground.is_firm]


def update(domain: Domain, now: datetime | None = None) -> None:
    """Count what is missing, and forecast anew when another quarter of an hour has begun. One at a time."""
    lease = leases.acquire(f"forecast:{domain.pk}", LEASE_SECONDS)
    if lease is None:
        return
    with lease:
        now = now or timezone.now()
        if not locks.ground(domain.pk, CALL_NEEDS).is_firm:
            return
        every_queue = list(Queue.objects.filter(domain=domain))
        queues = [queue for queue in every_queue if not queue.is_hidden]
        waits = locks.ground(domain.pk, WAIT_NEEDS)
        from_music, gaps = waits.answers["queue_leg_answered"] == "answered", waits.gaps
        today = now.astimezone(company_day.zone_of(domain)).date()
        # Hidden ones too: one that is shown again has its weeks.
        missing = history.missing_days(domain, every_queue, now, WEEKS, from_music=from_music, gaps=gaps)
        for day in missing[:DAYS_AT_ONCE]:
            history.count(domain, every_queue, day, from_music=from_music, now=now, gaps=gaps)
            ForecastDay.objects.filter(queue__in=every_queue, day=day).update(seen=None)
        _compare(queues, today, set(missing[DAYS_AT_ONCE:]))
        begins_at = quarter_begin(now)
        is_due = (now - begins_at).total_seconds() >= SETTLED_SECONDS
        done = NextHour.objects.filter(queue__in=queues, begins_at=begins_at).count()
        if queues and is_due and (missing or done < len(queues)):
            history.count(domain, queues, today, from_music=from_music, now=now, gaps=gaps)
            _forecast(domain, queues, begins_at, now)
        for table in (CountedDay, ForecastDay):
            table.objects.filter(queue__domain=domain, day__lt=today - (WEEKS + 1) * 7 * DAY).delete()


def _compare(queues: list[Queue], today: date, uncounted: set[date]) -> None:
    """Hold forecasts of past days against what came, once these are counted."""
    waiting = ForecastDay.objects.filter(queue__in=queues, day__lt=today, seen=None)
    days = sorted(set(waiting.values_list("day", flat=True)) - uncounted, reverse=True)
    for day in days[:DAYS_AT_ONCE]:
        accuracy.compare(queues, day)


def quarter_begin(now: datetime) -> datetime:
    """The quarter of the hour that is under way; zones differ by whole quarters."""
    return now - (now - now.replace(minute=0, second=0, microsecond=0)) % QUARTER


def _forecast(domain: Domain, queues: list[Queue], begins_at: datetime, now: datetime) -> None:
    zone, schedule, standards = company_day.zone_of(domain), calendar.schedule(domain), levels.standards(domain.pk)
    with_waits = locks.ground(domain.pk, WAIT_NEEDS).is_firm
    days = history.stored(queues, begins_at.astimezone(zone).date() - WEEKS * 7 * DAY)
    made = {}
    for queue in queues:
        asked = Asked(queue.number, begins_at, zone, standards.of(queue.number).longest_wait[1])
        found = outlook(asked, days[queue.pk], schedule, with_waits=with_waits)
        values = {"begins_at": begins_at, "made_at": now, "outlook": found}
        NextHour.objects.update_or_create(queue=queue, defaults=values)
        if found.calls is not None:
            made[queue] = Made(sum(window_at(asked, schedule).minutes), found.calls)
    accuracy.keep(begins_at.astimezone(zone), made)
