"""Uvicorn: its WebSocket protocols on `websockets` (without I/O of its own) and wsproto, over asyncio's transports."""

import socket
from collections.abc import Callable
from typing import Any

from wallboard.live.asgi import Message, Send
from wallboard.live.frames import Frame
from wallboard.live.servers import interface
from wallboard.live.servers.interface import Connection, HttpTransport, Internal

PROTOCOL_MODULES = (
    "uvicorn.protocols.websockets.websockets_sansio_impl",
    "uvicorn.protocols.websockets.wsproto_impl",
)
INTERNALS = (
    Internal("protocol", "handshake_complete", "tells whether the WebSocket is open"),
    Internal("protocol", "close_sent", "tells whether it is closing"),
    Internal("transport", "write", "takes what the kernel did not"),
    Internal("transport", "is_closing", "tells whether the TCP connection ends"),
    Internal("transport", "get_write_buffer_size", "tells how many bytes wait"),
    Internal("transport", "abort", "drops the connection at once"),
)
OF_PLAIN_TCP = (  # asyncio's own selector transport alone has these; TLS and uvloop go their own ways
    Internal("transport", "_sock", "is the kernel's socket"),
    Internal("transport", "_buffer", "holds the bytes that wait"),
    Internal("transport", "_closing", "tells whether the TCP connection ends, without a call"),
)
HTTP_INTERNALS = tuple(each for each in INTERNALS if each.name in ("get_write_buffer_size", "abort"))


class UvicornConnection:
    """Writes to the kernel while asyncio's transport holds nothing, else to that transport."""

    __slots__ = ("_plain", "_protocol", "_send", "_transport")
    kernel_socket = None  # asyncio has no list of those whose bytes wait

    def __init__(self, protocol: Any, transport: Any) -> None:
        self._protocol = protocol
        self._transport = transport
        is_plain = not interface.moved(OF_PLAIN_TCP, {"transport": transport})
        is_plain = is_plain and isinstance(transport._sock, socket.socket)
        self._plain: Any = transport if is_plain else None
        self._send: Callable[[bytes], int] = transport._sock.send if is_plain else transport.write

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
        if transport.get_write_buffer_size() > interface.BUFFER_LIMIT_BYTES:
            return False
        transport.write(wire)
        return True

    def is_drained(self) -> bool:
        return bool(self._transport.get_write_buffer_size() <= interface.DRAINED_BYTES)

    def abort(self) -> None:
        self._transport.abort()

    def tell(self, hear: Callable[[Message], None]) -> bool:
        return False  # it closes the socket of an application that returns


def connection_behind(send: Send) -> Connection | None:
    """As interface.Server says: uvicorn's send is a method of the protocol."""
    objects = objects_behind(send)
    if objects is None:
        return None
    if interface.has_moved(INTERNALS, objects):
        return None
    protocol = objects["protocol"]
    return UvicornConnection(protocol, objects["transport"]) if protocol.handshake_complete else None


def objects_behind(send: Any) -> dict[str, Any] | None:
    """The protocol behind a `send` of uvicorn's, and its transport; None for other sends."""
    protocol = getattr(send, "__self__", None)
    if type(protocol).__module__ not in PROTOCOL_MODULES:
        return None
    return {"protocol": protocol, "transport": getattr(protocol, "transport", None)}


class UvicornHttp:
    """Uvicorn's `send` waits itself while asyncio's transport holds too much."""

    __slots__ = ("_transport",)

    def __init__(self, transport: Any) -> None:
        self._transport = transport

    def waiting_bytes(self) -> int:
        """As interface.HttpTransport says."""
        return int(self._transport.get_write_buffer_size())

    def abort(self) -> None:
        """As interface.HttpTransport says."""
        self._transport.abort()


def http_transport(send: Send) -> HttpTransport | None:
    """As interface.Server says: uvicorn's send is a method of the request's cycle."""
    cycle = getattr(send, "__self__", None)
    transport = getattr(cycle, "transport", None)
    if not type(cycle).__module__.startswith("uvicorn.protocols.http."):
        return None
    if interface.has_moved(HTTP_INTERNALS, {"transport": transport}):
        return None
    return UvicornHttp(transport)


def owns(handler: object) -> bool:
    """As interface.Server says: the handler is a method of uvicorn's server."""
    return type(getattr(handler, "__self__", None)).__module__.partition(".")[0] == "uvicorn"


def is_calm() -> bool:
    """As interface.Server says; here each connection has to be asked."""
    return False


def stop_accepting() -> bool:
    """Nothing to do: at its SIGTERM uvicorn listens no more and finishes its requests by itself."""
    return False
