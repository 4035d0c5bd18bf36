"""Alerts: what needs a person now, and what did."""

from datetime import datetime
from typing import Literal

import msgspec

from wallboard.alerts import visibility
from wallboard.alerts.models import Alert
from wallboard.api import paging, scopes
from wallboard.api.endpoints import Asked, Count, Cursor, Endpoint


class AlertQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which alerts: those that are open, those that ended, or all."""

    state: Literal["open", "ended", "all"] = "open"
    limit: Count = 50
    cursor: Cursor = ""


class AlertRow(msgspec.Struct, frozen=True):
    """An alert. `queue` is a number and `person` an extension, "" where it is about none; `name` names it."""

    id: int
    kind: str
    queue: str
    person: str
    name: str
    level: str
    worst_level: str
    reason: str
    began_at: datetime
    raised_at: datetime
    acknowledged_at: datetime | None
    acknowledged_by: str
    ended_at: datetime | None
    ended_why: str


class AlertPage(msgspec.Struct, frozen=True):
    """Alerts, the newest first."""

    items: list[AlertRow]
    next: str | None


def alerts(asked: Asked) -> AlertPage:
    """The alerts that the token may see."""
    query: AlertQuery = asked.query
    rows = Alert.objects.filter(domain=asked.domain).select_related("queue").order_by("-raised_at", "-pk")
    rows = visibility.restrict(rows, asked.caller.limit)
    if query.state != "all":
        rows = rows.filter(ended_at__isnull=query.state == "open")
    if place := paging.decode(query.cursor, paging.ByTime):
        rows = rows.filter(paging.after("raised_at", place.at, place.id, descending=True))
    page, has_more = paging.cut(rows[: query.limit + 1], query.limit)
    following = paging.encode(paging.ByTime(page[-1].raised_at, page[-1].pk)) if has_more else None
    return AlertPage([_row(each) for each in page], following)


def _row(alert: Alert) -> AlertRow:
    return AlertRow(
        alert.pk,
        alert.kind,
        alert.queue.number if alert.queue else "",
        visibility.person_of(alert),
        alert.name,
        alert.level,
        alert.worst,
        alert.reason,
        alert.began_at,
        alert.raised_at,
        alert.acknowledged_at,
        alert.acknowledged_name,
        alert.ended_at,
        alert.ended_why,
    )


ENDPOINTS = (
    Endpoint("alerts", "alerts", scopes.ALERTS, "Alerts, the newest first", alerts, AlertPage, query=AlertQuery),
)
