"""How each queue went over a period, hour by hour or in a longer one day by day, beside its target: drawn as plain SVG.

All trends of one figure share a scale, so that queues can be compared. Lengths are in units of the picture.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from accounts.company_day import clock_text
from accounts.languages.dates import written as date_format
from wallboard.queues.models import Queue
from wallboard.queues.targets.levels import Standards, Targets
from wallboard.reports import hour_figures
from wallboard.reports.day_figures import QueueFigures
from wallboard.reports.figures import AVERAGE, FIGURES, LATE, LONGEST, MOST, Figure, Shown
from wallboard.reports.hour_figures import Hours
from wallboard.reports.period_parts import Period, Wall, hour_name, hours, is_a_week_at_most, wall

WIDTH, HEIGHT, TOP = 360, 140, 18  # of the plot in templates/reports/_trend.html; above it is room for a label
LEAST_STEP = 4  # between bars that are drawn apart
LEAST_TOP = 4  # so that one caller more or less does not look like a mountain
MOST_TRENDS = 12  # drawn; the figures of further queues stand in the tables
ROOM_ABOVE = 1.15  # of the highest value, so that a target line at the top still shows what it is
Values = dict[Wall, int]


@dataclass(frozen=True)
class Bar:
    """An hour or a day with something in it."""

    words: str
    x: float
    y: float
    width: float
    height: float
    is_over: bool


@dataclass(frozen=True)
class Tick:
    """A name below the plot, and where the line above it stands."""

    name: str
    x: float


@dataclass(frozen=True)
class Trend:
    """A queue's bars from left to right; the target line where the queue has a target for this figure."""

    queue: Queue
    figure: Figure
    bars: list[Bar]
    gaps: list[tuple[float, float]]
    ticks: list[Tick]
    most: str
    target: str = ""
    target_y: float | None = None


@dataclass(frozen=True)
class _Axis:
    """The hours or days from left to right, with their names."""

    moments: list[Wall]
    names: list[str]
    ticks: list[Tick]

    @property
    def step(self) -> float:
        return WIDTH / len(self.moments)

    @property
    def bar(self) -> float:
        """How wide a bar is: with space beside it, unless there are so many that the spaces would shimmer."""
        return round(self.step * (0.84 if self.step > LEAST_STEP else 1), 2)


def worst(rows: Sequence[QueueFigures], most: int = MOST_TRENDS) -> list[Queue]:
    """The queues of which a trend is drawn, or so many: those with the most trouble, in the company's order."""
    by_trouble = sorted(rows, key=lambda row: (-row.late_minutes, -(row.longest_wait_seconds or 0)))[:most]
    chosen = {row.queue.pk for row in by_trouble}
    return [row.queue for row in rows if row.queue.pk in chosen]


def of_queues(rows: Sequence[QueueFigures], queues: Sequence[Queue]) -> list[QueueFigures]:
    """The rows of these queues."""
    chosen = {queue.pk for queue in queues}
    return [row for row in rows if row.queue.pk in chosen]


def measured(
    queues: Sequence[Queue],
    totals: Sequence[QueueFigures],
    parts: Sequence[QueueFigures],
    figure: Figure,
    standards: Standards,
    period: Period,
    shown: Shown = FIGURES,
) -> tuple[list[Queue], dict[Figure, dict[int, Values]], Hours]:
    """Those of the queues of which trends are drawn, the values to draw, and every hour of all for the heat map.

    `totals` are of those that were measured.
    """
    drawn = worst(totals)
    columns = {figure_of(figure, standards.of(queue.number), shown) for queue in drawn}
    every_hour = None
    if is_a_week_at_most(period):
        of_queues = hour_figures.by_queue(drawn, period)
        values = {column: values_by_hour(of_queues, column) for column in columns}
        # The heaviest question of the page is not asked twice where all queues are drawn anyway.
        every_hour = hour_figures.added(of_queues) if len(drawn) == len(totals) else None
    else:
        values = {column: values_by_day(parts, period, column) for column in columns}
    if every_hour is None:
        every_hour = hour_figures.together(queues if totals else [], period)
    return drawn, values, every_hour


def values_by_hour(found: Mapping[int, Hours], figure: Figure) -> dict[int, Values]:
    """One figure of each hour, by the key of the queue."""
    return {
        pk: {at: int(value) for at, each in of.items() if (value := getattr(each, figure.column)) is not None}
        for pk, of in found.items()
    }


