"""The time ahead on the page of reports: the next hour of each queue, and what other staffing would have done."""

from dataclasses import replace
from datetime import timedelta
from typing import Any, Protocol
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils import timezone

from accounts import company_day
from accounts.access import Viewer
from accounts.models import Domain
from wallboard.calibration import locks
from wallboard.desk.time_phrases import duration
from wallboard.forecast import accuracy, forecasting, page
from wallboard.forecast.courses import DAY
from wallboard.forecast.outlook import Estimate
from wallboard.forecast.what_if_form import WhatIfForm
from wallboard.queues.models import Queue

register = template.Library()
AN_HOUR = timedelta(hours=1)
GROUND = "ground of forecasts"


class Report(Protocol):
    """What a report is asked about."""

    @property
    def viewer(self) -> Viewer: ...

    @property
    def domain(self) -> Domain: ...

    @property
    def queues(self) -> frozenset[str]: ...

    @property
    def refused(self) -> set[str]: ...


@register.inclusion_tag("forecast/_next_hour.html", takes_context=True)
def next_hour(context: Any, report: Report) -> dict[str, Any]:
    """The forecast of each queue that the viewer sees, or what it would rest on; nothing for a limit to a team."""
    if report.viewer.limit.people is not None:
        return {"is_left_out": True}
    waits = _ground(context, report)
    ground = replace(waits, locks=[lock for lock in waits.locks if lock.question in forecasting.CALL_NEEDS])
    shown: dict[str, Any] = {"ground": ground, "report": report, "is_administrator": _is_administrator(report)}
    if ground.is_firm:
        queues = _queues(report)
        rows = page.rows(queues, timezone.now())
        begins = next((row.begins_at for row in rows if row.begins_at), None)
        few = page.with_most_calls(rows)
        shown |= {
            "rows": few,
            "rows_left_out": len(rows) - len(few),
            "waits": waits,
            "accuracy": accuracy.of(queues),
            "fewest": accuracy.FEWEST_HOURS,
        }
        shown["fewest_days"] = accuracy.FEWEST_DAYS
        chosen = "".join(f"{urlencode({'queue': number})}&" for number in sorted(report.queues))
        shown["address"] = f"{reverse('forecast:next_hour')}?{chosen}"
        if begins:
            zone, clock = company_day.zone_of(report.domain), report.domain.clock
            moments = [begins.astimezone(zone), (begins + AN_HOUR).astimezone(zone)]
            shown["hour"] = "–".join(company_day.clock_text(clock, moment) for moment in moments)
    return shown


@register.inclusion_tag("forecast/_what_if.html", takes_context=True)
def what_if(context: Any, report: Report) -> dict[str, Any]:
    """The form, and the answer where the address asks."""
    ground = _ground(context, report)
    # Who sees a team sees a part of each queue's calls, and the answer counts all of them.
    if not ground.is_firm or report.viewer.limit.people is not None:
        return {"ground": ground}
    query, queues = context["request"].GET, _queues(report)
    today = timezone.now().astimezone(company_day.zone_of(report.domain)).date()
    is_asked = "what_day" in query
    first = {"what_day": today - DAY, "what_from": 9, "what_until": 12, "what_change": 2}
    form = WhatIfForm(query if is_asked else None, queues, today, initial=first)
    shown: dict[str, Any] = {"ground": ground, "form": form, "report": report, "queues": queues}
    if is_asked and not form.is_valid():
        report.refused.add("what if")
    elif is_asked:
        answer, why = page.asked(report.domain, form.cleaned_data)
        number = form.cleaned_data["what_queue"]
        target = page.target_of(report.domain, number)
        queue = next(queue for queue in queues if queue.number == number)
        shown |= {"answer": answer, "why": why, "queue": queue, "values": form.cleaned_data}
        shown["lines"] = page.lines(answer, target) if answer else []
    return shown


@register.filter
def whole(estimate: Estimate) -> str:
    """An estimate of things that are counted, without its interval."""
    return f"{estimate.middle:.0f}"


@register.filter
def interval(estimate: Estimate) -> str:
    """From, to of what is counted."""
    return f"{estimate.low:.0f}{page.TO}{estimate.high:.0f}"


@register.filter
def times(estimate: Estimate) -> str:
    """From, to of what is a time."""
    return f"{duration(estimate.low)}{page.TO}{duration(estimate.high)}"


def _ground(context: Any, report: Report) -> locks.Ground:
    """What waits rest on, looked at once for a page."""
    known: dict[str, locks.Ground] = context.render_context
    if GROUND not in known:
        known[GROUND] = locks.ground(report.domain.pk, forecasting.WAIT_NEEDS)
    return known[GROUND]


def _queues(report: Report) -> list[Queue]:
    """Those that the viewer may see, and chose."""
    found = Queue.objects.filter(domain=report.domain, is_hidden=False)
    seen = [queue for queue in found if report.viewer.limit.shows_queue(queue.number)]
    return [queue for queue in seen if not report.queues or queue.number in report.queues]


def _is_administrator(report: Report) -> bool:
    return report.viewer.role == "administrator"
