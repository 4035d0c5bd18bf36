"""Which feeds of a company are recorded, and which of them together."""

from collections.abc import Iterable

from wallboard.live import feeds
from wallboard.live.feeds import Feed

# Both tell of the same calls, so the second costs little beside the first.
TOGETHER = {"wall": "calls"}


def feeds_of(domain_id: int, board_ids: Iterable[int]) -> list[Feed]:
    """All that the boards of a company draw from."""
    shared = [feed(domain_id) for feed in (feeds.queues, feeds.people, feeds.calls, feeds.wall, feeds.alerts)]
    return [*shared, *(feeds.board(domain_id, pk) for pk in board_ids)]


def track_of(feed_name: str) -> str:
    """The track that a feed is recorded in."""
    return TOGETHER.get(feed_name, feed_name)
