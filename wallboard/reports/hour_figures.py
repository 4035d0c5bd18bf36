"""Figures of queues by the hour, added up by the database: for the heat map and the trends of a report.

However many samples there are, a row per hour comes back (and per queue, for as few queues as trends are drawn of).
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import CharField, QuerySet
from django.db.models.functions import Cast, Substr

from wallboard.queues.level_minutes import minutes
from wallboard.queues.models import Queue, Sample
from wallboard.reports.day_figures import SUMS, Period, average_of, longest_of
from wallboard.reports.period_parts import Wall, wall

AN_HOUR = timedelta(hours=1)
OF_HOUR, OF_MINUTE = len("2026-03-04 11"), len("2026-03-04 11:00")  # of a moment as every database writes it


@dataclass(frozen=True, slots=True)
class HourFigures:
    """What queues showed in an hour; several hours add up, with the highest of what cannot be added."""

    late_seconds: float = 0
    nobody_seconds: float = 0
    most_waiting: int = 0
    longest_wait_seconds: int | None = 0
    measured_minutes: int = 0
    average_wait_seconds: int | None = 0

    def __add__(self, other: "HourFigures") -> "HourFigures":
        return HourFigures(
            self.late_seconds + other.late_seconds,
            self.nobody_seconds + other.nobody_seconds,
            max(self.most_waiting, other.most_waiting),
            _longer(self.longest_wait_seconds, other.longest_wait_seconds),
            self.measured_minutes + other.measured_minutes,
            _longer(self.average_wait_seconds, other.average_wait_seconds),
        )

    @property
    def late_minutes(self) -> int:
        return minutes(self.late_seconds)

    @property
    def nobody_minutes(self) -> int:
        return minutes(self.nobody_seconds)


def _longer(one: int | None, other: int | None) -> int | None:
    """The longer wait; unknown where nothing else is known than that elsewhere nobody waited."""
    return max(one or 0, other or 0) or (None if None in (one, other) else 0)


Hours = dict[Wall, HourFigures]


def together(queues: Collection[Queue], period: Period) -> Hours:
    """What these queues showed together in each hour in which at least one of them was measured."""
    found: Hours = {}
    for row in _rows(queues, period, "at"):
        _add(found, row, period)
    return found


def added(found: Mapping[int, Hours]) -> Hours:
    """What `together` gives, from what `by_queue` gave."""
    sums: Hours = {}
    for hours in found.values():
        for at, figures in hours.items():
            sums[at] = sums[at] + figures if at in sums else figures
    return sums


def by_queue(queues: Collection[Queue], period: Period) -> dict[int, Hours]:
    """The same for each of them, by its key."""
    found: dict[int, Hours] = {queue.pk: {} for queue in queues}
    for row in _rows(queues, period, "queue_id", "at"):
        _add(found[row["queue_id"]], row, period)
    return found


def _rows(queues: Collection[Queue], period: Period, *by: str) -> Iterator[dict[str, Any]]:
    samples = Sample.objects.filter(queue__in=queues, minute__gte=period.begin, minute__lt=period.end)
    # By the moment as text: SQLite has no function that knows time zones, and calls Python for each sample instead.
    at = Substr(Cast("minute", CharField()), 1, OF_HOUR if _has_whole_hours(period) else OF_MINUTE)
    rows: QuerySet[Any, Any] = samples.annotate(at=at).values(*by).annotate(**SUMS).order_by()
    return rows.iterator()


def _has_whole_hours(period: Period) -> bool:
    """Whether hours begin on the wall when they begin in UTC: in India they do not."""
    return all((day.begin.utcoffset() or AN_HOUR) % AN_HOUR == timedelta(0) for day in period.days)


def _add(found: Hours, row: dict[str, Any], period: Period) -> None:
    hour = wall(datetime.fromisoformat(row["at"]).replace(tzinfo=UTC), period).replace(minute=0)
    average = average_of(row)
    figures = HourFigures(row["late"], row["nobody"], row["most"], longest_of(row), row["measured"], average)
    found[hour] = found[hour] + figures if hour in found else figures
