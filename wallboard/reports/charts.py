"""Figures of queues over the hours of a day or the days of a period, as charts that are drawn as plain SVG.

All charts of a report share one scale, so that queues can be compared. Lengths are in units of the picture.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.company_day import clock_text
from wallboard.desk.time_phrases import duration
from wallboard.queues.models import Queue
from wallboard.reports.day_figures import Period, QueueFigures

STEP, BAR, HEIGHT = 10, 8, 60
MIN_TOP = 4  # so that one minute more or less does not look like a mountain
Format = Callable[[int], str]


@dataclass(frozen=True)
class Figure:
    """What a chart may show: an attribute of QueueFigures, what it is called, and how a value of it is written."""

    column: str
    label: str | Promise
    format: Format


def minutes(count: int) -> str:
    return gettext("%(count)s min") % {"count": count}


FIGURES = {
    "late": Figure("late_minutes", _("Minutes over target"), minutes),
    "nobody": Figure("nobody_minutes", _("Minutes with callers and nobody available"), minutes),
    "longest": Figure("longest_wait_seconds", _("Longest wait"), duration),
    "most": Figure("most_waiting", _("Most waiting"), str),
}


@dataclass(frozen=True)
class Bar:
    """One hour or day; `value` is None where nothing was measured, `text` is the value as text."""

    at: str
    value: int | None
    text: str
    x: int
    y: int
    height: int


@dataclass(frozen=True)
class Chart:
    """A queue's bars from left to right; `most` is the highest of them, None where all are nothing."""

    queue: Queue
    bars: list[Bar]
    most: Bar | None

    @property
    def width(self) -> int:
        return STEP * len(self.bars)

    @property
    def ends(self) -> tuple[str, str, str]:
        """What stands below it: its first, middle and last hour or day."""
        return self.bars[0].at, self.bars[len(self.bars) // 2].at, self.bars[-1].at


def charts(rows: list[QueueFigures], period: Period, figure: Figure) -> list[Chart]:
    """One chart per queue, in the order of the rows."""
    found = {(row.queue.pk, _wall(row.at, period)): int(getattr(row, figure.column)) for row in rows if row.at}
    top = max([MIN_TOP, *found.values()])
    queues = {row.queue.pk: row.queue for row in rows}.values()
    return [
        _chart(
            queue,
            [(label(at, period), found.get((queue.pk, _wall(at, period)))) for at in moments(period)],
            top,
            figure,
        )
        for queue in queues
    ]


def moments(period: Period) -> list[datetime]:
    """When the hours of a single day, or the days of a longer period, begin by the clock on the wall."""
    if period.is_one_day:
        # Adding to a local time moves the clock on the wall: 24 bars, also on the days on which clocks change.
        return [period.begin + timedelta(hours=hour) for hour in range(24)]
    return [day.begin for day in period.days]


def label(at: datetime, period: Period) -> str:
    """An hour of a day, or a day of a longer period, as it stands below a chart and above a column."""
    local = at.astimezone(period.zone)
    return clock_text(period.clock, local) if period.is_one_day else date_format(local, "j M")


def _wall(at: datetime, period: Period) -> datetime:
    """What the clock on the wall shows: the hour that a day has twice is one."""
    return at.astimezone(period.zone).replace(tzinfo=None)


def _chart(queue: Queue, values: list[tuple[str, int | None]], top: int, figure: Figure) -> Chart:
    bars = [_bar(index, at, value, top, figure) for index, (at, value) in enumerate(values)]
    highest = max((bar for bar in bars if bar.value), key=lambda bar: bar.value or 0, default=None)
    return Chart(queue, bars, highest)


def _bar(index: int, at: str, value: int | None, top: int, figure: Figure) -> Bar:
    text = str(_("not measured")) if value is None else figure.format(value)
    # Something is never drawn as nothing.
    height = max(1, round(HEIGHT * value / top)) if value else 0
    return Bar(at, value, text, STEP * index + (STEP - BAR) // 2, HEIGHT - height, height)
