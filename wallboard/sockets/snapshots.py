"""What each feed should hold, from the database: to build a lost feed, and to mend one that missed something."""

import logging
import random
import time
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import redis

from accounts.spreading import companies
from wallboard.alerts import documents as alerts
from wallboard.boards import layout
from wallboard.boards.cards import figures
from wallboard.boards.models import Board
from wallboard.calls import documents as calls
from wallboard.calls import floors
from wallboard.calls.floors import Floor
from wallboard.calls.presence import documents as presence
from wallboard.live import connections, feeds, publish
from wallboard.live.feeds import Documents, Feed
from wallboard.notifications import mutes
from wallboard.queues import documents as queues
from wallboard.sockets import comparing, marks

log = logging.getLogger(__name__)
LONGEST_MENDING = 50.0  # seconds
# Pauses between pieces, as many times as long as the piece took, and at most.
BREATHERS, LONGEST_PAUSE_SECONDS = 2.0, 1.0
TOGETHER = 25  # feeds that are mended at once: those of about eight companies
DOCUMENTS: dict[str, Callable[[int], Documents]] = {
    "queues": lambda domain_id: {**queues.documents(domain_id), **mutes.documents(domain_id)},
    "alerts": alerts.documents,
}
OF_FLOORS: dict[str, Callable[[Floor], Documents]] = {
    "people": presence.people_of,
    "calls": calls.calls_of,
    "wall": calls.wall_of,
}


def documents(domain_id: int, feed_name: str) -> Documents:
    """Every document of the feed as the database says now. Raises LookupError for a name that is no feed."""
    name, _, rest = feed_name.partition(":")
    if name == "desk" and rest:
        return calls.desk(domain_id, rest)
    if name == "board" and rest.isdigit():
        board = Board.objects.filter(domain_id=domain_id, pk=int(rest)).select_related("domain").first()
        return board_documents(board) if board is not None else {}
    if of_floor := OF_FLOORS.get(feed_name):
        return of_floor(floors.read([domain_id], with_everyone=feed_name == "people")[domain_id])
    return DOCUMENTS[feed_name](domain_id)


def board_documents(board: Board) -> Documents:
    """The board, and what is counted for it each minute."""
    return {"board": layout.board_document(board), **figures.documents(board)}


def mend(feed: Feed) -> int:
    """Make one feed equal to the database; gives how many documents differed. Raises redis.RedisError."""
    return mend_together([feed])[feed]


def mend_together(feeds_of_some: Sequence[Feed]) -> dict[Feed, int]:
    """The same for a few feeds; gives how many documents of each differed.

    The database is read after the feeds (publish.mend_all): of a read made before, an edit in between would be undone.
    """
    return publish.mend_all(feeds_of_some, lambda: _documents_of(feeds_of_some))


def _documents_of(feeds_of_some: Sequence[Feed]) -> dict[Feed, Documents]:
    """Every document of each of these; calls and people of all their companies are read together."""
    names = {feed.name for feed in feeds_of_some} & OF_FLOORS.keys()
    companies_of = {feed.domain_id for feed in feeds_of_some if feed.name in names}
    known = floors.read(companies_of, with_everyone="people" in names) if names else {}
    return {
        feed: OF_FLOORS[feed.name](known[feed.domain_id])
        if feed.name in names
        else documents(feed.domain_id, feed.name)
        for feed in feeds_of_some
    }


def mend_all(may_go_on: Callable[[], bool] = lambda: True, domain_ids: Collection[int] | None = None) -> int:
    """Mend every feed of these companies, else of all active ones; one that fails does not keep the others from it.

    Feeds of which their mark says that nothing changed are passed over (comparing.py).
    Ends after `LONGEST_MENDING` seconds, or as soon as `may_go_on()`, asked before each few feeds, says no. The next
    run begins with feeds that this one did not reach, wherever it runs: the order is new each time.
    """
    mended, ends_at = 0, time.monotonic() + LONGEST_MENDING
    found = comparing.doubtful(list(all_feeds(domain_ids)))
    waiting = deque(_pieces(found))
    while waiting:
        if time.monotonic() >= ends_at or not may_go_on():
            log.warning("Mending stopped after %d of %d feeds", len(found) - sum(map(len, waiting)), len(found))
            break
        piece, began = waiting.popleft(), time.monotonic()
        try:
            mended += _mend_and_mark({feed: found[feed] for feed in piece})
        except redis.RedisError:
            # Without Redis none of the others can be mended either.
            raise
        except Exception:
            if len(piece) == 1:
                log.exception("The feed %s of domain %d could not be mended", piece[0].name, piece[0].domain_id)
            # One of them is at fault.
            waiting.extend([feed] for feed in piece if len(piece) > 1)
        if waiting:
            # Many feeds at once keep this process busy without a break: polls have their turn in between.
            time.sleep(min(BREATHERS * (time.monotonic() - began), LONGEST_PAUSE_SECONDS))
    return mended


def _pieces(found: Iterable[Feed]) -> Iterator[list[Feed]]:
    """A few feeds each, those of a company beside each other, the companies in a new order."""
    place: dict[int, float] = defaultdict(random.random)  # no secret
    feeds_of_all = sorted(found, key=lambda feed: (place[feed.domain_id], feed.domain_id))
    return (feeds_of_all[begin : begin + TOGETHER] for begin in range(0, len(feeds_of_all), TOGETHER))


def _mend_and_mark(marks_of: dict[Feed, str]) -> int:
    differing = mend_together(list(marks_of))
    # Read before: where either side has changed since, the mark is of a feed that is no more, and counts for nothing.
    marks.keep({feed: mark for feed, mark in marks_of.items() if mark and not differing[feed]})
    return sum(differing.values())


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
