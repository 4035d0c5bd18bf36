"""How many sign-ins and other things that leave a row behind for ten minutes one address may begin without being known.

Kept in memory, per process and bounded. An office of hundreds behind one address gets in; a script fills no table.
"""

import threading
import time
from collections import Counter
from ipaddress import IPv6Address, ip_address

WINDOW_SECONDS = 600  # as long as what a start leaves behind
MOST_SIGN_INS = 600  # in a window
MOST_ADDRESSES = 10_000  # that are told apart; all others count together


class Starts:
    """What was begun in this window, by address; `most` of one address are fine."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._window = 0
        self._begun: Counter[str] = Counter()

    def are_over(self, address: str) -> bool:
        """Count one more; whether that is too many."""
        window = int(time.monotonic() // WINDOW_SECONDS)
        with self._lock:
            if window != self._window:
                self._window, self._begun = window, Counter()
            owner = owner_of(address)
            if len(self._begun) >= MOST_ADDRESSES and owner not in self._begun:
                owner = ""
            self._begun[owner] += 1
            return self._begun[owner] > self._most


def owner_of(address: str) -> str:
    """Who stands behind an address: with IPv6 one customer may have a whole /48 of them."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 80 << 80))


sign_ins = Starts(MOST_SIGN_INS)
