"""Two periods side by side: the days of a report beside the same weekdays before, each figure with its difference."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from django.utils.translation import gettext as _

from wallboard.figures.of_reports import FIGURES as TOLD
from wallboard.reports.day_figures import CallDay, QueueFigures
from wallboard.reports.figures import LATE, LONGEST, MOST, NOBODY, Figure, Shown, Text
from wallboard.reports.period_parts import Period

A_WEEK = timedelta(days=7)
CHOICES = {"before": timedelta(0), "year": 52 * A_WEEK}  # by their names in addresses; 0: as many weeks as it is long
OF_QUEUES = (LATE, NOBODY, MOST, LONGEST)
MEASURED = "reports.measured"
MUCH_LONGER = 0.1  # of the minutes that were measured
Number = Callable[[int | None], str]


@dataclass(frozen=True)
class Line:
    """A figure, or a queue, in both periods as people read it; `is_worse` judges the difference where one can.

    Where nothing was measured, or a wait is not known, there is no difference. Beside zero there is none in percent,
    and none that is judged either where one side was measured for longer than the other.
    """

    name: object
    key: str
    now: str
    then: str
    difference: str = ""
    percent: str = ""
    is_worse: bool | None = None


def earlier(period: Period, choice: str) -> Period:
    """The days beside which these stand: whole weeks before, so that weekdays meet."""
    weeks = -(-((period.last - period.first).days + 1) // 7)
    back = CHOICES[choice] or weeks * A_WEEK
    return replace(period, first=_before(period.first, back), last=_before(period.last, back))


def of_queues(now: Sequence[QueueFigures], then: Sequence[QueueFigures], shown: Shown) -> list[Line]:
    """What the queues showed together: minutes of all of them, and the highest of what cannot be added."""
    figures = {name: each for name, each in shown.items() if each in OF_QUEUES}
    ours, theirs = (max((row.measured_minutes for row in rows), default=0) for rows in (now, then))
    lines = [
        _line(each.label, f"reports.{name}", _together(now, each), _together(then, each), each.format)
        for name, each in figures.items()
    ]
    measured = _line(TOLD[MEASURED].name, MEASURED, ours or None, theirs or None, LATE.format, is_bad=None)
    return [*_judged(lines, ours, theirs), measured]


def of_calls(now: Iterable[CallDay], then: Iterable[CallDay]) -> list[Line]:
    """Calls from outside. Days of which nothing is told are not held against others."""
    now, then = list(now), list(then)
    is_told = all(day.is_told for day in (*now, *then))
    lines = []
    for name in ("ended", "answered", "unanswered"):
        ours, theirs = (_told_together(days, name) for days in (now, then))
        key = f"outside.{name}"
        told = _("Calls from outside: %(figure)s") % {"figure": TOLD[key].name}
        line = _line(told, key, ours, theirs, str, is_bad={"unanswered": True}.get(name))
        lines.append(line if is_told else replace(line, difference="", percent="", is_worse=None))
    return lines


def _told_together(days: Iterable[CallDay], name: str) -> int | None:
    told: list[int] = [getattr(day.calls, name) for day in days if day.is_told]
    return sum(told) if told else None


def by_queue(now: Sequence[QueueFigures], then: Sequence[QueueFigures], name: str, figure: Figure) -> list[Line]:
    """One figure of each queue that was measured in either period."""
    ours, theirs = ({row.queue: row for row in rows} for rows in (now, then))
    found = []
    for queue in {**ours, **theirs}:
        our, their = ours.get(queue), theirs.get(queue)
        line = _line(queue, f"reports.{name}", _value(our, figure), _value(their, figure), figure.format)
        found += _judged([line], _minutes_of(our), _minutes_of(their))
    return found


def _minutes_of(row: QueueFigures | None) -> int:
    return row.measured_minutes if row else 0


def _judged(lines: list[Line], ours: int, theirs: int) -> list[Line]:
    """The lines, without a judgement where one side was measured for much longer, in minutes."""
    if abs(ours - theirs) <= MUCH_LONGER * max(ours, theirs):
        return lines
    return [replace(line, percent="", is_worse=None) for line in lines]


def _value(row: QueueFigures | None, figure: Figure) -> int | None:
    value: int | None = None if row is None else getattr(row, figure.column)
    return value


def _together(rows: Sequence[QueueFigures], figure: Figure) -> int | None:
    values: list[int | None] = [getattr(row, figure.column) for row in rows]
    known = [value for value in values if value is not None]
    if not known or (len(known) < len(values) and not any(known)):
        return None
    return sum(known) if figure in (LATE, NOBODY) else max(known)


def _line(
    name: Text | Any, key: str, now: int | None, then: int | None, write: Number, *, is_bad: bool | None = True
) -> Line:
    line = Line(name, key, "–" if now is None else write(now), "–" if then is None else write(then))
    if now is None or then is None:
        return line
    change = now - then
    sign = "+" if change > 0 else "−" if change else ""
    percent = f"{sign}{abs(change) / then * 100:.0f} %" if then and change else ""
    is_worse = None if is_bad is None or not change else (change > 0) == is_bad
    return replace(line, difference=f"{sign}{write(abs(change))}", percent=percent, is_worse=is_worse)


def _before(day: date, back: timedelta) -> date:
    return max(day - back, date(2000, 1, 1))
