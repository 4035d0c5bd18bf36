"""A report as a mail: what one person may see of some days, as a page, a text, pictures and sheets."""

from base64 import b64encode
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from html import unescape
from io import BytesIO
from typing import Any

from django.template.loader import render_to_string
from django.utils.html import strip_tags
from django.utils.translation import gettext as _

from accounts import domains
from accounts.access import Viewer
from accounts.companies import addresses
from accounts.models import Domain
from accounts.sheets import answers
from wallboard.calibration import figure_words
from wallboard.calls.gaps import coverage, sentences
from wallboard.queues.targets import levels
from wallboard.reports import alert_response, day_figures, period_parts, person_figures, sheets, summary
from wallboard.reports.day_figures import QueueFigures
from wallboard.reports.mails import pictures
from wallboard.reports.mails.pictures import Bar
from wallboard.reports.period_parts import Period

PARTS = ("queues", "people", "calls", "alerts")
NAMES = {"queues": "queue-totals", "people": "people", "calls": "calls-by-day", "alerts": "response-to-alerts"}
MOST_LINES = 40  # of a table in the mail; its sheet holds all
Figures = dict[str, Any]
Row = tuple[object, ...]


@dataclass
class Mail:
    """What goes out, but for the address."""

    title: str
    text: str
    url: str
    html: str
    files: list[dict[str, str]] = field(default_factory=list)


def compose(domain: Domain, viewer: Viewer, period: Period, parts: Iterable[str], now: datetime) -> Mail:
    """The report of these days as this viewer may see it."""
    shown = [each for each in PARTS if each in parts]
    found = figures(domain, viewer, period, shown)
    days = period_parts.written(period)
    title = _("Report of %(company)s: %(days)s") % {"company": domain.name, "days": days}
    base = addresses.of(domain)
    url = f"{base}/reports/?first={period.first}&last={period.last}"
    told = summary.summary(found["totals"], found["rows"], levels.standards(domain.pk), period, now)
    charts = {name: _file(f"{name}.png", "image/png", made, cid=name) for name, made in _charts(found, period).items()}
    context = {
        **found,
        "title": title,
        "days": days,
        "company": domain.name,
        "sentences": told,
        "shown": shown,
        "url": url,
        "charts": charts,
        "most": MOST_LINES,
        "is_by_hour": period.is_one_day,
        "choices_url": f"{base}/notifications/",
        "hides_longest": domains.hides_wait(domain, "longest"),
    }
    text = "\n".join(unescape(strip_tags(each)) for each in told)
    lines = [text, *found["missing"], _("The tables are attached as sheets.") if shown else ""]
    files = [*charts.values(), *(_sheet(name, domain, period, found) for name in shown)]
    html = render_to_string("reports/mail/report.html", context)
    return Mail(title, "\n\n".join(filter(None, lines)), url, html, files)


def figures(domain: Domain, viewer: Viewer, period: Period, shown: Iterable[str]) -> Figures:
    """What this viewer may see of these days; what is not shown is not counted."""
    limit = viewer.limit

    def only(rows: Iterable[QueueFigures]) -> list[QueueFigures]:
        return [row for row in rows if limit.shows_queue(row.queue.number)]

    found: Figures = {
        "totals": only(day_figures.by_queue(domain, period)),
        "rows": only(day_figures.by_part(domain, period)),
        "missing": [],
    }
    if {"people", "calls"} & set(shown):
        told = coverage.of(domain.pk, period.begin, period.end)
        found["missing"] = sentences.sentences(told, domain, is_one_day=period.is_one_day)
    if "people" in shown:
        found["people"] = person_figures.by_person(domain, period, limit)
    if "calls" in shown:
        found["calls"] = day_figures.calls_by_day(domain, period, limit)
    if "alerts" in shown:
        alerts = alert_response.by_queue(domain, period, limit, frozenset())
        found["alerts"] = alert_response.responses(alerts)
        found["weeks"] = alert_response.by_week(alerts, period.zone)
    return found


def _charts(found: Figures, period: Period) -> dict[str, bytes]:
    """Pictures by name: minutes over target by hour or day, and calls by day where there are several."""
    late: dict[datetime, int] = defaultdict(int)
    for row in found["rows"]:
        if row.at is not None:
            late[row.at] += row.late_minutes
    made = {}
    if late:
        bars = [Bar(_label(moment, period), late[moment]) for moment in sorted(late)]
        made["late"] = pictures.chart(bars, colour=pictures.BAD)
    days = found.get("calls", [])
    if len(days) > 1 and any(each.calls.ended for each in days):
        bars = [Bar(str(each.day.day), each.calls.answered, each.calls.unanswered) for each in days]
        made["calls"] = pictures.chart(bars)
    return made


def _label(moment: datetime, period: Period) -> str:
    local = moment.astimezone(period.zone)
    return f"{local:%H}" if period.is_one_day else str(local.day)


def _sheet(name: str, domain: Domain, period: Period, found: Figures) -> dict[str, str]:
    rows: dict[str, Callable[[], Iterable[Row]]] = {
        "queues": lambda: sheets.queue_rows(found["totals"]),
        "people": lambda: sheets.person_rows(found["people"], found["missing"]),
        "calls": lambda: sheets.call_rows(found["calls"], period.zone),
        "alerts": lambda: alert_response.sheet_rows(found["weeks"]),
    }
    told = figure_words.sheet_head(domain.pk, sheets.FIGURES[name])
    out = BytesIO()
    answers.write("xlsx", rows[name](), out, domain.clock, told)
    return _file(f"{NAMES[name]}-{period.first}-{period.last}.xlsx", answers.TYPES["xlsx"], out.getvalue())


def _file(name: str, kind: str, content: bytes, **more: str) -> dict[str, str]:
    return {"name": name, "kind": kind, "data": b64encode(content).decode(), **more}
