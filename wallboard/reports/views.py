"""What queues and people did over some days: a sentence, a map, trends and tables, each of them as a sheet too."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts import audit, company_day, domains
from accounts.access import Viewer, for_role
from accounts.forms import DaysForm
from accounts.models import Domain, Person
from accounts.sheets import answers
from accounts.sheets.answers import Rows
from accounts.sheets.progress import Counted
from wallboard.calibration import figure_words
from wallboard.calls.gaps import coverage, sentences
from wallboard.figures import words
from wallboard.queues.models import Queue
from wallboard.queues.targets import levels
from wallboard.queues.targets.levels import Standards
from wallboard.reports import (
    alert_response,
    day_figures,
    heat_map,
    period_parts,
    person_figures,
    sheets,
    summary,
    trends,
)
from wallboard.reports.day_figures import QueueFigures
from wallboard.reports.figures import Figure, shown
from wallboard.reports.period_parts import Period
from wallboard.reports.reading import replica
from wallboard.reports.rollups import days as rolled_days
from wallboard.reports.rollups import samples, still_missing
from wallboard.reports.service import by_queue, rules, trying

# Each table that can be had as a sheet, and the name of its file.
SHEETS = {
    "parts": "queues",
    "queues": "queue-totals",
    "people": "people",
    "calls": "calls-by-day",
    "alerts": "response-to-alerts",
    "service": "service-level",
}
QUEUES_AT_ONCE = 50  # of which parts are read for a sheet
MOST_LINES = 60  # queues in a table: those with the most trouble, or calls; a sheet holds all


class PeriodForm(DaysForm):
    """The days of a report."""

    def clean(self) -> dict[str, Any]:
        """Not too many days."""
        cleaned = super().clean()
        first, last = cleaned.get("first"), cleaned.get("last")
        if first and last and (last - first).days >= day_figures.MAX_DAYS:
            raise forms.ValidationError(_("Choose at most %(days)s days.") % {"days": day_figures.MAX_DAYS})
        return cleaned


@dataclass(frozen=True)
class ReportRequest:
    """What a report is asked about; without chosen queues it is about all that the viewer may see.

    `tried` is what the address names of a formula. `refused` names the sections that could make no sense of theirs.
    """

    viewer: Viewer
    domain: Domain
    period: Period
    figure: str
    queues: frozenset[str]
    tried: Mapping[str, str] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set, compare=False)

    def only(self, rows: Iterable[QueueFigures]) -> list[QueueFigures]:
        """The rows of the chosen queues that the viewer may see."""
        shown = [row for row in rows if self.viewer.limit.shows_queue(row.queue.number)]
        return [row for row in shown if not self.queues or row.queue.number in self.queues]

    def parts(self, of: Iterable[Queue] | None = None) -> list[QueueFigures]:
        """The parts of these queues, or of all of the report."""
        only = None if of is None else [queue.pk for queue in of]
        return self.only(day_figures.by_part(self.domain, self.period, only))

    def parts_and_columns(self, of: Iterable[Queue]) -> list[list[QueueFigures]]:
        """The parts of these queues, and the same as the table of the page has them: of many days by week."""
        if not period_parts.is_by_week(self.period):
            return [self.parts(of)] * 2
        found = day_figures.by_day_and_week(self.domain, self.period, [queue.pk for queue in of])
        return [self.only(rows) for rows in found]

    def every_part(self) -> Iterator[QueueFigures]:
        """The parts of all queues, some queues after the other, so that few of them are in memory."""
        queues = self.chosen()
        for begin in range(0, len(queues), QUEUES_AT_ONCE):
            yield from self.parts(queues[begin : begin + QUEUES_AT_ONCE])

    def count_parts(self) -> int | None:
        """How many these are, where that is known before they are read."""
        return samples.count_parts(self.domain, self.period, [queue.pk for queue in self.chosen()])

    def chosen(self) -> list[Queue]:
        """The queues that it is about."""
        visible = day_figures.visible_queues(self.viewer)
        return [queue for queue in visible if not self.queues or queue.number in self.queues]

    def totals(self) -> list[QueueFigures]:
        return self.only(day_figures.by_queue(self.domain, self.period))

    def people(self) -> list[person_figures.PersonFigures]:
        return person_figures.by_person(self.domain, self.period, self.viewer.limit)

    def calls(self) -> Any:
        return day_figures.calls_by_day(self.domain, self.period, self.viewer.limit)

    def responses(self) -> list[alert_response.Response]:
        found, _left_out = alert_response.by_queue(self.domain, self.period, self.viewer.limit, self.queues)
        return alert_response.by_week(found, self.period)

    def service(self) -> list[by_queue.Row]:
        """The service level of each queue, of all of them and of each team."""
        found = by_queue.of(self, trying.tried(self.tried, rules.rules(self.domain.pk)))
        return [*found.rows, *found.teams]

    def coverage(self) -> coverage.Coverage:
        """How far the calls of the whole period were told."""
        return coverage.of(self.domain.pk, self.period.begin, self.period.end)

    def missing(self) -> list[str]:
        """The same in words, nothing where all of them were."""
        return sentences.sentences(self.coverage(), self.domain, is_one_day=self.period.is_one_day)

    def link(self, **more: object) -> str:
        """The same report with something else in it, as what follows the ? of its address."""
        fixed = {"first": self.period.first, "last": self.period.last, "figure": self.figure, **self.tried}
        return urlencode({**fixed, "queue": sorted(self.queues), **more}, doseq=True)


def parse_period(request: HttpRequest, domain: Domain, today: date) -> tuple[PeriodForm, Period]:
    """The requested period with its form; today where none or an invalid one was requested."""
    zone, hour = company_day.zone_of(domain), domain.day_starts_hour
    posted = {name: request.GET.get(name, "") for name in ("first", "last")}
    # An address without days is no mistake: it shows today, without an error.
    form = PeriodForm(posted if any(posted.values()) else {"first": today, "last": today}, label_suffix="")
    if form.is_valid():
        return form, Period(form.cleaned_data["first"], form.cleaned_data["last"], zone, hour, domain.clock)
    return form, Period(today, today, zone, hour, domain.clock)


def parse_report_request(
    request: HttpRequest, viewer: Viewer, domain: Domain, period: Period, visible: Iterable[Queue]
) -> ReportRequest:
    """What the address asks for; `visible` are the queues that the viewer may choose from."""
    figure = request.GET.get("figure", "")
    # Numbers that are unknown, or not for this viewer, count as not chosen: an address tells nothing of them.
    queues = frozenset(request.GET.getlist("queue")) & {queue.number for queue in visible}
    figure = figure if figure in shown(domain) else "late"
    return ReportRequest(viewer, domain, period, figure, queues, trying.named(request.GET))


@never_cache
@require_GET
@for_role(Person.Role.SUPERVISOR)
@replica.read_there
def reports(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """What mattered in a sentence, when it was in a map, each queue beside its target, and the tables."""
    with rolled_days.for_page() as waiting:
        return answer_of(request, viewer, waiting)


def answer_of(request: HttpRequest, viewer: Viewer, waiting: rolled_days.Waiting) -> HttpResponseBase:
    """The page, or one of its sheets; `waiting` is told what is still to be added up."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    now = timezone.now()
    today = company_day.start(domain, now).date()
    form, period = parse_period(request, domain, today)
    visible = day_figures.visible_queues(viewer)
    report = parse_report_request(request, viewer, domain, period, visible)
    if kind := answers.kind_of(request.GET):
        answer = sheet(kind, report, request.GET)
        # A file that lacks days would not tell; the page does.
        return redirect(f"{request.path}?{report.link()}") if waiting.days else answer
    totals = report.totals()
    lines = trends.worst(totals, MOST_LINES)
    parts, columns = report.parts_and_columns(lines)
    standards = levels.standards(domain.pk)
    context = {
        "form": form,
        "period": period,
        "report": report,
        "company": domain.name,
        "days": period_parts.written(period),
        "sentences": summary.summary(totals, parts, standards, period, now),
        "all_queues": visible,
        "queues": trends.of_queues(totals, lines),
        "queues_left_out": len(totals) - len(lines),
        "totals": totals,
        "people": report.people(),
        "calls": report.calls(),
        "missing": report.missing(),
        "ranges": ranges(report, today),
        "sheets": {of: f"?{report.link(of=of)}&" for of in SHEETS},
        "zone": domain.time_zone,
        "hides_longest": domains.hides_wait(domain, "longest"),
        **pictures(report, totals, parts, standards),
        **table(report, columns),
        "waiting": waiting,
        "being_added": still_missing.sentences(waiting, period),
    }
    answer = render(request, "reports/reports.html", context)
    # Known only now: sections of later rooms read their own part of the address while they are drawn.
    answer.status_code = 200 if form.is_valid() and not report.refused else 400
    return answer


