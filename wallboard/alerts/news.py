"""The documents of the feed `alerts`: the attentions that are open."""

from collections.abc import Iterable
from typing import Any

from wallboard.alerts.models import Episode
from wallboard.live import feeds, publish
from wallboard.live.feeds import milliseconds
from wallboard.queues.news import Documents


def documents(domain_id: int) -> Documents:
    """All that the feed should hold for the domain."""
    return told(Episode.objects.filter(domain_id=domain_id, ended_at=None).select_related("queue"))


def told(episodes: Iterable[Episode]) -> Documents:
    """These attentions by their key; one that has ended is a removal."""
    return {str(each.pk): (each.version, None if each.ended_at else document(each)) for each in episodes}


def tell(domain_id: int, episodes: Iterable[Episode]) -> None:
    """Publish them to every open board."""
    publish.tell(feeds.alerts(domain_id), told(episodes))


def document(episode: Episode) -> dict[str, Any]:
    """An attention as it travels; `since` is when the trouble began, `raised_at` when it had lasted long enough."""
    return {
        "id": episode.pk,
        "queue": episode.queue.number,
        "name": str(episode.queue),
        "level": episode.level,
        "reason": episode.reason,
        "since": milliseconds(episode.began_at),
        "raised_at": milliseconds(episode.raised_at),
        "acknowledged_by": episode.acknowledged_name,
        "acknowledged_at": milliseconds(episode.acknowledged_at),
    }
