"""Daphne opens WebSockets a few milliseconds at a time, so that a thousand that come at once hold up no other request.

Left alone, it answers every handshake in the moment it has been read: a delivery that comes after them waits for all.
"""

import time
from collections import deque
from typing import Any

TURN_SECONDS = 0.004  # of handshakes, after which the loop does other work


class Handshakes:
    """Requests for a WebSocket, in the order in which they came; `call_later(seconds, act)` is the reactor's."""

    def __init__(self, call_later: Any) -> None:
        self._call_later = call_later
        self._waiting: deque[Any] = deque()

    def add(self, request: Any) -> None:
        """Answer this one when its turn comes."""
        if not self._waiting:
            self._call_later(0, self._go_on)
        self._waiting.append(request)

    def _go_on(self) -> None:
        until = time.monotonic() + TURN_SECONDS
        while self._waiting and time.monotonic() < until:
            self._waiting.popleft().open_socket()
        if self._waiting:
            self._call_later(0, self._go_on)


def paced(request_class: Any, handshakes: Handshakes) -> Any:
    """Daphne's request, whose WebSockets wait for their turn."""

    class PacedRequest(request_class):  # type: ignore[misc]
        is_gone = False
        channel: Any

        def process(self) -> Any:
            upgrades = self.requestHeaders.getRawHeaders(b"Upgrade") or [b""]
            if upgrades[0].lower() != b"websocket":
                return super().process()
            self.request_start = time.time()  # by which Daphne ends what takes too long
            handshakes.add(self)
            return None

        def open_socket(self) -> None:
            """Answer the handshake now, if somebody is left to hear it."""
            if self.is_gone:
                return
            channel = self.channel
            super().process()
            # It holds its channel and is held by it: left alone, thousands of pairs wait for the collector of garbage,
            # which looks through all that the process holds, and nobody hears anything meanwhile.
            if self.transport is None:
                channel.requests.remove(self)
                self.channel = None

        def finish(self) -> None:
            self.is_gone = True  # answered already, most likely because it waited too long
            super().finish()

        def connectionLost(self, reason: Any) -> None:
            self.is_gone = True
            super().connectionLost(reason)

    return PacedRequest
