"""The door through which rooms tell browsers: after commit, never in the way of the save."""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import redis

from wallboard.live import connections
from wallboard.live.feeds import Documents, Feed, Held, newer, versions
from wallboard.live.missed import MissedFeeds

log = logging.getLogger(__name__)
# Each try while Redis hangs may cost its caller connections.TIMEOUT_SECONDS.
PAUSE_SECONDS = 2.0


class Breaker:
    """Whether Redis answers. After a failure nobody tries again for a moment, so that a hung Redis slows no caller."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._broke_at: float | None = None
        self._paused_until = 0.0
        self.failures = 0

    def is_pausing(self) -> bool:
        """Whether to do without Redis for now."""
        return time.monotonic() < self._paused_until

    def failed(self, error: Exception) -> None:
        """Note a failure; only the first of a row is logged."""
        with self._lock:
            self._paused_until = time.monotonic() + PAUSE_SECONDS
            self.failures += 1
            is_first, self._broke_at = self._broke_at is None, self._broke_at or time.monotonic()
        if is_first:
            log.error("Redis does not take news (%s); boards catch up when it does", type(error).__name__)

    def worked(self) -> None:
        """Note a success; the first after failures is logged."""
        # Without the lock, as every publish of a healthy system comes by here.
        if self._broke_at is None:
            return
        with self._lock:
            broke_at, self._broke_at = self._broke_at, None
            self._paused_until = 0.0
        if broke_at is not None:
            log.warning("Redis takes news again after %d s", time.monotonic() - broke_at)


breaker = Breaker()
missed = MissedFeeds(breaker.worked)


def tell(feed: Feed, documents: Documents) -> bool:
    """Publish what is newer; False where Redis could not be reached. Never raises on Redis' account, never blocks long.

    What is missed here every hub mends from the database (`mend`) as soon as Redis is back (missed.py).
    """
    return tell_all([(feed, documents)])


def tell_all(news: Iterable[tuple[Feed, Documents]]) -> bool:
    """As tell(), for many feeds in one round trip and in this order."""
    return send(worded(news))


@dataclass(frozen=True)
class Worded:
    """News as they will be sent, to these feeds."""

    feeds: Sequence[Feed]
    batch: connections.Batch


def worded(news: Iterable[tuple[Feed, Documents]]) -> Worded:
    """What tell_all() would send; Redis is not asked."""
    # No transaction: each feed is one script, and all in one piece would hold up everybody else.
    told, batch = [], connections.Batch()
    for feed, documents in news:
        if documents:
            feed.change(newer(documents), through=batch)
            told.append(feed)
    return Worded(told, batch)


def send(news: Worded) -> bool:
    """Tell what is worded, as tell() does."""
    if not news.feeds:
        return True
    if breaker.is_pausing():
        missed.add(news.feeds)
        return False
    try:
        news.batch.execute()
    except redis.RedisError as error:
        breaker.failed(error)
        missed.add(news.feeds)
        return False
    breaker.worked()
    return True


def mend(feed: Feed, documents: Callable[[], Documents]) -> int:
    """Make the feed equal to the database; only differences travel. Gives how many documents differed.

    The function is called after the feed's versions were read: what the database then lacks, or holds in an older
    version, is truly gone or restored, and the feed follows it. Raises redis.RedisError.
    """
    return mend_all([feed], lambda: {feed: documents()})[feed]


def mend_all(feeds: Sequence[Feed], documents: Callable[[], Mapping[Feed, Documents]]) -> dict[Feed, int]:
    """As mend(), for many feeds in two round trips; the function gives the documents of each of them."""
    held = versions(feeds)
    batch, differing = connections.Batch(), {}
    for feed, wanted in documents().items():
        changes = differences(held[feed], wanted)
        differing[feed] = len(changes)
        if changes or not held[feed].is_built:
            feed.change(changes, is_whole=True, through=batch)
    batch.execute()
    return differing


def differences(held: Held, documents: Documents) -> list[tuple[str, int, object, str]]:
    """What must change for the feed to equal the documents: (key, version, value, version that must still be held)."""
    changes: list[tuple[str, int, object, str]] = [
        # Whoever published since the feed was read knows better: this change finds another version and is void.
        (key, version, value, str(held.versions.get(key, "")))
        for key, (version, value) in documents.items()
        if not held.holds(key, version, value)
    ]
    for key in held.digests.keys() - documents.keys():
        changes.append((key, held.versions[key], None, str(held.versions[key])))
    return changes
