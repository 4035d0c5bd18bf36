"""Day figures per queue, and the log of calls; both as tables to look at and as CSV."""

from datetime import date, timedelta
from itertools import chain
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.access import Viewer, for_role
from accounts.models import Domain, Person
from wallboard.boards import figures
from wallboard.boards.figures import Period
from wallboard.calls import exports


class PeriodForm(forms.Form):
    """The days of a report."""

    first = forms.DateField(label=gettext_lazy("From"), widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"))
    last = forms.DateField(label=gettext_lazy("To"), widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"))

    def clean(self) -> dict[str, Any]:
        """The days must be in order, and not too many."""
        cleaned = super().clean() or {}
        first, last = cleaned.get("first"), cleaned.get("last")
        if first and last and first > last:
            raise forms.ValidationError(_("The first day must not be after the last."))
        if first and last and (last - first).days >= figures.LONGEST:
            raise forms.ValidationError(_("Choose at most %(days)s days.") % {"days": figures.LONGEST})
        return cleaned


def period_of(request: HttpRequest, zone: ZoneInfo) -> tuple[PeriodForm, Period]:
    """The asked period with its form; today where nothing or nonsense was asked."""
    now = timezone.now().astimezone(zone).date()
    asked = {name: request.GET.get(name, "") for name in ("first", "last")}
    form = PeriodForm(asked if any(asked.values()) else {"first": now, "last": now}, label_suffix="")
    if form.is_valid():
        return form, Period(form.cleaned_data["first"], form.cleaned_data["last"], zone)
    return form, Period(now, now, zone)


@never_cache
@require_GET
@for_role(Person.Role.SUPERVISOR)
def reports(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Minutes over target, minutes with nobody available, peaks: per queue, per hour or day."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    zone = ZoneInfo(domain.time_zone)
    form, period = period_of(request, zone)
    parts = [row for row in figures.by_part(domain, period) if viewer.limit.shows_queue(row.queue.number)]
    if request.GET.get("as") == "csv":
        return exports.download(queue_lines(parts, zone), f"queues-{period.first}-{period.last}.csv")
    moments, lines = figures.grid(parts)
    today = timezone.now().astimezone(zone).date()
    context = {
        "form": form,
        "period": period,
        "queues": [row for row in figures.by_queue(domain, period) if viewer.limit.shows_queue(row.queue.number)],
        "moments": [moment_label(moment.astimezone(zone), period) for moment in moments],
        "lines": lines,
        "calls": figures.calls(domain, period, viewer.limit),
        "ranges": ranges(today),
        "zone": domain.time_zone,
    }
    return render(request, "boards/reports.html", context, status=200 if form.is_valid() else 400)


def moment_label(moment: Any, period: Period) -> str:
    return f"{moment:%H}" if period.is_one_day else date_format(moment, "j M")


def ranges(today: date) -> list[tuple[str, date, date]]:
    """Periods that are asked for often."""
    return [
        (_("Today"), today, today),
        (_("Yesterday"), today - timedelta(days=1), today - timedelta(days=1)),
        (_("Last 7 days"), today - timedelta(days=6), today),
        (_("Last 30 days"), today - timedelta(days=29), today),
    ]


def queue_lines(parts: list[figures.QueueFigures], zone: ZoneInfo) -> Any:
    head = (
        f"from ({zone})",
        "queue",
        "name",
        "minutes over target",
        "minutes on watch",
        "minutes with callers and nobody available",
        "most waiting",
        "longest wait in seconds",
        "minutes measured",
    )
    rows = (
        (
            f"{part.at.astimezone(zone):%Y-%m-%d %H:%M}" if part.at else "",
            part.queue.number,
            str(part.queue),
            part.late_minutes,
            part.watch_minutes,
            part.nobody_minutes,
            part.most_waiting,
            part.longest_wait_seconds,
            part.measured_minutes,
        )
        for part in parts
    )
    return chain([head], rows)
