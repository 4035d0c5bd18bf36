"""A browser's socket as the hub sees it, and the shortest way that a ready frame can take to it.

Each server gets a small adapter that is used only where everything looks as expected; any surprise falls back to the
ordinary ASGI send. What a browser does not take is bounded: past BUFFER_LIMIT nothing more is handed to it.
"""

import asyncio
import logging
import socket
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from wallboard.live.feeds import Feed
from wallboard.live.frames import Frame

log = logging.getLogger(__name__)
BUFFER_LIMIT = 64 * 1024
DRAINED = 8 * 1024
PLAIN_BACKLOG = 16
OPEN = 3  # autobahn's WebSocketProtocol.STATE_OPEN

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Wire(Protocol):
    """The way to one browser."""

    def write(self, frame: Frame) -> bool:
        """Hand over the whole frame, or refuse (False) because too much still waits to be taken."""

    def is_drained(self) -> bool:
        """Whether nearly all that was handed over has been taken."""

    def abort(self) -> None:
        """Drop the connection without a word; for a browser that takes nothing."""


class PlainWire:
    """Any ASGI server: one message after the other through its own send."""

    __slots__ = ("_backlog", "_is_broken", "_send", "_sending")

    def __init__(self, send: Send) -> None:
        self._send = send
        self._backlog: deque[str] = deque()
        self._sending: asyncio.Task[None] | None = None
        self._is_broken = False

    def write(self, frame: Frame) -> bool:
        if self._is_broken or len(self._backlog) >= PLAIN_BACKLOG:
            return False
        self._backlog.extend(frame.texts)
        if self._sending is None:
            self._sending = asyncio.get_running_loop().create_task(self._drain())
        return True

    async def _drain(self) -> None:
        try:
            while self._backlog:
                await self._send({"type": "websocket.send", "text": self._backlog[0]})
                self._backlog.popleft()
        except Exception as error:  # most likely the browser is gone, and the server's disconnect event says so too
            log.debug("A frame could not be sent (%s)", type(error).__name__)
            self._is_broken = True
        self._sending = None

    def is_drained(self) -> bool:
        return not self._backlog and not self._is_broken

    def abort(self) -> None:
        if self._sending is not None:
            self._sending.cancel()


class DaphneWire:
    """Daphne: the kernel's buffer when Twisted's own is empty, else Twisted's transport; under TLS always the latter.

    One send(2) costs a sixth of the way through Twisted's reactor (register writer, select, write, unregister).
    """

    __slots__ = ("_connection", "_protocol", "_socket")

    def __init__(self, protocol: Any, connection: Any) -> None:
        self._protocol = protocol
        self._connection = connection  # the TCP connection, in plain or below TLS
        self._socket = connection.socket if connection is protocol.transport else None

    def write(self, frame: Frame) -> bool:
        protocol, connection = self._protocol, self._connection
        if protocol.state != OPEN or not connection.connected:
            return True  # closing: nobody is left to take it, and the disconnect event is under way
        if self._socket is None or connection.dataBuffer or connection._tempDataBuffer or protocol.send_queue:
            if self._waiting() > BUFFER_LIMIT:
                return False
            protocol.sendData(frame.wire)
            return True
        try:
            sent = self._socket.send(frame.wire)
        except OSError:
            sent = 0  # full, or broken: Twisted finds out which and acts on it
        if sent < len(frame.wire):
            connection.write(frame.wire[sent:])
        return True

    def is_drained(self) -> bool:
        return self._waiting() <= DRAINED

    def _waiting(self) -> int:
        connection = self._connection
        queued = sum(len(chunk) for chunk, _ in self._protocol.send_queue)
        return int(len(connection.dataBuffer) - connection.offset + connection._tempDataLen + queued)

    def abort(self) -> None:
        self._connection.abortConnection()


