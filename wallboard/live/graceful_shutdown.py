"""The end of a server process: browsers are told, what is in hand is finished, and only then does the server end.

Left alone, Daphne drops every connection at the moment it is told to end (SIGTERM): deliveries in the middle of their
commit would get no answer, and browsers no word. uvicorn finishes its requests by itself but says nothing to browsers.
"""

import asyncio
import logging
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

from wallboard.live.asgi import Application, Message, Receive, Scope, Send
from wallboard.live.servers.detection import owner_of
from wallboard.live.servers.interface import Server

log = logging.getLogger(__name__)
QUIET_SECONDS = 0.3  # without a request: what was on its way when the server stopped listening has come
LONGEST_SECONDS = 6.0  # whoever ends us kills us some time: the demo after eight seconds, others after ten or more
GOODBYE_SECONDS = 0.05  # for the goodbye to get out

_before_end: list[Callable[[], None]] = []


def before_end(act: Callable[[], None]) -> None:
    """Act once this process is told to end, while its sockets still stand."""
    _before_end.append(act)


class GracefulShutdown:
    """An ASGI application around all others that holds the server's end up until they have finished.

    With its first request it takes the place of the server's own handler of SIGTERM, and calls that at last. For
    `drain_seconds` before, it goes on with everything but /healthz, by which a proxy sees to ask another process.
    """

    def __init__(self, others: Application, drain_seconds: float = 0) -> None:
        self._others, self._drain_seconds = others, drain_seconds
        self._is_installed = self.is_ending = False
        self._in_hand, self._last_at = 0, 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._is_installed:
            self._install()
        if scope["type"] != "http":
            await self._others(scope, receive, send)
            return
        if self.is_ending and scope["path"] == "/healthz":
            await _refuse(send)
            return
        self._in_hand += 1
        try:
            await self._others(scope, receive, _closing_after(send) if self.is_ending else send)
        finally:
            self._in_hand -= 1
            self._last_at = time.monotonic()

    def _install(self) -> None:
        """Stand before the server's own handler of SIGTERM; a second SIGTERM goes straight to it."""
        self._is_installed = True
        # Python lets no other thread handle signals.
        if threading.current_thread() is not threading.main_thread():
            return
        loop, servers_own = asyncio.get_running_loop(), signal.getsignal(signal.SIGTERM)
        server = owner_of(servers_own)
        if server is None or not callable(servers_own):
            return

        def handle(number: int, frame: Any) -> None:
            signal.signal(number, servers_own)
            # A signal comes between any two instructions, and the loop may be asleep.
            loop.call_soon_threadsafe(self._begin, server, lambda: servers_own(number, frame))

        signal.signal(signal.SIGTERM, handle)

    def _begin(self, server: Server, end: Callable[[], object]) -> None:
        self._ending = asyncio.get_running_loop().create_task(self._shut_down(server, end))

    async def _shut_down(self, server: Server, end: Callable[[], object]) -> None:
        """Whatever fails on the way, the server ends."""
        self.is_ending = True
        await asyncio.sleep(self._drain_seconds)
        try:
            for act in _before_end:
                _attempt(act)
            # False where the server finishes its requests by itself, once it gets the signal.
            if server.stop_accepting():
                await self._finish()
            await asyncio.sleep(GOODBYE_SECONDS)
        except Exception:
            log.exception("This process could not finish what it had in hand")
        finally:
            end()

    async def _finish(self) -> None:
        began = self._last_at = time.monotonic()
        while (now := time.monotonic()) - began < LONGEST_SECONDS:
            if not self._in_hand and now - self._last_at >= QUIET_SECONDS:
                return
            await asyncio.sleep(0.02)


def _attempt(act: Callable[[], None]) -> None:
    try:
        act()
    except Exception:  # the others act all the same
        log.exception("Something to be done before the end could not be done")


async def _refuse(send: Send) -> None:
    await send({"type": "http.response.start", "status": 503, "headers": [(b"connection", b"close")]})
    await send({"type": "http.response.body", "body": b"ending\n"})


def _closing_after(send: Send) -> Send:
    """Tells whoever keeps the connection that no further answer comes over it (RFC 9112 section 9.6)."""

    async def send_closing(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
        await send(message)

    return send_closing
