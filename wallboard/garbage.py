"""Python looks through all that lives long, time and again, for objects that hold each other and nobody else holds.

Each look is a pause in which no browser hears anything: with 5,000 of them 0.3 s, and many while they come back after a
restart. Here each object is looked through once. What has been is put aside (gc.freeze) and still goes when the last
that holds it lets go; open sockets end that way. So that nothing gathers there which holds itself, all is looked
through again once a million objects more lie aside than after the last such look.
"""

import gc
import time

MOST_MORE = 1_000_000
COUNT_SECONDS = 60.0  # to count them takes some milliseconds


class Aside:
    """What the web process has looked through; begin() once all is loaded that stays for good."""

    def __init__(self) -> None:
        self._usual = 0
        self._counted_at = 0.0
        self._is_looking_again = False

    def begin(self) -> None:
        """Look through everything, put it aside, and from then on what every whole look leaves."""
        gc.collect()
        gc.freeze()
        self._usual, self._counted_at = gc.get_freeze_count(), time.monotonic()
        gc.callbacks.append(self.after_look)

    def after_look(self, phase: str, info: dict[str, int]) -> None:
        """Called by Python before and after each look; only the oldest generation's are whole ones."""
        if phase != "stop" or info["generation"] != 2:
            return
        gc.freeze()
        now = time.monotonic()
        if self._is_looking_again:
            self._usual, self._is_looking_again = gc.get_freeze_count(), False
        elif now - self._counted_at >= COUNT_SECONDS:
            self._counted_at = now
            if gc.get_freeze_count() > self._usual + MOST_MORE:
                gc.unfreeze()  # the next look, which is near, finds them again
                self._is_looking_again = True


aside = Aside()
