"""A usual company in a usual week: six queues, a bad Monday in support, and nights in which nothing happens."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from accounts.models import Domain
from wallboard.queues.models import Queue, Sample, Target
from wallboard.reports.period_parts import Period

ZONE = ZoneInfo("Europe/Berlin")
NAMES = ("Support", "Sales", "Billing", "Orders", "Returns and complaints", "Switchboard")
WEEK = Period(date(2026, 3, 2), date(2026, 3, 8), ZONE)
ADDRESS = "/reports/?first=2026-03-02&last=2026-03-08"
AFTER = datetime(2026, 3, 9, 9, tzinfo=ZONE)
LATE_FROM = 120


def usual_week(domain: Domain) -> list[Queue]:
    """Make it; gives the queues."""
    Target.objects.create(domain=domain, longest_wait_watch_seconds=60, longest_wait_late_seconds=LATE_FROM)
    queues = [
        Queue.objects.create(domain=domain, number=str(501 + index), name=name, order=index)
        for index, name in enumerate(NAMES)
    ]
    Sample.objects.bulk_create(
        [_sample(queue, place, minute) for place, queue in enumerate(queues) for minute in _minutes()], batch_size=2000
    )
    return queues


def _minutes() -> list[datetime]:
    """Every fifth minute: figures of a week without the weight of one."""
    days = [datetime.combine(WEEK.first + timedelta(days=day), time(), ZONE) for day in range(7)]
    return [day + timedelta(minutes=minute) for day in days for minute in range(0, 1440, 5)]


def _sample(queue: Queue, place: int, minute: datetime) -> Sample:
    wait = _wait(place, minute)
    return Sample(
        queue=queue, minute=minute, readings=12, waiting=1.0 if wait else 0.0, most_waiting=wait // 40,
        longest_wait_seconds=wait, average_wait_seconds=None, agents=4, least_available=1,
        watch_seconds=0.0, late_seconds=60.0 if wait >= LATE_FROM else 0.0, nobody_seconds=0.0,
    )  # fmt: skip


def _wait(place: int, minute: datetime) -> int:
    """Support is late on Monday and a little on Tuesday; nobody calls billing, and nobody at night and on Sunday."""
    if place == 2 or minute.weekday() == 6 or not 8 <= minute.hour < 17:
        return 0
    usual = 20 + 7 * ((minute.minute // 5 + minute.hour * 3 + place * 5) % 10)
    if place == 0 and minute.weekday() == 0:
        return usual + 30 * min(minute.hour - 7, 17 - minute.hour) + 60
    return usual + 60 if place == 0 and minute.weekday() == 1 and minute.hour == 10 else usual