def pictures(
    report: ReportRequest, totals: list[QueueFigures], parts: list[QueueFigures], standards: Standards
) -> dict[str, Any]:
    """The heat map and the trends."""
    shown_figures = shown(report.domain)
    period, figure = report.period, shown_figures[report.figure]
    queues = report.chosen()
    drawn, values, every_hour = trends.measured(queues, totals, parts, figure, standards, period, shown_figures)
    full, empty = trends.trends(drawn, values, figure, standards, period, shown_figures)
    return {
        "figure": figure,
        "heat_key": f"reports.{report.figure}",
        "figures": [
            (each.label, report.link(figure=name), name == report.figure) for name, each in shown_figures.items()
        ],
        "heat": heat_map.heat_map(every_hour, period, timezone.now(), figure, shown_figures),
        "trends": full,
        "empty": empty,
        "left_out": len(totals) - len(drawn),
    }


def table(report: ReportRequest, columns: list[QueueFigures]) -> dict[str, Any]:
    """The figure by queue and hour, day or week."""
    period, figure = report.period, shown(report.domain)[report.figure]
    moments, lines = day_figures.grid(columns)
    return {
        "by_week": period_parts.is_by_week(period),
        "moments": [period_parts.short_name(moment.astimezone(period.zone), period) for moment in moments],
        "lines": [(queue, [cell and cell_text(cell, figure) for cell in cells]) for queue, cells in lines],
    }


