"""The service level on the page of reports: the formula, figures per queue and team, or why there are none."""

from collections.abc import Mapping
from typing import Any, Protocol

from django import template

from wallboard.reports.service import by_queue, rules, trying
from wallboard.reports.service_level import FORMULAS, SHARES

MOST_LINES = 60  # queues in the table; the sheet holds all

register = template.Library()


class Report(by_queue.Report, Protocol):
    """A report with what its address names of a formula to try."""

    @property
    def tried(self) -> Mapping[str, str]: ...


@register.inclusion_tag("reports/_service_level.html", takes_context=True)
def service_levels(context: Any, report: Report) -> dict[str, Any]:
    """Figures of the queues that the viewer sees, by the company's rule or by one that the address tries."""
    chosen = rules.rules(report.domain.pk)
    by = trying.tried(report.tried, chosen)
    return {
        **vars(by_queue.of(report, by, MOST_LINES)),
        "report": report,
        "formulas": FORMULAS,
        "shares": SHARES,
        "rule": by.default,
        "is_tried": by is not chosen,
        "own": len(by.own),
        "is_administrator": report.viewer.role == "administrator",
        "missing": context.get("missing"),
        "sheet": context["sheets"]["service"],
    }
