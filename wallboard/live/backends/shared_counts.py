"""What all web processes together have counted lately, by key: nobody gets more tries by asking another of them.

A count is made here at once and costs no round trip; a thread tells Redis of what is new, and learns the sum of all.
So the sum is a fraction of a second old, and without Redis each process counts for itself. Windows begin with the first
count and end by the clock of Redis.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import redis
from django.conf import settings

from wallboard.live import connections
from wallboard.live.loops import EndLoop, start_thread

TELL_SECONDS = 0.25
PAUSE_SECONDS = 2.0  # after Redis did not answer
MOST_AT_ONCE = 500


@dataclass
class Sum:
    """What is known of one key: the sum of all, what of it Redis was not told yet, and when the window ends."""

    ends_at: float
    told: int = 0
    untold: int = 0


@dataclass(frozen=True)
class Usage:
    """How much of a limit is used in the window under way, this time included, and when the next one begins."""

    used: int
    seconds_left: int


class SharedCounts:
    """Counts within windows of so many seconds, by key; bounded: beyond `most_keys` all others count together.

    Those of the same name in all processes are one; without a name this process counts alone.
    """

    def __init__(self, name: str, window_seconds: int, most_keys: int) -> None:
        self._name, self._seconds, self._most_keys = name, window_seconds, most_keys
        self._lock = threading.Lock()
        self._sums: dict[str, Sum] = {}
        self._new: set[str] = set()
        self._is_telling = False

    def count(self, key: str) -> Usage:
        """Count one more of this key. Never blocks, so that an event loop may call it."""
        now = time.monotonic()
        with self._lock:
            found = self._sum(key, now)
            found.untold += 1
            must_start = bool(self._name) and not self._is_telling
            self._is_telling = self._is_telling or must_start
            usage = Usage(found.told + found.untold, max(1, int(found.ends_at - now) + 1))
        if must_start:
            start_thread("shared counts", self._tell)
        return usage

    def used(self, key: str) -> int:
        """How often this very key was counted in the window under way."""
        with self._lock:
            found = self._sums.get(key)
            return found.told + found.untold if found and found.ends_at > time.monotonic() else 0

    def _sum(self, key: str, now: float) -> Sum:
        found = self._sums.get(key)
        if found is None and len(self._sums) >= self._most_keys:
            self._sums = {key: each for key, each in self._sums.items() if each.ends_at > now}
            if len(self._sums) >= self._most_keys:
                key, found = "", self._sums.get("")
        if found is None or found.ends_at <= now:
            found = self._sums[key] = Sum(now + self._seconds)
        self._new.add(key)
        return found

    def _tell(self) -> None:
        time.sleep(TELL_SECONDS)
        with self._taken() as untold:
            if not untold:
                return
            for key, (told, milliseconds) in zip(untold, self._told(untold), strict=True):
                self._learn(key, untold[key], told, milliseconds)

    @contextmanager
    def _taken(self) -> Iterator[dict[str, int]]:
        """What Redis is to be told now; it stays untold where that fails. Ends the thread where nothing is left."""
        now = time.monotonic()
        with self._lock:
            taken = list(self._new)[:MOST_AT_ONCE]
            self._new.difference_update(taken)
            # Windows end, and sums of ended ones are dropped, while Redis is away.
            found = {key: self._sums[key] for key in taken if key in self._sums}
            untold = {key: each.untold for key, each in found.items() if each.ends_at > now}
            if not untold and not self._new:
                self._is_telling = False
                raise EndLoop
        try:
            yield untold
        except redis.RedisError:
            with self._lock:
                self._new.update(untold)
            time.sleep(PAUSE_SECONDS)

    def _told(self, untold: dict[str, int]) -> list[tuple[int, int]]:
        """Add these to what Redis knows; gives the sums and the milliseconds that are left. Raises redis.RedisError."""
        pipeline = connections.client().pipeline(transaction=False)
        for key, number in untold.items():
            name = self._key(key)
            pipeline.set(name, 0, nx=True, ex=self._seconds)
            pipeline.incrby(name, number)
            pipeline.pttl(name)
        answers = pipeline.execute()
        told = list(zip(answers[1::3], answers[2::3], strict=True))
        for key, (_, milliseconds) in zip(untold, told, strict=True):
            if milliseconds < 0:  # the window ended between the first and the second command
                connections.client().expire(self._key(key), self._seconds)
        return told

    def _learn(self, key: str, number: int, told: int, milliseconds: int) -> None:
        with self._lock:
            found = self._sums.get(key)
            if found is not None:
                found.told, found.untold = told, max(0, found.untold - number)
                if milliseconds > 0:
                    found.ends_at = time.monotonic() + milliseconds / 1000

    def _key(self, key: str) -> str:
        return connections.channel(settings.REDIS_URL, f"counts:{self._name}:{key}")
