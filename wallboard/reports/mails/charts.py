"""Charts of a report by mail, bars, heat map and trends: pictures, with their words beside them."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from accounts.models import Domain
from wallboard.queues.models import Queue
from wallboard.queues.targets.levels import Standards
from wallboard.reports import heat_map, trends
from wallboard.reports.figures import LATE
from wallboard.reports.figures import shown as figures_of
from wallboard.reports.heat_map import HeatMap
from wallboard.reports.mails import pictures
from wallboard.reports.mails.pictures import Bar
from wallboard.reports.period_parts import Period
from wallboard.reports.trends import Trend


@dataclass(frozen=True)
class Strip:
    """A row of the heat map: the name beside its picture, and its worst hour in words."""

    name: str
    picture: str
    words: str


@dataclass(frozen=True)
class TrendPicture:
    """A queue's trend; `ticks` are the names below its picture, each with its share of the width in percent."""

    trend: Trend
    picture: str
    ticks: list[tuple[str, int]]


@dataclass(frozen=True)
class Charts:
    """`files` are the pictures by name; without rows the heat map is not drawn."""

    files: dict[str, bytes]
    heat: HeatMap
    strips: list[Strip]
    trends: list[TrendPicture]
    empty: list[Queue]
    left_out: int


def charts(domain: Domain, found: dict[str, Any], standards: Standards, period: Period, parts: list[str]) -> Charts:
    """The charts of these figures; the heat map and the trends only where they are among the parts."""
    files = bars(found, period)
    totals, shown_figures = found["totals"], figures_of(domain)
    heat, left_out = HeatMap([]), 0
    strips: list[Strip] = []
    drawn: list[TrendPicture] = []
    empty: list[Queue] = []
    if {"heat", "trends"} & set(parts):
        queues, values, hours = trends.measured(
            found["about"], totals, found["rows"], LATE, standards, period, shown_figures
        )
        if "heat" in parts:
            heat = heat_map.heat_map(hours, period, period.end, LATE, shown_figures)
            strips = _strips(heat, files)
        if "trends" in parts:
            full, empty = trends.trends(queues, values, LATE, standards, period, shown_figures)
            drawn, left_out = _trends(full, files), len(totals) - len(queues)
    return Charts(files, heat, strips, drawn, empty, left_out)


def bars(found: dict[str, Any], period: Period) -> dict[str, bytes]:
    """Pictures by name: minutes over target by hour or day, and calls by day where there are several."""
    late: dict[datetime, int] = defaultdict(int)
    for row in found["rows"]:
        if row.at is not None:
            late[row.at] += row.late_minutes
    made = {}
    if late:
        of_late = [Bar(_label(moment, period), late[moment]) for moment in sorted(late)]
        made["late"] = pictures.chart(of_late, colour=pictures.BAD)
    days = [each for each in found.get("calls", []) if each.is_told]
    if len(days) > 1 and any(each.calls.ended for each in days):
        of_calls = [Bar(str(each.day.day), each.calls.answered, each.calls.unanswered) for each in days]
        made["calls"] = pictures.chart(of_calls)
    return made


def _label(moment: datetime, period: Period) -> str:
    local = moment.astimezone(period.zone)
    return f"{local:%H}" if period.is_one_day else str(local.day)


def _strips(heat: HeatMap, files: dict[str, bytes]) -> list[Strip]:
    strips = []
    if heat.rows:
        files["heat-hours"] = pictures.heat_head(heat.hours)
    for place, row in enumerate(heat.rows):
        name = f"heat-{place}"
        files[name] = pictures.heat_row(row.cells)
        worst = max(row.cells, key=lambda cell: (cell.is_measured, cell.shade, int(cell.text or 0)))
        strips.append(Strip(row.name, name, worst.words))
    return strips


def _trends(full: list[Trend], files: dict[str, bytes]) -> list[TrendPicture]:
    found = []
    for place, each in enumerate(full):
        name = f"trend-{place}"
        files[name] = pictures.trend(each)
        ends = [*(tick.x for tick in each.ticks[1:]), trends.WIDTH]
        shares = [round(100 * (end - tick.x) / trends.WIDTH) for tick, end in zip(each.ticks, ends, strict=True)]
        found.append(TrendPicture(each, name, list(zip((tick.name for tick in each.ticks), shares, strict=True))))
    return found
