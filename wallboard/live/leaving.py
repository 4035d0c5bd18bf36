"""The end of a server process: browsers are told, what is in hand is finished, and only then does the server end.

Left alone, Daphne drops every connection at the moment it is told to end (SIGTERM): deliveries in the middle of their
commit would get no answer, and browsers no word. uvicorn finishes its requests by itself but says nothing to browsers.
"""

import asyncio
import signal
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

QUIET_SECONDS = 0.3  # without a request: what was on its way when the door was closed has come
LONGEST_SECONDS = 6.0  # whoever ends us kills us some time: the demo after eight seconds, others after ten or more
WORD_SECONDS = 0.05  # for the goodbye to get out
SERVERS = ("twisted", "uvicorn")

_farewells: list[Callable[[], None]] = []


def before_end(act: Callable[[], None]) -> None:
    """Act once this process is told to end, while its sockets still stand."""
    _farewells.append(act)


class Graceful:
    """An ASGI application around all others that holds the server's end up until they have finished."""

    def __init__(self, others: Application) -> None:
        self._others = others
        self._is_armed = self.is_leaving = False
        self._in_hand, self._last_at = 0, 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._is_armed:
            self._arm()
        if scope["type"] != "http":
            await self._others(scope, receive, send)
            return
        self._in_hand += 1
        try:
            await self._others(scope, receive, _last_answer(send) if self.is_leaving else send)
        finally:
            self._in_hand -= 1
            self._last_at = time.monotonic()

    def _arm(self) -> None:
        """Stand before the server's own handler of SIGTERM; a second SIGTERM goes straight to it."""
        self._is_armed = True
        if threading.current_thread() is not threading.main_thread():
            return
        loop, servers_own = asyncio.get_running_loop(), signal.getsignal(signal.SIGTERM)
        owner = type(getattr(servers_own, "__self__", None)).__module__.partition(".")[0]
        if owner not in SERVERS or not callable(servers_own):
            return

        def told(number: int, frame: Any) -> None:
            signal.signal(number, servers_own)
            loop.call_soon_threadsafe(self._begin, lambda: servers_own(number, frame))

        signal.signal(signal.SIGTERM, told)

    def _begin(self, end: Callable[[], object]) -> None:
        self._leaving = asyncio.get_running_loop().create_task(self._leave(end))

    async def _leave(self, end: Callable[[], object]) -> None:
        self.is_leaving = True
        for act in _farewells:
            act()
        try:
            if "daphne.server" in sys.modules:
                close_daphnes_door()
                await self._finish()
            await asyncio.sleep(WORD_SECONDS)
        finally:
            end()

    async def _finish(self) -> None:
        began = self._last_at = time.monotonic()
        while (now := time.monotonic()) - began < LONGEST_SECONDS:
            if not self._in_hand and now - self._last_at >= QUIET_SECONDS:
                return
            await asyncio.sleep(0.02)


def close_daphnes_door() -> None:
    """Listen no more: a proxy goes to the next server at once. What knocked already is let in first."""
    reactor: Any = sys.modules["twisted.internet.reactor"]
    port: Any = sys.modules["twisted.internet.tcp"].Port
    for reader in reactor.getReaders():
        if isinstance(reader, port):
            reader.doRead()
            reader.stopListening()


def _last_answer(send: Send) -> Send:
    """Tells whoever keeps the connection that no further answer comes over it."""

    async def tell(message: Mapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
        await send(message)

    return tell
