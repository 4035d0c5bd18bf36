"""Mutes: no messages about a queue, or about anything, until a moment and with a reason. They end by themselves."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial

import msgspec
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts import audit
from accounts.models import Person
from wallboard.alerts.models import Alert
from wallboard.live import feeds, publish
from wallboard.live.feeds import milliseconds
from wallboard.notifications.models import Mute
from wallboard.queues.models import Queue

LONGEST = timedelta(days=7)
EVERYTHING = "mute:"  # the key of a mute of everything; one of a queue has its number behind it


class MuteDocument(msgspec.Struct, frozen=True):
    """What is muted, as boards tell it: until when (ms) and why. Browsers end it by their own clock."""

    until: int
    reason: str


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
    publish_after_commit(by.domain_id)
    about = str(queue) if queue else ""
    audit.log(by.domain_id, "alerts muted", about, {"until": ["", until.isoformat()], "reason": ["", mute.reason]})
    return mute


def end(mute: Mute) -> None:
    """End a mute before its time; nothing happens where it is over."""
    ended = Mute.objects.filter(pk=mute.pk, until__gt=timezone.now()).update(until=timezone.now())
    if ended:
        publish_after_commit(mute.domain_id)
        audit.log(mute.domain_id, "alerts unmuted", str(mute.queue) if mute.queue else "")


def covering(mutes: Iterable[Mute], alert: Alert) -> Mute | None:
    """The mute that keeps this alert quiet; None where none does."""
    return next((each for each in mutes if each.queue_id is None or each.queue_id == alert.queue_id), None)


def documents(domain_id: int) -> dict[str, tuple[int, MuteDocument]]:
    """What the feed `queues` should hold of mutes: the longest that runs for each queue, and for everything."""
    return {key: (version, each) for key, (version, each) in _by_key(domain_id).items() if each is not None}


def publish_after_commit(domain_id: int) -> None:
    """Send what is muted to every open board, once it is stored."""
    transaction.on_commit(partial(_publish, domain_id), robust=True)


def _publish(domain_id: int) -> None:
    publish.tell(feeds.queues(domain_id), _by_key(domain_id))


def _by_key(domain_id: int) -> dict[str, tuple[int, MuteDocument | None]]:
    """By its key what is muted, None for what was; the version is the moment of the last beginning or end."""
    now = timezone.now()
    # None runs longer than LONGEST, so whatever ended since the one that runs began is still among these.
    lately = Mute.objects.filter(domain_id=domain_id, until__gt=now - LONGEST).select_related("queue")
    found: dict[str, tuple[int, MuteDocument | None]] = {}
    for mute in lately.order_by("until", "-pk"):
        key = EVERYTHING + (mute.queue.number if mute.queue else "")
        is_over = mute.until <= now
        version = max(found.get(key, (0, None))[0], milliseconds(mute.until if is_over else mute.created_at))
        found[key] = (version, None if is_over else MuteDocument(milliseconds(mute.until), mute.reason))
    return found
