"""How many sign-ins and other things that leave a row behind for ten minutes one address may begin without being known.

Kept in memory, per process and bounded. An office of hundreds behind one address gets in; a script fills no table.
"""

import threading
import time
from collections import Counter
from dataclasses import dataclass

from accounts.signin import client_address

WINDOW_SECONDS = 600  # as long as what a start leaves behind
MAX_SIGN_INS = 600  # in a window
MAX_ADDRESSES = 10_000  # that are told apart; all others count together


@dataclass(frozen=True)
class Usage:
    """How much of a limit is used in the window under way, this time included, and when the next one begins."""

    used: int
    seconds_left: int


class WindowCounter:
    """What was begun in this window, by key; bounded: beyond MAX_ADDRESSES all others count together."""

    def __init__(self, window_seconds: int = WINDOW_SECONDS) -> None:
        self._seconds = window_seconds
        self._lock = threading.Lock()
        self._window = 0
        self._begun: Counter[str] = Counter()

    def count(self, key: str) -> Usage:
        """Count one more of this key."""
        now = time.monotonic()
        window = int(now // self._seconds)
        with self._lock:
            if window != self._window:
                self._window, self._begun = window, Counter()
            if len(self._begun) >= MAX_ADDRESSES and key not in self._begun:
                key = ""
            self._begun[key] += 1
            return Usage(self._begun[key], int((window + 1) * self._seconds - now) + 1)


class StartThrottle:
    """What was begun in this window, by address; `limit` of one address are fine."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._counter = WindowCounter()

    def is_exceeded(self, address: str) -> bool:
        """Count one more; whether that is too many."""
        return self._counter.count(client_address.network_of(address)).used > self._limit


sign_ins = StartThrottle(MAX_SIGN_INS)
