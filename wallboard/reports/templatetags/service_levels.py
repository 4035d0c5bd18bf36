"""The service level on the page of reports: chosen formula, figures per queue, or why there are none."""

from typing import Any, Protocol

from django import template
from django.http import HttpRequest

from accounts.access import Viewer
from accounts.models import Domain
from wallboard.calibration import locks
from wallboard.queues.hours import calendar
from wallboard.queues.models import Queue
from wallboard.reports import queue_calls, service_level
from wallboard.reports.day_figures import Period

register = template.Library()
NEEDS: locks.Needs = {
    "queue_legs": frozenset({"user", "id"}),
    "caller_ids": frozenset({"shared"}),  # withheld numbers cannot be tied to their legs otherwise
    "queue_leg_answered": frozenset(),
    "missing_events": frozenset({"few"}),
}


class Report(Protocol):
    """What a report is asked about."""

    @property
    def viewer(self) -> Viewer: ...

    @property
    def domain(self) -> Domain: ...

    @property
    def period(self) -> Period: ...

    @property
    def queues(self) -> frozenset[str]: ...


@register.inclusion_tag("reports/_service_level.html", takes_context=True)
def service_levels(context: Any, report: Report) -> dict[str, Any]:
    """Figures of the queues that the viewer sees, by the formula of the address."""
    request: HttpRequest = context["request"]
    name = request.GET.get("formula", "A")
    formula = service_level.FORMULAS.get(name) or service_level.FORMULAS["A"]
    target = _seconds(request, "within", service_level.TARGET_SECONDS)
    short = _seconds(request, "short", service_level.SHORT_SECONDS)
    ground = locks.ground(report.domain.pk, NEEDS)
    shown: dict[str, Any] = {
        "report": report,
        "ground": ground,
        "formulas": service_level.FORMULAS,
        "chosen": name if name in service_level.FORMULAS else "A",
        "formula": formula.read(target, short),
        "within": target,
        "short": short,
        "is_administrator": report.viewer.role == "administrator",
        "missing": context.get("missing"),
    }
    if ground.is_firm:
        try:
            shown["rows"] = _rows(report, ground, formula, target, short)
        except queue_calls.TooMany:
            shown["too_many"] = True
    return shown


def _rows(
    report: Report, ground: locks.Ground, formula: service_level.Formula, target: int, short: int
) -> list[tuple[Queue | None, service_level.ServiceFigures]]:
    """A row for each queue with calls, and one for all of them where there are several."""
    schedule = calendar.schedule(report.domain)
    calls = queue_calls.queue_calls(
        report.domain,
        report.period,
        schedule.is_open,
        from_music=ground.answers["queue_leg_answered"] == "answered",
    )
    queues = [
        queue for queue in Queue.objects.filter(domain=report.domain, is_hidden=False) if _is_shown(report, queue)
    ]
    of_queue = {queue.number: [call for call in calls if call.queue == queue.number] for queue in queues}
    rows: list[tuple[Queue | None, service_level.ServiceFigures]] = [
        (queue, service_level.figures(queue.number, of_queue[queue.number], formula, target, short))
        for queue in queues
        if of_queue[queue.number]
    ]
    if len(rows) > 1:
        together = [call for some in of_queue.values() for call in some]
        rows.append((None, service_level.figures("", together, formula, target, short)))
    return rows


def _is_shown(report: Report, queue: Queue) -> bool:
    is_chosen = not report.queues or queue.number in report.queues
    return is_chosen and report.viewer.limit.shows_queue(queue.number)


def _seconds(request: HttpRequest, name: str, usual: int) -> int:
    """A time of the address; nonsense counts as not given."""
    text = request.GET.get(name, "")
    return (
        min(int(text), service_level.LONGEST_SECONDS) if text.isascii() and text.isdigit() and len(text) < 6 else usual
    )