def values_by_day(rows: Sequence[QueueFigures], period: Period, figure: Figure) -> dict[int, Values]:
    """One figure of each day, by the key of the queue."""
    found: dict[int, Values] = {}
    for row in rows:
        value = getattr(row, figure.column)
        if row.at and value is not None:
            found.setdefault(row.queue.pk, {})[wall(row.at, period)] = int(value)
    return found


def figure_of(figure: Figure, targets: Targets, shown: Shown = FIGURES) -> Figure:
    """What is drawn of a queue: where the report is about time over target, the figure that the target is about."""
    if figure != LATE:
        return figure
    asked = ((LONGEST, targets.longest_wait), (AVERAGE, targets.average_wait), (MOST, targets.waiting))
    usual = LONGEST if LONGEST in shown.values() else MOST
    return next((each for each, (_watch, late) in asked if late is not None and each in shown.values()), usual)


def bound_of(figure: Figure, targets: Targets) -> int | None:
    """From which value on the queue is late; None where this figure has no target."""
    bounds = {LONGEST.column: targets.longest_wait, MOST.column: targets.waiting, AVERAGE.column: targets.average_wait}
    return bounds.get(figure.column, (None, None))[1]


def trends(
    queues: Sequence[Queue],
    values: Mapping[Figure, Mapping[int, Values]],
    figure: Figure,
    standards: Standards,
    period: Period,
    shown: Shown = FIGURES,
) -> tuple[list[Trend], list[Queue]]:
    """The trends of these queues, and the queues that have none: all is zero, or nothing was measured."""
    tops: dict[Figure, int] = {}
    full, empty = [], []
    for queue in queues:
        targets = standards.of(queue.number)
        drawn = figure_of(figure, targets, shown)
        own = values[drawn].get(queue.pk, {})
        if not any(own.values()):
            empty.append(queue)
            continue
        bound = bound_of(drawn, targets)
        tops[drawn] = max(tops.get(drawn, LEAST_TOP), bound or 0, *own.values())
        full.append((queue, drawn, own, bound))
    axis = _axis(period)
    return [_trend(queue, drawn, own, bound, tops[drawn], axis) for queue, drawn, own, bound in full], empty


def _trend(queue: Queue, figure: Figure, values: Values, bound: int | None, top: int, axis: _Axis) -> Trend:
    bars, gaps = [], []
    for index, at in enumerate(axis.moments):
        value = values.get(at)
        x = round(index * axis.step, 2)
        if value is None:
            gaps.append((x, round(axis.step, 2)))
        elif value:
            height = max(1.5, _height(value, top))  # something is never drawn as nothing
            words, is_over = f"{axis.names[index]}: {figure.format(value)}", bound is not None and value >= bound
            bars.append(Bar(words, x, round(TOP + HEIGHT - height, 2), axis.bar, height, is_over))
    most_at = max(values, key=lambda at: values[at])
    most = f"{figure.in_words(values[most_at])}, {axis.names[axis.moments.index(most_at)]}"
    if bound is None:
        return Trend(queue, figure, bars, gaps, axis.ticks, most)
    return Trend(
        queue, figure, bars, gaps, axis.ticks, most, figure.format(bound), round(TOP + HEIGHT - _height(bound, top), 2)
    )


def _height(value: int, top: int) -> float:
    return round(HEIGHT * value / (top * ROOM_ABOVE), 2)


def _axis(period: Period) -> _Axis:
    """Every sixth hour of a day is named, every day of a week, and about six days of a longer period."""
    if is_a_week_at_most(period):
        moments = hours(period)
        names = [hour_name(at, period) for at in moments]
        every = 6 if period.is_one_day else 24
        short = [clock_text(period.clock, at) if period.is_one_day else date_format(at, "D") for at in moments]
    else:
        moments = [wall(day.begin, period) for day in period.days]
        names, every = [date_format(at, "D j M") for at in moments], -(-len(moments) // 6)
        short = [date_format(at, "j M") for at in moments]
    step = WIDTH / len(moments)
    ticks = [Tick(short[index], round(index * step, 2)) for index in range(0, len(moments), every)]
    return _Axis(moments, names, ticks)