def sheet(kind: str, report: ReportRequest, asked: Mapping[str, str]) -> HttpResponseBase:
    """One of the tables as a file (`of`); the parts of the queues where nothing else is asked for."""
    of = asked.get("of", "") if asked.get("of") in SHEETS else "parts"
    zone = report.period.zone
    parts: dict[str, tuple[Callable[[], Any], Callable[[Any], Rows]]] = {
        "parts": (report.every_part, lambda found: sheets.part_rows(found, zone)),
        "queues": (report.totals, sheets.queue_rows),
        "people": (report.people, lambda found: sheets.person_rows(found, report.missing())),
        "calls": (report.calls, lambda found: sheets.call_rows(found, zone)),
        "alerts": (report.responses, alert_response.sheet_rows),
        "service": (report.service, sheets.service_rows),
    }
    dates = f"{report.period.first}-{report.period.last}"
    audit.log(report.domain.pk, "report exported", f"{of} {dates}")
    told = figure_words.sheet_head(report.domain.pk, sheets.FIGURES[of]) if words.wants_words(asked) else ()
    find, lines = parts[of]
    found = find()  # here, not while it is written: only now the page is told which days are still to be added up
    total = report.count_parts() if of == "parts" else len(found)
    rows, name = Counted(lines(found), total), f"{SHEETS[of]}-{dates}"
    is_told, reader = answers.wants_progress(asked), report.viewer.user_id
    return answers.download(kind, rows, name, report.domain.clock, told, is_told=is_told, reader=reader)


def cell_text(cell: QueueFigures, figure: Figure) -> tuple[str, int]:
    """A figure as text, and the shade behind it: only minutes over target are bad by themselves."""
    text = figure.format(getattr(cell, figure.column))
    return text, cell.heat if figure.column == "late_minutes" else 0


def ranges(report: ReportRequest, today: date) -> list[tuple[str, str, bool]]:
    """Periods that are asked for often: name, what follows the ?, whether it is this one."""
    named = [
        (_("Today"), today, today),
        (_("Yesterday"), today - timedelta(days=1), today - timedelta(days=1)),
        (_("Last 7 days"), today - timedelta(days=6), today),
        (_("Last 30 days"), today - timedelta(days=29), today),
    ]
    shown = (report.period.first, report.period.last)
    return [(name, report.link(first=first, last=last), shown == (first, last)) for name, first, last in named]
