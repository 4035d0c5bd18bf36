"""Two periods side by side, on the page of reports."""

from dataclasses import replace
from typing import Any

from django import template
from django.http import HttpRequest
from django.utils import timezone

from wallboard.reports import period_parts
from wallboard.reports.comparison import sides
from wallboard.reports.figures import shown
from wallboard.reports.rollups import still_missing

register = template.Library()


@register.inclusion_tag("reports/_comparison.html", takes_context=True)
def comparisons(context: Any, report: Any) -> dict[str, Any]:
    """The days of the report beside others, where the address asks for some; else how to ask."""
    request: HttpRequest = context["request"]
    choice = request.GET.get("beside", "")
    links = {each: report.link(beside=each) for each in sides.CHOICES}
    if choice not in links:
        return {"links": links}
    then = replace(report, period=sides.earlier(report.period, choice))
    totals, before = context["totals"], then.totals()
    figures = shown(report.domain)
    figure = figures[report.figure]
    return {
        "links": links,
        "choice": choice,
        "without": report.link(),
        "days": period_parts.written(report.period),
        "days_then": period_parts.written(then.period),
        "lines": sides.of_queues(totals, before, figures) + sides.of_calls(context["calls"], then.calls()),
        "figure": figure,
        "queues": sides.by_queue(totals, before, report.figure, figure),
        "key": f"reports.{report.figure}",
        "missing": then.missing(),
        "being_added": still_missing.sentences(context["waiting"], then.period),
        "is_under_way": report.period.end > timezone.now(),
    }
