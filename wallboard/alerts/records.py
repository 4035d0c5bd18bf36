"""Storing what becomes of an alert: each change under a new version, with its event, and published after the commit.

Every function is called within a transaction, so that no change is without its event and none the other way.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from django.db import transaction
from django.db.models import F

from wallboard.alerts import documents
from wallboard.alerts.models import Alert, AlertEvent
from wallboard.queues.models import Level

What = AlertEvent.What


def store(alert: Alert) -> Alert:
    """Store an alert that has just been raised."""
    alert.save()
    note(alert, What.RAISED, alert.raised_at)
    return alert


def change(alert: Alert, at: datetime, level: str, **values: object) -> Alert:
    """Store how an open alert stands now. An event is due only where its level changed."""
    worst = Level.LATE if Level.LATE in (level, alert.worst) else Level.WATCH
    changed = _update(alert, level=level, worst=worst, **values)
    if level != alert.level:
        note(changed, What.LEVEL, at)
    return changed


def end(alert: Alert, at: datetime, why: str) -> Alert:
    """Store that it is over, and why."""
    ended = _update(alert, ended_at=at, ended_why=why)
    note(ended, What.ENDED, at)
    return ended


def note(alert: Alert, what: str, at: datetime) -> None:
    """Write down what changed, for those who send messages."""
    AlertEvent.objects.create(alert=alert, what=what, at=at, level=alert.level)


def publish_after_commit(domain_id: int, changed: Sequence[Alert]) -> None:
    """Send the changed alerts to every open page, once they are stored."""
    if changed:
        # Robust: an alert that Redis does not take stays raised, and the feed is mended from the database.
        transaction.on_commit(partial(documents.publish_alerts, domain_id, changed), robust=True)


def _update(alert: Alert, **values: object) -> Alert:
    """Store these values under the next version, and give the alert as it is stored.

    A person may acknowledge it at the same moment: the version grows in the database, not from the one that was read
    here, so that of two changes the feed takes the later one.
    """
    Alert.objects.filter(pk=alert.pk).update(**values, version=F("version") + 1)
    return Alert.objects.select_related("queue").get(pk=alert.pk)
