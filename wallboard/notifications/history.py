"""Who was told of an alert when, over what, and with what outcome."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from wallboard.alerts.lifecycle import RETENTION
from wallboard.alerts.models import Alert
from wallboard.notifications import destinations
from wallboard.notifications.models import Channel, Delivery, LastMessage, Mute, Notice

State = Delivery.State


@dataclass(frozen=True, slots=True)
class Line:
    """Somebody and what became of telling them; `channel` is "" where nothing was sent."""

    at: datetime
    what: str
    told: str
    route: str
    channel: str
    destination: str
    state: str
    outcome: str
    is_good: bool


def of_alerts(alerts: Iterable[Alert]) -> Mapping[int, Sequence[Line]]:
    """The lines of each of these alerts, in their order."""
    notices = list(Notice.objects.filter(alert__in=[each.pk for each in alerts]).order_by("pk"))
    deliveries: dict[object, list[Delivery]] = defaultdict(list)
    for delivery in Delivery.objects.filter(batch__in={each.batch for each in notices if each.batch}):
        deliveries[delivery.batch].append(delivery)
    found: dict[int, list[Line]] = defaultdict(list)
    for notice in notices:
        found[notice.alert_id] += list(_lines(notice, deliveries[notice.batch]))
    return found


def _lines(notice: Notice, deliveries: Sequence[Delivery]) -> Iterable[Line]:
    head = (notice.get_what_display(), notice.told, notice.route_name)
    if notice.held_back:
        yield Line(notice.created_at, *head, "", "", _("not sent"), notice.get_held_back_display(), False)
        return  # even where it was in a message: that went out without it
    if notice.batch is None:
        yield Line(notice.created_at, *head, "", "", _("waiting"), _("at most one message a minute"), True)
    for each in deliveries:
        at, is_good = each.ended_at or each.created_at, each.state != State.GIVEN_UP
        channel = Channel(each.channel).label
        yield Line(at, *head, str(channel), each.destination_name, each.get_state_display(), each.outcome, is_good)


def delete_old() -> None:
    """Delete what is older than the alerts that it was about."""
    before = timezone.now() - RETENTION
    Delivery.objects.filter(created_at__lt=before).delete()
    Mute.objects.filter(until__lt=before).delete()
    destinations.remove_orphans()
    LastMessage.objects.filter(at__lt=timezone.now() - timedelta(days=1)).delete()
