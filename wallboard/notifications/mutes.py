"""Mutes: no messages about a queue, or about anything, until a moment and with a reason. They end by themselves."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from accounts import audit
from accounts.models import Person
from wallboard.alerts.models import Alert
from wallboard.notifications.models import Mute
from wallboard.queues.models import Queue

LONGEST = timedelta(days=7)


def open_now(domain_id: int, now: datetime | None = None) -> QuerySet[Mute]:
    """The mutes that hold, the longest first."""
    running = Mute.objects.filter(domain_id=domain_id, until__gt=now or timezone.now())
    return running.select_related("queue").order_by("-until", "pk")


def begin(by: Person, queue: Queue | None, until: datetime, reason: str) -> Mute:
    """Mute a queue or everything. Raises ValueError for a time that has passed or lies too far ahead."""
    now = timezone.now()
    if not now < until <= now + LONGEST:
        raise ValueError("until")
    mute = Mute.objects.create(
        domain_id=by.domain_id, queue=queue, until=until, reason=reason.strip(), by=by, by_name=str(by)
    )
    about = str(queue) if queue else ""
    audit.log(by.domain_id, "alerts muted", about, {"until": ["", until.isoformat()], "reason": ["", mute.reason]})
    return mute


def end(mute: Mute) -> None:
    """End a mute before its time; nothing happens where it is over."""
    ended = Mute.objects.filter(pk=mute.pk, until__gt=timezone.now()).update(until=timezone.now())
    if ended:
        audit.log(mute.domain_id, "alerts unmuted", str(mute.queue) if mute.queue else "")


def covering(mutes: Iterable[Mute], alert: Alert) -> Mute | None:
    """The mute that keeps this alert quiet; None where none does."""
    return next((each for each in mutes if each.queue_id is None or each.queue_id == alert.queue_id), None)
