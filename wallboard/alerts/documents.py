"""The documents of the feed `alerts`: the alerts that are open."""

from collections.abc import Iterable

import msgspec

from wallboard.alerts import visibility
from wallboard.alerts.models import Alert
from wallboard.live import feeds, publish
from wallboard.live.feeds import milliseconds

Documents = dict[str, tuple[int, "AlertDocument | None"]]


class AlertDocument(msgspec.Struct, frozen=True):
    """An open alert. Times in ms: `since` when the trouble began, `raised_at` when it had lasted long enough.

    `queue` is a number and `person` an extension, "" where it is about none; `facts` fill the sentences of its kind.
    `acknowledged_by` is a name, "" while nobody has acknowledged it.
    """

    id: int
    kind: str
    queue: str
    person: str
    name: str
    level: str
    reason: str
    facts: dict[str, str | int]
    since: int
    raised_at: int
    acknowledged_by: str
    acknowledged_at: int | None


def documents(domain_id: int) -> Documents:
    """All that the feed should hold for the domain."""
    return by_key(Alert.objects.filter(domain_id=domain_id, ended_at=None).select_related("queue"))


def by_key(alerts: Iterable[Alert]) -> Documents:
    """These alerts by their key in the feed; one that has ended is a removal."""
    # The version is the row's own: late news of an earlier state cannot bring an ended alert back.
    return {str(alert.pk): (alert.version, None if alert.ended_at else document(alert)) for alert in alerts}


def publish_alerts(domain_id: int, alerts: Iterable[Alert]) -> None:
    """Send them to every open page."""
    publish.tell(feeds.alerts(domain_id), by_key(alerts))


def document(alert: Alert) -> AlertDocument:
    """An alert as it travels."""
    return AlertDocument(
        id=alert.pk,
        kind=alert.kind,
        queue=alert.queue.number if alert.queue is not None else "",
        person=visibility.person_of(alert),
        name=alert.name,
        level=alert.level,
        reason=alert.reason,
        facts=alert.facts,
        since=milliseconds(alert.began_at),
        raised_at=milliseconds(alert.raised_at),
        acknowledged_by=alert.acknowledged_name,
        acknowledged_at=milliseconds(alert.acknowledged_at),
    )
