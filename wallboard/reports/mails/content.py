"""A report as a mail: what one person may see of some days, as a page, a text, pictures and sheets."""

from base64 import b64encode
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from html import unescape
from io import BytesIO
from typing import Any
from urllib.parse import urlencode

from django.template.loader import render_to_string
from django.utils.html import escape, strip_tags
from django.utils.translation import gettext as _

from accounts import domains
from accounts.access import Viewer
from accounts.companies import addresses
from accounts.models import Domain
from accounts.sheets import answers
from wallboard.calibration import figure_words
from wallboard.calls.gaps import coverage, sentences
from wallboard.queues.targets import levels
from wallboard.reports import alert_response, day_figures, period_parts, person_figures, sheets, summary, trends
from wallboard.reports.day_figures import QueueFigures
from wallboard.reports.mails import charts
from wallboard.reports.period_parts import Period
from wallboard.reports.service import by_queue, rules

PARTS = ("heat", "trends", "queues", "service", "calls", "people", "alerts")
NAMES = {  # of the sheets; trends have the one of hours or days
    "trends": "queues",
    "queues": "queue-totals",
    "service": "service-level",
    "calls": "calls-by-day",
    "people": "people",
    "alerts": "response-to-alerts",
}
OF_CALLS = {"people", "calls", "service"}
OF_QUEUES = {"heat", "trends", "queues", "service"}
MOST_LINES = 40  # of a table in the mail, with the most trouble, calls or alerts; its sheet holds all
Figures = dict[str, Any]
Row = tuple[object, ...]


@dataclass(frozen=True)
class Scope:
    """What a report is about: these days, and of what this viewer may see only those queues; without any, all."""

    viewer: Viewer
    domain: Domain
    period: Period
    queues: frozenset[str] = frozenset()

    def shows(self, number: str) -> bool:
        """Whether a queue is in it."""
        return self.viewer.limit.shows_queue(number) and (not self.queues or number in self.queues)

    @property
    def is_out_of_sight(self) -> bool:
        """Whether it is about queues of which none is shown to this viewer, since they are hidden or beyond a limit."""
        is_narrowed = bool(self.queues) or self.viewer.limit.queues is not None
        return is_narrowed and not any(self.shows(each.number) for each in day_figures.visible_queues(self.viewer))


@dataclass(frozen=True)
class Table:
    """The rows of a table in the mail, and how many more stand in its sheet."""

    rows: list[Any]
    left_out: int


@dataclass
class Mail:
    """What goes out, but for the address."""

    title: str
    text: str
    url: str
    html: str
    files: list[dict[str, str]] = field(default_factory=list)


def compose(scope: Scope, parts: Iterable[str], now: datetime) -> Mail:
    """The report as its viewer may see it."""
    domain, period = scope.domain, scope.period
    is_out_of_sight = scope.is_out_of_sight
    # Empty tables would say that nothing happened in queues which nobody looked at.
    left_out = _of_queues(scope) if is_out_of_sight else set()
    shown = [each for each in PARTS if each in parts and each not in left_out]
    found = figures(scope, shown)
    days = period_parts.written(period)
    title = _("Report of %(company)s: %(days)s") % {"company": domain.name, "days": days}
    base = addresses.of(domain)
    asked = {"first": period.first, "last": period.last, "queue": sorted(scope.queues)}
    url = f"{base}/reports/?{urlencode(asked, doseq=True)}"
    standards = levels.standards(domain.pk)
    told = summary.summary(found["totals"], found["rows"], standards, period, now)
    if is_out_of_sight:
        told = [escape(_("None of the queues of this report is shown to you."))]
    drawn = charts.charts(domain, found, standards, period, shown)
    images = {name: _file(f"{name}.png", "image/png", made, cid=name) for name, made in drawn.files.items()}
    attached = [_sheet(name, scope, found) for name in shown if name in found["sheets"]]
    context = {
        **found,
        "tables": tables(found),
        "title": title,
        "days": days,
        "company": domain.name,
        "sentences": told,
        "shown": shown,
        "url": url,
        "charts": images,
        "drawn": drawn,
        "chosen": len(scope.queues),
        "has_sheets": bool(attached),
        "is_by_hour": period.is_one_day,
        "choices_url": f"{base}/notifications/",
        "hides_longest": domains.hides_wait(domain, "longest"),
    }
    text = "\n".join(unescape(strip_tags(each)) for each in told)
    lines = [text, *found["missing"], _("The tables are attached as sheets.") if attached else ""]
    html = render_to_string("reports/mail/report.html", context)
    return Mail(title, "\n\n".join(filter(None, lines)), url, html, [*images.values(), *attached])


