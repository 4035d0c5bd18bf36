"""How many sign-ins and other things that leave a row behind for ten minutes one address may begin without being known.

Counted by all web processes together, and bounded. An office of hundreds behind one address gets in; a script fills no
table.
"""

from accounts.signin import client_address
from wallboard.live.backends.shared_counts import SharedCounts

WINDOW_SECONDS = 600  # as long as what a start leaves behind
MAX_SIGN_INS = 600  # in a window
MAX_ADDRESSES = 10_000  # that are told apart; all others count together


class WindowCounter(SharedCounts):
    """What was begun in this window, by key; bounded: beyond MAX_ADDRESSES all others count together.

    With a `name` all processes count together, without one this process counts alone.
    """

    def __init__(self, window_seconds: int = WINDOW_SECONDS, name: str = "") -> None:
        super().__init__(name, window_seconds, MAX_ADDRESSES)


class StartThrottle:
    """What was begun in this window, by address; `limit` of one address are fine."""

    def __init__(self, limit: int, name: str = "") -> None:
        self._limit = limit
        self._counter = WindowCounter(name=name)

    def is_exceeded(self, address: str) -> bool:
        """Count one more; whether that is too many."""
        return self._counter.count(client_address.network_of(address)).used > self._limit


sign_ins = StartThrottle(MAX_SIGN_INS, "sign-ins")
