"""How many sign-ins and other things that leave a row behind for ten minutes one address may begin without being known.

Kept in memory, per process and bounded. An office of hundreds behind one address gets in; a script fills no table.
"""

import threading
import time
from collections import Counter

from accounts.signin import client_address

WINDOW_SECONDS = 600  # as long as what a start leaves behind
MAX_SIGN_INS = 600  # in a window
MAX_ADDRESSES = 10_000  # that are told apart; all others count together


class StartThrottle:
    """What was begun in this window, by address; `limit` of one address are fine."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._window = 0
        self._begun: Counter[str] = Counter()

    def is_exceeded(self, address: str) -> bool:
        """Count one more; whether that is too many."""
        window = int(time.monotonic() // WINDOW_SECONDS)
        with self._lock:
            if window != self._window:
                self._window, self._begun = window, Counter()
            network = client_address.network_of(address)
            if len(self._begun) >= MAX_ADDRESSES and network not in self._begun:
                network = ""
            self._begun[network] += 1
            return self._begun[network] > self._limit


sign_ins = StartThrottle(MAX_SIGN_INS)
