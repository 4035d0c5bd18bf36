"""What queues and people did over some days: charts and tables to look at, each table as CSV too."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts import audit, days, limits
from accounts.access import Viewer, for_role
from accounts.models import Domain, Person
from wallboard.boards import charts, figures, person_figures, report_sheets
from wallboard.boards.figures import Period, QueueFigures
from wallboard.calls import exports
from wallboard.queues.models import Queue

SHEETS = {"parts": "queues", "queues": "queue-totals", "people": "people", "calls": "calls-by-day"}  # and their files


class DayField(forms.DateField):
    """A day that calls and queues can have had."""

    widget = forms.DateInput({"type": "date"}, "%Y-%m-%d")

    def validate(self, value: Any) -> None:
        super().validate(value)
        if value and not days.FIRST <= value <= days.LAST:
            known = {"first": days.FIRST, "last": days.LAST}
            raise forms.ValidationError(_("Choose a day between %(first)s and %(last)s.") % known)


class PeriodForm(forms.Form):
    """The days of a report."""

    first = DayField(label=gettext_lazy("From"))
    last = DayField(label=gettext_lazy("To"))

    def clean(self) -> dict[str, Any]:
        """The days must be in order, and not too many."""
        cleaned = super().clean() or {}
        first, last = cleaned.get("first"), cleaned.get("last")
        if first and last and first > last:
            raise forms.ValidationError(_("The first day must not be after the last."))
        if first and last and (last - first).days >= figures.LONGEST:
            raise forms.ValidationError(_("Choose at most %(days)s days.") % {"days": figures.LONGEST})
        return cleaned


@dataclass(frozen=True)
class Chosen:
    """What a report is asked about; no chosen queues are all that the viewer may see."""

    viewer: Viewer
    domain: Domain
    period: Period
    figure: str
    queues: frozenset[str]

    def only(self, rows: Iterable[QueueFigures]) -> list[QueueFigures]:
        """The rows of chosen queues that the viewer may see."""
        shown = [row for row in rows if self.viewer.limit.shows_queue(row.queue.number)]
        return [row for row in shown if not self.queues or row.queue.number in self.queues]

    def parts(self) -> list[QueueFigures]:
        return self.only(figures.by_part(self.domain, self.period))

    def totals(self) -> list[QueueFigures]:
        return self.only(figures.by_queue(self.domain, self.period))

    def people(self) -> list[person_figures.PersonFigures]:
        return person_figures.by_person(self.domain, self.period, self.viewer.limit)

    def calls(self) -> Any:
        return figures.calls(self.domain, self.period, self.viewer.limit)

    def link(self, **more: object) -> str:
        """The same report with something else in it, as what follows the ? of its address."""
        kept = {"first": self.period.first, "last": self.period.last, "figure": self.figure}
        return urlencode({**kept, "queue": sorted(self.queues), **more}, doseq=True)


def period_of(request: HttpRequest, domain: Domain, today: date) -> tuple[PeriodForm, Period]:
    """The asked period with its form; today where nothing or nonsense was asked."""
    zone, hour = days.zone_of(domain), domain.day_starts_hour
    asked = {name: request.GET.get(name, "") for name in ("first", "last")}
    form = PeriodForm(asked if any(asked.values()) else {"first": today, "last": today}, label_suffix="")
    if form.is_valid():
        return form, Period(form.cleaned_data["first"], form.cleaned_data["last"], zone, hour)
    return form, Period(today, today, zone, hour)


def chosen_of(request: HttpRequest, viewer: Viewer, domain: Domain, period: Period) -> Chosen:
    figure = request.GET.get("figure", "")
    asked = frozenset(request.GET.getlist("queue")) & {queue.number for queue in queues_of(viewer)}
    return Chosen(viewer, domain, period, figure if figure in charts.FIGURES else "late", asked)


def queues_of(viewer: Viewer) -> list[Queue]:
    """Those that the viewer may choose from."""
    shown = Queue.objects.filter(domain_id=viewer.domain_id, is_hidden=False)
    return list(limits.only(shown, "number", viewer.limit.queues))


@never_cache
@require_GET
@for_role(Person.Role.SUPERVISOR)
def reports(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Minutes over target, minutes with nobody available, peaks: per queue, per hour or day; calls, and people."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    today = days.start(domain, timezone.now()).date()
    form, period = period_of(request, domain, today)
    chosen = chosen_of(request, viewer, domain, period)
    if request.GET.get("as") == "csv":
        return sheet(chosen, request.GET.get("of", ""))
    parts, figure = chosen.parts(), charts.FIGURES[chosen.figure]
    moments, lines = figures.grid(parts)
    context = {
        "form": form,
        "period": period,
        "chosen": chosen,
        "figure": figure,
        "figures": charts.FIGURES,
        "all_queues": queues_of(viewer),
        "queues": chosen.totals(),
        "charts": charts.charts(parts, period, figure),
        "moments": [charts.label(moment, period) for moment in moments],
        "lines": [(queue, [cell and said(cell, figure) for cell in cells]) for queue, cells in lines],
        "people": chosen.people(),
        "calls": chosen.calls(),
        "ranges": ranges(chosen, today),
        "sheets": {of: chosen.link(of=of, **{"as": "csv"}) for of in SHEETS},
        "zone": domain.time_zone,
    }
    return render(request, "boards/reports.html", context, status=200 if form.is_valid() else 400)


def sheet(chosen: Chosen, of: str) -> HttpResponse:
    """One of the tables as CSV; the parts of the queues where nothing else is asked for."""
    if of not in SHEETS:
        of = "parts"
    rows = {
        "parts": lambda: report_sheets.of_parts(chosen.parts(), chosen.period.zone),
        "queues": lambda: report_sheets.of_queues(chosen.totals()),
        "people": lambda: report_sheets.of_people(chosen.people()),
        "calls": lambda: report_sheets.of_calls(chosen.calls()),
    }
    dates = f"{chosen.period.first}-{chosen.period.last}"
    audit.note(chosen.domain.pk, "report exported", f"{of} {dates}")
    return exports.download(rows[of](), f"{SHEETS[of]}-{dates}.csv")


def said(cell: QueueFigures, figure: charts.Figure) -> tuple[str, int]:
    """A figure in words, and the shade behind it: only minutes over target are bad by themselves."""
    text = figure.said(getattr(cell, figure.column))
    return text, cell.heat if figure.column == "late_minutes" else 0


def ranges(chosen: Chosen, today: date) -> list[tuple[str, str, bool]]:
    """Periods that are asked for often: name, what follows the ?, whether it is this one."""
    named = [
        (_("Today"), today, today),
        (_("Yesterday"), today - timedelta(days=1), today - timedelta(days=1)),
        (_("Last 7 days"), today - timedelta(days=6), today),
        (_("Last 30 days"), today - timedelta(days=29), today),
    ]
    shown = (chosen.period.first, chosen.period.last)
    return [(name, chosen.link(first=first, last=last), shown == (first, last)) for name, first, last in named]
