"""The service level on the page of reports: the formula, figures per queue and team, or why there are none."""

from typing import Any

from django import template
from django.http import HttpRequest

from wallboard.reports.service import by_queue, rules
from wallboard.reports.service.by_queue import Report
from wallboard.reports.service_level import FORMULAS, LONGEST_SECONDS, SHARES, Rule, Rules

MOST_LINES = 60  # queues in the table; the sheet holds all

register = template.Library()


@register.inclusion_tag("reports/_service_level.html", takes_context=True)
def service_levels(context: Any, report: Report) -> dict[str, Any]:
    """Figures of the queues that the viewer sees, by the company's rule or by one that the address tries."""
    request: HttpRequest = context["request"]
    chosen = rules.rules(report.domain.pk)
    tried = _tried(request, chosen.default)
    by = chosen if tried is None else Rules(tried)
    return {
        **vars(by_queue.of(report, by, MOST_LINES)),
        "report": report,
        "formulas": FORMULAS,
        "shares": SHARES,
        "rule": by.default,
        "is_tried": tried is not None,
        "own": len(by.own),
        "is_administrator": report.viewer.role == "administrator",
        "missing": context.get("missing"),
        "sheet": context["sheets"]["service"],
    }


def _tried(request: HttpRequest, default: Rule) -> Rule | None:
    """The rule of the address, where it names any part of one; nonsense counts as not given."""
    name = request.GET.get("formula", "")
    tried = Rule(
        name if name in FORMULAS else default.formula,
        _seconds(request, "within", default.target),
        _seconds(request, "short", default.short),
        default.is_open_only,
    )
    return None if tried == default else tried


def _seconds(request: HttpRequest, name: str, usual: int) -> int:
    """A time of the address; nonsense counts as not given."""
    text = request.GET.get(name, "")
    return min(int(text), LONGEST_SECONDS) if text.isascii() and text.isdigit() and len(text) < 6 else usual
