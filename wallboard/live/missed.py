"""Feeds whose documents Redis did not take from this process: every hub is told of them as soon as Redis answers.

Nobody else knows of the loss: Redis may have been frozen for so short a time that no hub noticed.
"""

import threading
import time
from collections.abc import Callable, Iterable

import redis

from wallboard.live import control
from wallboard.live.feeds import Feed
from wallboard.live.loops import EndLoop, start_thread

ASK_SECONDS = 0.5


class MissedFeeds:
    """`on_published` is called when Redis took word of them, so that nobody goes on sparing it."""

    def __init__(self, on_published: Callable[[], None]) -> None:
        self._on_published = on_published
        self._lock = threading.Lock()
        self._feeds: set[tuple[int, str]] = set()
        self._is_asking = False

    def add(self, feeds: Iterable[Feed]) -> None:
        """These missed something; a thread asks Redis until it listens. Never blocks."""
        with self._lock:
            self._feeds.update((feed.domain_id, feed.name) for feed in feeds)
            must_start, self._is_asking = not self._is_asking, True
        if must_start:
            start_thread("missed feeds", self._ask)

    def _ask(self) -> None:
        # First a pause: Redis failed just now, and more feeds will miss something meanwhile.
        time.sleep(ASK_SECONDS)
        with self._lock:
            feeds, self._feeds = self._feeds, set()
        try:
            control.publish_missed(feeds)
        except redis.RedisError:
            with self._lock:
                self._feeds |= feeds
            return
        self._on_published()
        with self._lock:
            # In one step with the end: what is added after it starts a new thread.
            if self._feeds:
                return
            self._is_asking = False
        raise EndLoop
