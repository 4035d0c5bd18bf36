"""Samples of queues added up: by the worker for days that are over, and from the samples themselves for the others.

Each row is what SUMS makes of some samples, whether they were added up before or are now.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db import transaction
from django.db.models import CharField, IntegerField, QuerySet, Value
from django.db.models.functions import Cast, Substr, TruncHour

from accounts.models import Domain
from wallboard.queues.models import Queue, Sample
from wallboard.reports.models import QueueDay, QueueHour, SampleDay
from wallboard.reports.period_parts import Period, Wall, wall
from wallboard.reports.rollups import days, hours_of_sets
from wallboard.reports.rollups.sample_sums import OF_SUMS, SUMS, Row, add, added, joined, values

AN_HOUR = timedelta(hours=1)
OF_HOUR, OF_MINUTE = len("2026-03-04 11"), len("2026-03-04 11:00")  # of a moment as every database writes it
AT_ONCE = 2000


def samples_of(queues: Any, period: Period) -> QuerySet[Sample]:
    """What was measured of these queues in that time."""
    return Sample.objects.filter(queue__in=queues, minute__gte=period.begin, minute__lt=period.end)


def shown(domain: Domain) -> QuerySet[Queue]:
    """The company's queues that are not hidden."""
    return Queue.objects.filter(domain=domain, is_hidden=False).order_by()


def totals(domain: Domain, period: Period) -> list[Row]:
    """A row per queue over the whole period."""
    split = _split(domain, period)
    found: list[Row] = []
    if split.rolled:
        days_of = QueueDay.objects.filter(queue__in=shown(domain), day__in=split.rolled)
        found += added(days_of, OF_SUMS, "queue_id")
    for each in split.others:
        found += added(samples_of(shown(domain), each), SUMS, "queue_id")
    return joined(found, "queue_id")


def by_hour(domain: Domain, day: Period, only: Collection[int] | None = None) -> list[Row]:
    """A row per queue and hour of one day, `at` is when it begins; of these queues, by their keys, or of all."""
    split = _split(domain, day)
    queues = shown(domain) if only is None else shown(domain).filter(pk__in=only)
    if split.left_out:
        return []
    if split.rolled:
        rows = QueueHour.objects.filter(queue__in=queues, day=day.first)
        found = added(rows, OF_SUMS, "queue_id", "day", "hour")
        return sorted(({**row, "at": _wall(day, row).replace(tzinfo=day.zone)} for row in found), key=_at)
    hours = samples_of(queues, day).annotate(at=TruncHour("minute", tzinfo=day.zone))
    return list(added(hours, SUMS, "queue_id", "at").order_by("at"))


def by_day(domain: Domain, period: Period, only: Collection[int] | None = None) -> list[Row]:
    """A row per queue and day, `at` is when it begins; of these queues, by their keys, or of all."""
    split, found = _split(domain, period), []
    queues = shown(domain) if only is None else shown(domain).filter(pk__in=only)
    if split.rolled:
        begins = {day.first: day.begin for day in period.days}
        rows = QueueDay.objects.filter(queue__in=queues, day__in=split.rolled)
        found += [{**row, "at": begins[row["day"]]} for row in added(rows, OF_SUMS, "queue_id", "day")]
    others = [day for each in split.others for day in each.days]
    if others:
        # A company's day begins at any hour and is not always as long, so no function of the database groups by it.
        first, *more = (_totals_of(queues, day, index) for index, day in enumerate(others))
        found += [{**row, "at": others[row["day"]].begin} for row in first.union(*more, all=True)]
    return sorted(found, key=_at)


def by_week(rows: Iterable[Row], period: Period) -> list[Row]:
    """Rows of `by_day` as a row per queue and week: `at` is when its first day within the period begins.

    Weeks begin on Monday.
    """
    weeks: dict[date, list[Row]] = defaultdict(list)
    for row in rows:
        day = _at(row).date()
        weeks[max(day - timedelta(days=day.weekday()), period.first)].append(row)
    begins = {day.first: day.begin for day in period.days}
    return [{**row, "at": begins[week]} for week, of_week in weeks.items() for row in joined(of_week, "queue_id")]


def count_parts(domain: Domain, period: Period, only: Collection[int]) -> int | None:
    """How many rows `by_hour` or `by_day` gives of these queues; None where that is known only when they are there."""
    split = _split(domain, period)
    if split.others:
        return None
    table = QueueHour if period.is_one_day else QueueDay
    return table._default_manager.filter(queue__in=only, day__in=split.rolled).count()


