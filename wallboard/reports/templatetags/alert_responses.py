"""How fast people respond to alerts, on the page of reports."""

from typing import Any

from django import template

from wallboard.reports import alert_response
from wallboard.reports.service.by_queue import Report

register = template.Library()


@register.inclusion_tag("reports/_alert_response.html", takes_context=True)
def alert_responses(context: Any, report: Report) -> dict[str, Any]:
    """A row for each queue, and one for each of its weeks where the days lie in several."""
    found = alert_response.by_queue(report.domain, report.period, report.viewer.limit, report.queues)
    weeks = alert_response.by_week(found, report.period.zone)
    return {
        "rows": alert_response.responses(found),
        "weeks": weeks if len({each.week for each in weeks}) > 1 else [],
        "sheet": context["sheets"]["alerts"],
    }