def _of_queues(scope: Scope) -> set[str]:
    """The parts that tell nothing but what its queues did."""
    # Without chosen queues there are alerts about none, too.
    return OF_QUEUES | {"alerts"} if scope.queues else OF_QUEUES


def figures(scope: Scope, shown: Iterable[str]) -> Figures:
    """What is in the report; what is not shown is not counted. `sheets` names the parts that have one."""
    domain, period, limit = scope.domain, scope.period, scope.viewer.limit

    def only(rows: Iterable[QueueFigures]) -> list[QueueFigures]:
        return [row for row in rows if scope.shows(row.queue.number)]

    found: Figures = {
        "about": [queue for queue in day_figures.visible_queues(scope.viewer) if scope.shows(queue.number)],
        "totals": only(day_figures.by_queue(domain, period)),
        "rows": only(day_figures.by_part(domain, period)),
        "missing": [],
        "sheets": {each for each in shown if each in NAMES},
    }
    if OF_CALLS & set(shown):
        told = coverage.of(domain.pk, period.begin, period.end)
        found["missing"] = sentences.sentences(told, domain, is_one_day=period.is_one_day)
    if "service" in shown:
        by = rules.rules(domain.pk)
        found |= {"rule": by.default, "service": by_queue.of(scope, by)}
        if not found["service"].rows and not found["service"].teams:
            found["sheets"].discard("service")
    if "people" in shown:
        found["people"] = person_figures.by_person(domain, period, limit)
    if "calls" in shown:
        found["calls"] = day_figures.calls_by_day(domain, period, limit)
    if "alerts" in shown:
        alerts, _left_out = alert_response.by_queue(domain, period, limit, scope.queues)
        found["alerts"] = alert_response.responses(alerts)
        found["weeks"] = alert_response.by_week(alerts, period)
    return found


def tables(found: Figures) -> dict[str, Table]:
    """The tables of the mail, by the names of the figures they are about; in their order, however they were chosen."""
    totals = found["totals"]
    worst = trends.of_queues(totals, trends.worst(totals, MOST_LINES))
    made = {"totals": Table(worst, len(totals) - len(worst)), "people": _most(found.get("people", []))}
    made["alerts"] = _most(found.get("alerts", []), lambda row: int(row.raised))
    if "service" in found:
        rows = found["service"].rows
        of_each = _most([row for row in rows if row[0] is not None], lambda row: int(row[1].offered))
        # What all of them come to is no row of them.
        made["service"] = Table([*of_each.rows, *(row for row in rows if row[0] is None)], of_each.left_out)
        made["teams"] = _most(found["service"].teams, lambda row: int(row[1].offered))
    return made


def _most(rows: list[Any], size: Callable[[Any], int] = lambda row: 0) -> Table:
    """The largest rows; the first ones where they have no size, as people, who are not ranked."""
    largest = sorted(range(len(rows)), key=lambda place: -size(rows[place]))[:MOST_LINES]
    return Table([rows[place] for place in sorted(largest)], len(rows) - len(largest))


def _sheet(name: str, scope: Scope, found: Figures) -> dict[str, str]:
    domain, period = scope.domain, scope.period
    rows: dict[str, Callable[[], Iterable[Row]]] = {
        "trends": lambda: sheets.part_rows(found["rows"], period.zone),
        "queues": lambda: sheets.queue_rows(found["totals"]),
        "service": lambda: sheets.service_rows([*found["service"].rows, *found["service"].teams]),
        "people": lambda: sheets.person_rows(found["people"], found["missing"]),
        "calls": lambda: sheets.call_rows(found["calls"], period.zone),
        "alerts": lambda: alert_response.sheet_rows(found["weeks"]),
    }
    told = figure_words.sheet_head(domain.pk, sheets.FIGURES["parts" if name == "trends" else name])
    out = BytesIO()
    answers.write("xlsx", rows[name](), out, domain.clock, told)
    return _file(f"{NAMES[name]}-{period.first}-{period.last}.xlsx", answers.TYPES["xlsx"], out.getvalue())


def _file(name: str, kind: str, content: bytes, **more: str) -> dict[str, str]:
    return {"name": name, "kind": kind, "data": b64encode(content).decode(), **more}