def by_wall_hour(queues: Collection[Queue], period: Period, *, by_queue: bool) -> Iterator[Row]:
    """Rows per hour of the wall as `at`, and per queue where that is asked; an hour may have several rows."""
    if not queues:
        return
    domain = next(iter(queues)).domain
    split = _split(domain, period)
    own = ("queue_id",) if by_queue else ()
    rest = split.rolled
    if not by_queue:
        for day, hours in hours_of_sets.of_days(domain, queues, rest):
            yield from ({**row, "at": _wall(period, {**row, "day": day})} for row in hours)
            rest = [each for each in rest if each != day]
    if rest:
        rows = QueueHour.objects.filter(queue__in=queues, day__gte=rest[0], day__lte=rest[-1])
        if (rest[-1] - rest[0]).days >= len(rest):
            rows = rows.filter(day__in=rest)
        for row in rows.values(*own, "day", "hour").annotate(**OF_SUMS).order_by().iterator():
            yield {**row, "at": _wall(period, row)}
    for each in split.others:
        yield from _raw_hours(queues, each, *own)


def roll(domain: Domain, day: Period, until: str = "") -> None:
    """Add up that day of all of the company's queues, hidden ones too, and keep it; `until` ends its stamp."""
    hours: dict[tuple[int, int], Row] = {}
    of_days: dict[int, Row] = {}
    for row in _raw_hours(Queue.objects.filter(domain=domain).order_by(), day, "queue_id"):
        key = row["queue_id"], row["at"].hour
        hours[key] = add(hours[key], row) if key in hours else row
        of_days[key[0]] = add(of_days[key[0]], row) if key[0] in of_days else row
    with transaction.atomic():
        of_queues = Queue.objects.filter(domain=domain).order_by().values("pk")
        for table in (QueueHour, QueueDay):
            table._default_manager.filter(day=day.first, queue__in=of_queues).delete()
        QueueDay.objects.bulk_create(
            [QueueDay(queue_id=key, day=day.first, **values(row)) for key, row in of_days.items()], AT_ONCE
        )
        QueueHour.objects.bulk_create(
            [QueueHour(queue_id=key, day=day.first, hour=hour, **values(row)) for (key, hour), row in hours.items()],
            AT_ONCE,
        )
        stamp = days.clock_stamp(domain) + until
        columns = {"stamp": stamp, **hours_of_sets.columns(domain, day.first, stamp)}
        SampleDay.objects.update_or_create(domain=domain, day=day.first, defaults=columns)


def forget(domain: Domain, before: date) -> None:
    """Drop the days before that one."""
    of_queues = Queue.objects.filter(domain=domain).order_by().values("pk")
    for table in (QueueHour, QueueDay):
        table._default_manager.filter(queue__in=of_queues, day__lt=before).delete()
    SampleDay.objects.filter(domain=domain, day__lt=before).delete()


def _split(domain: Domain, period: Period) -> days.Split:
    return days.split(domain, period, SampleDay, days.clock_stamp(domain))


def _totals_of(queues: QuerySet[Queue], day: Period, index: int) -> QuerySet[Any, Any]:
    rows = samples_of(queues, day).values("queue_id")
    return rows.annotate(**SUMS, day=Value(index, IntegerField())).order_by()


def _raw_hours(queues: Any, period: Period, *by: str) -> Iterator[Row]:
    # By the moment as text: SQLite has no function that knows time zones, and calls Python for each sample instead.
    at = Substr(Cast("minute", CharField()), 1, OF_HOUR if _has_whole_hours(period) else OF_MINUTE)
    rows: QuerySet[Any, Any] = samples_of(queues, period).annotate(at=at).values(*by, "at").annotate(**SUMS).order_by()
    for row in rows.iterator():
        yield {**row, "at": wall(datetime.fromisoformat(row["at"]).replace(tzinfo=UTC), period).replace(minute=0)}


def _has_whole_hours(period: Period) -> bool:
    """Whether hours begin on the wall when they begin in UTC: in India they do not, on Lord Howe Island at times."""
    moments = [*(day.begin for day in period.days), period.end]
    return all((each.utcoffset() or AN_HOUR) % AN_HOUR == timedelta(0) for each in moments)


def _wall(period: Period, row: Row) -> Wall:
    """When an hour of a company's day begins: hours before the day's own belong to the next date."""
    day, hour = row["day"], row["hour"]
    return datetime.combine(day + timedelta(days=hour < period.starts_hour), time(hour))


def _at(row: Row) -> datetime:
    found: datetime = row["at"]
    return found
