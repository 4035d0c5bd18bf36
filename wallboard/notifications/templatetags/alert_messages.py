"""What the page of the alerts shows of messages: who was told of each alert, and what is muted."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import template

from accounts.access import Viewer
from accounts.models import Domain
from wallboard.alerts.models import Alert
from wallboard.notifications import destinations, history, mutes
from wallboard.notifications.history import Line
from wallboard.notifications.models import Destination
from wallboard.queues.models import Queue

register = template.Library()


@register.simple_tag
def messages_about(rows: Sequence[tuple[Alert, str]]) -> Mapping[int, Sequence[Line]]:
    """The messages about the alerts of these rows, by the alert's id."""
    return history.of_alerts([alert for alert, _ in rows])


@register.filter
def of_alert(messages: Mapping[int, Sequence[Line]], alert: Alert) -> Sequence[Line]:
    """Those about this alert."""
    return messages.get(alert.pk, ())


@register.filter
def full_name(destination: Destination) -> str:
    """A destination as whoever set it up knows it: mailboxes with their address."""
    return destinations.full_name(destination)


@register.inclusion_tag("notifications/_mutes.html", takes_context=True)
def alert_mutes(context: Mapping[str, Any]) -> dict[str, Any]:
    """What is muted now, and the form that mutes, as far as the viewer sees the queues."""
    viewer: Viewer = context["viewer"]
    domain = Domain.objects.get(pk=viewer.domain_id)
    open_now = [
        each for each in mutes.open_now(domain.pk) if each.queue is None or viewer.limit.shows_queue(each.queue.number)
    ]
    queues = [
        each for each in Queue.objects.filter(domain=domain, is_hidden=False) if viewer.limit.shows_queue(each.number)
    ]
    return {
        "mutes": [(each, each.queue is not None or not viewer.limit.is_set) for each in open_now],
        "queues": queues,
        "sees_all": not viewer.limit.is_set,
        "zone": domain.time_zone,
        "clock": domain.clock,
        "csrf_token": context.get("csrf_token"),
    }