class UvicornWire:
    """Uvicorn: the kernel's buffer when its asyncio transport's own is empty, else that transport."""

    __slots__ = ("_plain", "_protocol", "_send", "_transport")

    def __init__(self, protocol: Any) -> None:
        self._protocol = protocol
        self._transport = transport = protocol.transport
        # Only asyncio's plain TCP transport has these; TLS and uvloop have their own ways.
        bare: Any = getattr(transport, "_sock", None)
        is_plain = isinstance(bare, socket.socket) and hasattr(transport, "_buffer") and hasattr(transport, "_closing")
        self._plain: Any = transport if is_plain else None
        self._send: Callable[[bytes], int] = bare.send if is_plain else transport.write

    def write(self, frame: Frame) -> bool:
        plain = self._plain
        if plain is None or plain._buffer or plain._closing or self._protocol.close_sent:
            return self._write_behind(frame.wire)
        try:
            sent = self._send(frame.wire)
        except OSError:
            sent = 0  # full, or broken: the transport finds out which and acts on it
        if sent < len(frame.wire):
            plain.write(frame.wire[sent:])
        return True

    def _write_behind(self, wire: bytes) -> bool:
        transport = self._transport
        if self._protocol.close_sent or transport.is_closing():
            return True
        if transport.get_write_buffer_size() > BUFFER_LIMIT:
            return False
        transport.write(wire)
        return True

    def is_drained(self) -> bool:
        return bool(self._transport.get_write_buffer_size() <= DRAINED)

    def abort(self) -> None:
        self._transport.abort()


def wire_for(send: Send) -> Wire:
    """The shortest way behind an ASGI send callable; call it after the socket was accepted."""
    return _daphne(send) or _uvicorn(send) or PlainWire(send)


def _daphne(send: Any) -> Wire | None:
    """The way into Daphne, whose send is partial(server.handle_reply, protocol); None for anything else."""
    daphne, tcp = sys.modules.get("daphne.ws_protocol"), sys.modules.get("twisted.internet.tcp")
    if daphne is None or tcp is None:
        return None
    protocol = next(iter(getattr(send, "args", ())), None)
    if not isinstance(protocol, daphne.WebSocketProtocol):
        return None
    connection = protocol.transport
    if type(connection).__module__ == "twisted.protocols.tls":
        connection = connection.transport
    is_usual = isinstance(connection, tcp.Connection) and not connection.TLS and protocol.state == OPEN
    needed = ("dataBuffer", "_tempDataBuffer", "_tempDataLen", "offset", "socket", "abortConnection")
    is_known = is_usual and all(hasattr(connection, name) for name in needed) and hasattr(protocol, "send_queue")
    return DaphneWire(protocol, connection) if is_known else None


def _uvicorn(send: Any) -> Wire | None:
    """The way into uvicorn's websockets or wsproto protocol, whose send is a method of it; None for anything else."""
    protocol = getattr(send, "__self__", None)
    if type(protocol).__module__ not in (
        "uvicorn.protocols.websockets.websockets_sansio_impl",
        "uvicorn.protocols.websockets.wsproto_impl",
    ):
        return None
    is_usual = getattr(protocol, "handshake_complete", False) and hasattr(protocol, "close_sent")
    return UvicornWire(protocol) if is_usual and hasattr(protocol, "transport") else None


class Socket:
    """One accepted browser: whose it is, the way to it, and how to end it."""

    __slots__ = ("_close", "_send", "_wire", "feeds", "screen_id", "stuck_since", "user_id")

    def __init__(
        self,
        send: Send,
        close: Callable[[int], None],
        *,
        user_id: int | None = None,
        screen_id: int | None = None,
    ) -> None:
        self._send = send
        self._wire = wire_for(send)
        self._close = close
        self.user_id = user_id
        self.screen_id = screen_id
        self.feeds: tuple[Feed, ...] = ()
        self.stuck_since: float | None = None

    def take(self, frame: Frame) -> bool:
        """Send the frame, or refuse it (False) because the browser still owes too much; never raises."""
        try:
            is_taken = self._wire.write(frame)
        except Exception:
            log.exception("The short way to a browser failed; going on with the server's own send")
            self._wire = PlainWire(self._send)
            is_taken = self._wire.write(frame)
        if not is_taken and self.stuck_since is None:
            self.stuck_since = time.monotonic()
        return is_taken

    def is_drained(self) -> bool:
        """Whether the browser has taken nearly all that was handed over."""
        return self._wire.is_drained()

    def close(self, code: int) -> None:
        """End the socket with this close code, without waiting for it."""
        self._close(code)

    def abort(self) -> None:
        """Drop the connection at once."""
        self._wire.abort()
