"""How fast people respond to alerts, on the page of reports."""

from typing import Any

from django import template

from wallboard.reports import alert_response
from wallboard.reports.service.by_queue import Report

MOST_LINES, MOST_BY_WEEK = 60, 12  # queues in the tables; the sheet holds all

register = template.Library()


@register.inclusion_tag("reports/_alert_response.html", takes_context=True)
def alert_responses(context: Any, report: Report) -> dict[str, Any]:
    """A row for each queue, and one for each week of those with the most alerts where the days lie in several."""
    asked = report.domain, report.period, report.viewer.limit, report.queues
    shown, left_out = alert_response.by_queue(*asked, MOST_LINES)
    by_week = alert_response.most(shown, MOST_BY_WEEK)
    weeks = alert_response.by_week(by_week, report.period)
    return {
        "rows": alert_response.responses(shown),
        "rows_left_out": left_out,
        "weeks": weeks if len({each.week for each in weeks}) > 1 else [],
        "weeks_left_out": left_out + len(shown) - len(by_week),
        "sheet": context["sheets"]["alerts"],
    }
