"""Who knocks at the webhook with secrets that are none: their guesses cost us next to nothing, whatever they send.

Only secrets that are not known yet come here: what the provider sends to a known address is never held up or counted.
Wrong ones are counted over all processes, bounded; a secret that was made just now is still found, as it is by the
first reading.
"""

import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from wallboard.live.backends.shared_counts import SharedCounts

WINDOW_SECONDS = 60.0
MOST_WRONG = 30  # wrong secrets in a window; an address with more of them is noisy for the rest of it
MOST_AT_ONCE = 512  # guesses that may wait for a reading of the secrets, from everywhere
NOISY_AT_ONCE = 4  # and from one noisy address
MOST_ADDRESSES = 4096  # that are remembered; whoever came longest ago is forgotten first


class TooManyGuesses(Exception):
    """The guess is not even looked at."""


class SecretThrottle:
    """The wrong secrets of the last minute, by address; used from one event loop."""

    def __init__(self, name: str = "") -> None:
        self._wrong: OrderedDict[str, tuple[float, int]] = OrderedDict()
        self._waiting: dict[str, int] = {}
        self._at_once = 0
        self._of_all = SharedCounts(name, int(WINDOW_SECONDS), MOST_ADDRESSES)

    def is_noisy(self, address: str) -> bool:
        """Whether this address has sent too many wrong secrets lately."""
        began, count = self._wrong.get(address, (0.0, 0))
        is_noisy = count >= MOST_WRONG and time.monotonic() - began < WINDOW_SECONDS
        return is_noisy or self._of_all.used(address) >= MOST_WRONG

    @contextmanager
    def attempt(self, address: str) -> Iterator[None]:
        """While one guess of this address is looked up. Raises TooManyGuesses where too many are already."""
        of_address = self._waiting.get(address, 0)
        if self._at_once >= MOST_AT_ONCE or (of_address >= NOISY_AT_ONCE and self.is_noisy(address)):
            raise TooManyGuesses
        self._at_once += 1
        self._waiting[address] = of_address + 1
        try:
            yield
        finally:
            self._at_once -= 1
            self._waiting[address] -= 1
            if not self._waiting[address]:
                # Else every address that ever guessed would stay in memory.
                del self._waiting[address]

    def count_wrong(self, address: str) -> None:
        """Count a wrong secret."""
        self._of_all.count(address)
        now = time.monotonic()
        # Taken out and put in again, which makes it the newest: the oldest goes first.
        began, count = self._wrong.pop(address, (now, 0))
        self._wrong[address] = (began, count + 1) if now - began < WINDOW_SECONDS else (now, 1)
        if len(self._wrong) > MOST_ADDRESSES:
            self._wrong.popitem(last=False)
