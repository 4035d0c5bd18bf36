"""What each feed should hold, from the database: to build a lost feed, and to mend one that missed something."""

import logging
from collections.abc import Callable, Iterator

import redis
from django.conf import settings

from accounts.models import Domain
from wallboard.alerts import news as alerts
from wallboard.boards import counted, layout
from wallboard.boards.models import Board
from wallboard.calls import news as calls
from wallboard.live import connections, feeds, publish
from wallboard.live.feeds import Documents, Feed
from wallboard.queues import news as queues

log = logging.getLogger(__name__)
WHOLE: dict[str, Callable[[int], Documents]] = {
    "queues": queues.documents,
    "people": calls.people,
    "calls": calls.calls,
    "wall": calls.wall,
    "alerts": alerts.documents,
}


def documents(domain_id: int, feed_name: str) -> Documents:
    """Every document of the feed as the database says now. Raises LookupError for a name that is no feed."""
    name, _, rest = feed_name.partition(":")
    if name == "desk" and rest:
        return calls.desk(domain_id, rest)
    if name == "board" and rest.isdigit():
        board = Board.objects.filter(domain_id=domain_id, pk=int(rest)).select_related("domain").first()
        return of_board(board) if board is not None else {}
    return WHOLE[feed_name](domain_id)


def of_board(board: Board) -> Documents:
    """The board, and what is counted for it each minute."""
    return {"board": layout.board_document(board), **counted.documents(board)}


def mend(feed: Feed) -> int:
    """Make one feed equal to the database; gives how many documents differed. Raises redis.RedisError.

    The database is read after the feed (publish.mend), each feed by itself: of a read made before, an edit in between
    would be undone.
    """
    return publish.mend(feed, lambda: documents(feed.domain_id, feed.name))


def mend_all() -> int:
    """Mend every feed of every active company; one that fails does not keep the others from it."""
    mended = 0
    for feed in all_feeds():
        try:
            mended += mend(feed)
        except redis.RedisError:
            raise
        except Exception:
            log.exception("The feed %s of domain %d could not be mended", feed.name, feed.domain_id)
    return mended


def all_feeds() -> Iterator[Feed]:
    """The feeds of all active companies; of the desks only those that somebody looks at."""
    for domain_id in Domain.objects.filter(is_active=True).values_list("pk", flat=True):
        yield from (feeds.queues(domain_id), feeds.people(domain_id), feeds.calls(domain_id), feeds.wall(domain_id))
        yield feeds.alerts(domain_id)
        for board_id in Board.objects.filter(domain_id=domain_id).values_list("pk", flat=True):
            yield feeds.board(domain_id, board_id)
        yield from followed_desks(domain_id)


def followed_desks(domain_id: int) -> list[Feed]:
    """The desks of a company that some server process follows right now. Raises redis.RedisError."""
    stem = feeds.desk(domain_id, "").channel(settings.REDIS_URL)
    followed = connections.client().pubsub_channels(f"{stem}*")
    return [feeds.desk(domain_id, str(channel).removeprefix(stem)) for channel in followed]
