"""Figures of queues by the hour, added up by the database: for the heat map and the trends of a report.

However many samples there are, a row per hour comes back (and per queue, for as few queues as trends are drawn of).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from wallboard.queues.level_minutes import minutes
from wallboard.queues.models import Queue
from wallboard.reports.period_parts import Period, Wall
from wallboard.reports.rollups import samples
from wallboard.reports.rollups.sample_sums import Row, average_of, longest_of


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
    for row in samples.by_wall_hour(queues, period, by_queue=False):
        _add(found, row)
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
    for row in samples.by_wall_hour(queues, period, by_queue=True):
        _add(found[row["queue_id"]], row)
    return found


def _add(found: Hours, row: Row) -> None:
    hour, average = row["at"], average_of(row)
    late, nobody = round(row["late"], 3), round(row["nobody"], 3)
    figures = HourFigures(late, nobody, row["most"], longest_of(row), row["measured"], average)
    found[hour] = found[hour] + figures if hour in found else figures
