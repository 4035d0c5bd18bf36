"""What each feed should hold, from the database: to build a lost feed, and to mend one that missed something."""

import logging
import random
import time
from collections.abc import Callable, Collection, Iterator

import redis

from accounts.spreading import companies
from wallboard.alerts import documents as alerts
from wallboard.boards import layout
from wallboard.boards.cards import figures
from wallboard.boards.models import Board
from wallboard.calls import documents as calls
from wallboard.calls.presence import documents as presence
from wallboard.live import connections, feeds, publish
from wallboard.live.feeds import Documents, Feed
from wallboard.notifications import mutes
from wallboard.queues import documents as queues
from wallboard.sockets import comparing, marks

log = logging.getLogger(__name__)
LONGEST_MENDING = 50.0  # seconds
DOCUMENTS: dict[str, Callable[[int], Documents]] = {
    "queues": lambda domain_id: {**queues.documents(domain_id), **mutes.documents(domain_id)},
    "people": presence.people,
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
        return board_documents(board) if board is not None else {}
    return DOCUMENTS[feed_name](domain_id)


def board_documents(board: Board) -> Documents:
    """The board, and what is counted for it each minute."""
    return {"board": layout.board_document(board), **figures.documents(board)}


def mend(feed: Feed) -> int:
    """Make one feed equal to the database; gives how many documents differed. Raises redis.RedisError.

    The database is read after the feed (publish.mend), each feed by itself: of a read made before, an edit in between
    would be undone.
    """
    return publish.mend(feed, lambda: documents(feed.domain_id, feed.name))


def mend_all(may_go_on: Callable[[], bool] = lambda: True, domain_ids: Collection[int] | None = None) -> int:
    """Mend every feed of these companies, else of all active ones; one that fails does not keep the others from it.

    Feeds of which their mark says that nothing changed are passed over (comparing.py).
    Ends after `LONGEST_MENDING` seconds, or as soon as `may_go_on()`, asked before each feed, says no. The next run
    begins with a feed that this one did not reach, wherever it runs: the order is new each time.
    """
    mended, ends_at = 0, time.monotonic() + LONGEST_MENDING
    found = list(comparing.doubtful(list(all_feeds(domain_ids))).items())
    random.shuffle(found)  # no secret
    for place, (feed, mark) in enumerate(found):
        if time.monotonic() >= ends_at or not may_go_on():
            log.warning("Mending stopped after %d of %d feeds", place, len(found))
            break
        try:
            mended += _mend_and_mark(feed, mark)
        except redis.RedisError:
            # Without Redis none of the others can be mended either.
            raise
        except Exception:
            log.exception("The feed %s of domain %d could not be mended", feed.name, feed.domain_id)
    return mended


def _mend_and_mark(feed: Feed, mark: str) -> int:
    differing = mend(feed)
    # Read before: where either side has changed since, the mark is of a feed that is no more, and counts for nothing.
    if mark and not differing:
        marks.keep(feed, mark)
    return differing


def all_feeds(domain_ids: Collection[int] | None = None) -> Iterator[Feed]:
    """The feeds of these companies, else of all active ones; of the desks only those that somebody looks at.

    Raises redis.RedisError.
    """
    found = companies.active() if domain_ids is None else domain_ids
    for domain_id in found:
        yield from (feeds.queues(domain_id), feeds.people(domain_id), feeds.calls(domain_id), feeds.wall(domain_id))
        yield feeds.alerts(domain_id)
    for domain_id, board_id in Board.objects.filter(domain__in=found).values_list("domain_id", "pk"):
        yield feeds.board(domain_id, board_id)
    # Every extension has a desk; one that nobody looks at is built when somebody does.
    yield from _followed_desks(set(found))


def _followed_desks(domain_ids: set[int]) -> Iterator[Feed]:
    """The desks of these companies that some server process follows right now."""
    for followed in connections.followed(""):
        domain_id, _, name = followed.partition(":")
        kind, _, extension = name.partition(":")
        if kind == "desk" and domain_id.isdigit() and int(domain_id) in domain_ids:
            yield feeds.desk(int(domain_id), extension)
