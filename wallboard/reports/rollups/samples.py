"""Samples of queues added up: by the worker for days that are over, and from the samples themselves for the others.

Each row is what SUMS makes of some samples, whether they were added up before or are now.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db import transaction
from django.db.models import CharField, Count, IntegerField, Max, Q, QuerySet, Sum, Value
from django.db.models.functions import Cast, Substr, TruncHour

from accounts.models import Domain
from wallboard.queues.level_minutes import LEVEL_SUMS
from wallboard.queues.models import Queue, Sample
from wallboard.reports.models import QueueDay, QueueHour, SampleDay
from wallboard.reports.period_parts import Period, Wall, wall
from wallboard.reports.rollups import days
from wallboard.reports.rollups import shown as shown_queues
from wallboard.reports.rollups.packed import pack, unpack

SUMS = {
    **LEVEL_SUMS,
    "most": Max("most_waiting"),
    "longest": Max("longest_wait_seconds"),
    "average": Max("average_wait_seconds"),
    "untold": Count("id", filter=Q(longest_wait_seconds=None)),
    "untold_average": Count("id", filter=Q(average_wait_seconds=None, most_waiting__gt=0)),
}
OF_SUMS = {  # the same of rows that were added up before
    "late": Sum("late_seconds"),
    "watch": Sum("watch_seconds"),
    "nobody": Sum("nobody_seconds"),
    "measured": Sum("measured_minutes"),
    "most": Max("most_waiting"),
    "longest": Max("longest_wait_seconds"),
    "average": Max("average_wait_seconds"),
    "untold": Sum("untold_waits"),
    "untold_average": Sum("untold_averages"),
}
COLUMNS = {
    "late": "late_seconds",
    "watch": "watch_seconds",
    "nobody": "nobody_seconds",
    "measured": "measured_minutes",
    "most": "most_waiting",
    "longest": "longest_wait_seconds",
    "average": "average_wait_seconds",
    "untold": "untold_waits",
    "untold_average": "untold_averages",
}
SECONDS = ("late", "watch", "nobody")  # of samples to the thousandth: more digits are what adding left behind
HIGHEST = ("most", "longest", "average")
AN_HOUR = timedelta(hours=1)
OF_HOUR, OF_MINUTE = len("2026-03-04 11"), len("2026-03-04 11:00")  # of a moment as every database writes it
AT_ONCE = 2000
Row = dict[str, Any]


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
        found += _added(days_of, OF_SUMS, "queue_id")
    for each in split.others:
        found += _added(samples_of(shown(domain), each), SUMS, "queue_id")
    return _joined(found, "queue_id")


def by_hour(domain: Domain, day: Period, only: Collection[int] | None = None) -> list[Row]:
    """A row per queue and hour of one day, `at` is when it begins; of these queues, by their keys, or of all."""
    split = _split(domain, day)
    queues = shown(domain) if only is None else shown(domain).filter(pk__in=only)
    if split.left_out:
        return []
    if split.rolled:
        rows = QueueHour.objects.filter(queue__in=queues, day=day.first)
        found = _added(rows, OF_SUMS, "queue_id", "day", "hour")
        return sorted(({**row, "at": _wall(day, row).replace(tzinfo=day.zone)} for row in found), key=_at)
    hours = samples_of(queues, day).annotate(at=TruncHour("minute", tzinfo=day.zone))
    return list(_added(hours, SUMS, "queue_id", "at").order_by("at"))


def by_day(domain: Domain, period: Period, only: Collection[int] | None = None) -> list[Row]:
    """A row per queue and day, `at` is when it begins; of these queues, by their keys, or of all."""
    split, found = _split(domain, period), []
    queues = shown(domain) if only is None else shown(domain).filter(pk__in=only)
    if split.rolled:
        begins = {day.first: day.begin for day in period.days}
        rows = QueueDay.objects.filter(queue__in=queues, day__in=split.rolled)
        found += [{**row, "at": begins[row["day"]]} for row in _added(rows, OF_SUMS, "queue_id", "day")]
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
    return [{**row, "at": begins[week]} for week, of_week in weeks.items() for row in _joined(of_week, "queue_id")]


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
    if rest and not by_queue and _are_all(domain, queues, rest):
        for day, hours in _together(domain, rest).items():
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
        hours[key] = _sum(hours[key], row) if key in hours else row
        of_days[key[0]] = _sum(of_days[key[0]], row) if key[0] in of_days else row
    with transaction.atomic():
        of_queues = Queue.objects.filter(domain=domain).order_by().values("pk")
        for table in (QueueHour, QueueDay):
            table._default_manager.filter(day=day.first, queue__in=of_queues).delete()
        QueueDay.objects.bulk_create(
            [QueueDay(queue_id=key, day=day.first, **_values(row)) for key, row in of_days.items()], AT_ONCE
        )
        QueueHour.objects.bulk_create(
            [QueueHour(queue_id=key, day=day.first, hour=hour, **_values(row)) for (key, hour), row in hours.items()],
            AT_ONCE,
        )
        stamp = days.clock_stamp(domain) + until
        columns = {"stamp": stamp, **_of_shown(domain, day.first, stamp)}
        SampleDay.objects.update_or_create(domain=domain, day=day.first, defaults=columns)


def renew(domain: Domain, day: date) -> None:
    """Add up that day for the queues that are shown now, from what is kept of it."""
    with transaction.atomic():
        row = SampleDay.objects.select_for_update().filter(domain=domain, day=day).first()
        if row is not None:
            SampleDay.objects.filter(pk=row.pk).update(**_of_shown(domain, day, row.stamp))


def _of_shown(domain: Domain, day: date, stamp: str) -> dict[str, Any]:
    """The columns of a day that hold what all shown queues showed together."""
    hours = _added(QueueHour.objects.filter(queue__in=shown(domain), day=day), OF_SUMS, "hour")
    made_for = shown_queues.of_row(stamp, shown_queues.queues_key(shown_queues.queues(domain)))
    return {"shown": made_for, "together": pack(list(hours))}


def _together(domain: Domain, among: Collection[date]) -> dict[date, list[Row]]:
    """The hours of all shown queues together, of those days of which they were added up."""
    key = shown_queues.queues_key(shown_queues.queues(domain))
    rows = SampleDay.objects.filter(domain=domain, day__in=among).values_list("day", "stamp", "shown", "together")
    return {
        day: unpack(stored, list[Row])
        for day, stamp, made_for, stored in rows
        if stored is not None and made_for == shown_queues.of_row(stamp, key)
    }


def _are_all(domain: Domain, queues: Collection[Queue], among: Collection[date]) -> bool:
    """Whether no other queue that is shown was measured on these days."""
    others = shown(domain).exclude(pk__in=[queue.pk for queue in queues]).values("pk")
    return not QueueDay.objects.filter(queue__in=others, day__in=among).exists()


def forget(domain: Domain, before: date) -> None:
    """Drop the days before that one."""
    of_queues = Queue.objects.filter(domain=domain).order_by().values("pk")
    for table in (QueueHour, QueueDay):
        table._default_manager.filter(queue__in=of_queues, day__lt=before).delete()
    SampleDay.objects.filter(domain=domain, day__lt=before).delete()


def longest_of(row: Row) -> int | None:
    """The longest wait of a row of SUMS; what is known of it may be only that nobody waited at other times."""
    return row["longest"] or (None if row["untold"] else 0)


def average_of(row: Row) -> int | None:
    """The same for the highest average wait."""
    return round(row["average"] or 0) or (None if row["untold_average"] else 0)


def _split(domain: Domain, period: Period) -> days.Split:
    return days.split(domain, period, SampleDay, days.clock_stamp(domain))


def _added(rows: QuerySet[Any], sums: dict[str, Any], *by: str) -> QuerySet[Any, Any]:
    """The rows added up, one for each of these."""
    found: QuerySet[Any, Any] = rows.values(*by).annotate(**sums).order_by()
    return found


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


def _joined(rows: Iterable[Row], key: str) -> list[Row]:
    found: dict[Any, Row] = {}
    for row in rows:
        found[row[key]] = _sum(found[row[key]], row) if row[key] in found else row
    return list(found.values())


def _sum(one: Row, other: Row) -> Row:
    """Two rows of sums as one."""
    found = dict(one)
    for name in COLUMNS:
        if name in HIGHEST:
            found[name] = max((each[name] for each in (one, other) if each[name] is not None), default=None)
        else:
            found[name] = (one[name] or 0) + (other[name] or 0)
    return found


def _values(row: Row) -> Row:
    return {column: round(row[name], 3) if name in SECONDS else row[name] for name, column in COLUMNS.items()}
