"""The heat map of a report: a row per day, or per day of the week in a longer period, and a column per hour."""

from dataclasses import dataclass, field
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.company_day import clock_text
from accounts.languages.dates import written as date_format
from accounts.languages.lists import listed
from wallboard.reports.figures import FIGURES, LATE, Figure, Shown
from wallboard.reports.hour_figures import HourFigures, Hours
from wallboard.reports.period_parts import HOUR, Period, Wall, hour_range, is_a_week_at_most, wall

LEAST_HOURS = 8  # so that a quiet day does not shrink to one column
LATE_SHARES = (0, 0.05, 0.15, 0.4)  # of an hour's measured time: where each shade begins
SHARES = (0, 0.25, 0.5, 0.75)  # of the highest value on the map
DAY_HOURS = 24


@dataclass(frozen=True)
class Cell:
    """One hour: its shade from 0 to 4, the value in short, and everything about it in words; empty if not measured.

    `is_to_come`: it has not begun on any of the days, so there is nothing to say about it.
    """

    words: str
    text: str = ""
    shade: int = 0
    is_measured: bool = False
    is_to_come: bool = False


@dataclass(frozen=True)
class Row:
    """A day, or all days of that name."""

    name: str
    cells: list[Cell]


@dataclass(frozen=True)
class HeatMap:
    """`hours` head the columns; `quiet` says in words which are left out because nothing happened in them.

    `is_by_weekday`: a row is all days of that name.
    """

    rows: list[Row]
    hours: list[str] = field(default_factory=list)
    quiet: str = ""
    is_by_weekday: bool = False
    highest: str = ""


@dataclass
class _Day:
    """A row on its way: its figures by hours since the company's day began, and over how many days they go.

    `begin` is when the first of them began.
    """

    name: str
    full_name: str
    begin: Wall
    hours: dict[int, HourFigures] = field(default_factory=dict)
    days: int = 0


def heat_map(hours: Hours, period: Period, now: datetime, figure: Figure, shown_figures: Shown = FIGURES) -> HeatMap:
    """The map of a figure, from what the queues showed together in each hour; without rows if nothing was measured."""
    if not hours:
        return HeatMap([])
    days = _days(hours, period)
    shown = _shown_hours(days)
    ordered = [figure, *(each for each in shown_figures.values() if each != figure)]
    highest = max(_value(each, figure) for day in days for each in day.hours.values())
    until = wall(now, period)
    rows = [Row(day.name, [_cell(day, at, period, until, ordered, highest) for at in shown]) for day in days]
    heads = [clock_text(period.clock, _begin(at, period)).replace(":00", "") for at in shown]
    return HeatMap(rows, heads, _quiet(days, shown, period), not is_a_week_at_most(period), figure.format(highest))


def _days(hours: Hours, period: Period) -> list[_Day]:
    """The rows in order: the days themselves, or Monday to Sunday."""
    is_by_date = is_a_week_at_most(period)
    days: dict[int, _Day] = {}
    for index, each in enumerate(period.days):
        begin = wall(each.begin, period)
        name, full_name = date_format(begin, "D j M" if is_by_date else "D"), date_format(begin, "l j F")
        place = index if is_by_date else begin.weekday()
        day = days.setdefault(place, _Day(name, full_name if is_by_date else date_format(begin, "l"), begin))
        day.days += 1
        for at in range(DAY_HOURS):
            if figures := hours.get(begin + at * HOUR):
                day.hours[at] = day.hours.get(at, HourFigures()) + figures
    return [days[place] for place in sorted(days)]


def _shown_hours(days: list[_Day]) -> range:
    """From the first hour in which anything happened to the last."""
    busy = [at for day in days for at, figures in day.hours.items() if _is_busy(figures)]
    if not busy:
        return range(DAY_HOURS)
    first, last = min(busy), max(busy) + 1
    first = min(first, max(0, DAY_HOURS - LEAST_HOURS))
    return range(first, max(last, min(DAY_HOURS, first + LEAST_HOURS)))


def _is_busy(figures: HourFigures) -> bool:
    return figures.most_waiting > 0 or figures.late_seconds > 0 or figures.nobody_seconds > 0


def _value(figures: HourFigures, figure: Figure) -> int:
    return int(getattr(figures, figure.column) or 0)


def _cell(day: _Day, at: int, period: Period, until: Wall, ordered: list[Figure], highest: int) -> Cell:
    begin = _begin(at, period)
    names = {"day": day.full_name, "count": day.days, "hour": hour_range(begin, period)}
    when = (_("%(day)s, %(hour)s") if day.days == 1 else _("%(count)s times %(day)s, %(hour)s")) % names
    figures = day.hours.get(at)
    if figures is None and day.begin + at * HOUR > until:
        return Cell(when, is_to_come=True)
    if figures is None:
        return Cell(_("%(when)s: not measured") % {"when": when})
    figure = ordered[0]
    text = figure.short(getattr(figures, figure.column))
    return Cell(f"{when}: {_told(figures, ordered)}", text, _shade(figures, figure, highest), True)


def _told(figures: HourFigures, ordered: list[Figure]) -> str:
    """All figures of an hour that are known in words."""
    values = [(each, getattr(figures, each.column)) for each in ordered]
    return listed(each.in_words(value) for each, value in values if value is not None or each == ordered[0])


def _shade(figures: HourFigures, figure: Figure, highest: int) -> int:
    # Time over target is bad by itself and has shades of its own; a high wait is high beside the others.
    if figure == LATE:
        share = figures.late_seconds / 60 / figures.measured_minutes if figures.measured_minutes else 0.0
        return sum(share > limit for limit in LATE_SHARES)
    return sum(_value(figures, figure) > limit * highest for limit in SHARES) if highest else 0


def _quiet(days: list[_Day], shown: range, period: Period) -> str:
    """When nobody waited, of hours that were measured: of those to come nobody knows."""
    measured = {at for day in days for at in day.hours}
    is_quiet_before, is_quiet_after = min(measured) < shown.start, max(measured) >= shown.stop
    first, last = shown.start, shown.stop
    times = {
        "first": clock_text(period.clock, _begin(first, period)),
        "last": clock_text(period.clock, _begin(last, period)),
    }
    if is_quiet_before and is_quiet_after:
        return _("Nobody waited before %(first)s and after %(last)s.") % times
    if is_quiet_after:
        return _("Nobody waited after %(last)s.") % times
    return _("Nobody waited before %(first)s.") % times if is_quiet_before else ""


def _begin(at: int, period: Period) -> Wall:
    """That hour of the company's day, on its first day."""
    return wall(period.begin, period) + at * HOUR
