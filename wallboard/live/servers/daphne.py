"""Daphne: autobahn's WebSocket protocol over Twisted's TCP connections, on Twisted's reactor.

What is handed to Twisted goes through its reactor (register a writer, select, write, unregister), which costs six times
as much as one send(2). So while nothing waits, frames go straight to the kernel.
"""

import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pprint import pformat
from typing import Any

from wallboard.live.asgi import Message, Send
from wallboard.live.frames import Frame
from wallboard.live.servers import daphne_checks, daphne_closing, daphne_memory, interface
from wallboard.live.servers.daphne_answers import flowing
from wallboard.live.servers.daphne_handshakes import Handshakes, paced
from wallboard.live.servers.daphne_headers import readable
from wallboard.live.servers.interface import Connection, HttpTransport, Internal

PROTOCOL_MODULE = "daphne.ws_protocol"
HTTP_PROTOCOL_MODULE = "twisted.web.http"
OPEN = 3  # autobahn.websocket.protocol.WebSocketProtocol.STATE_OPEN
INTERNALS = (
    Internal("protocol", "state", "tells whether the WebSocket is open"),
    Internal("protocol", "sendData", "puts bytes behind those that wait already"),
    Internal("protocol", "sendCloseFrame", "tells the browser that no more will come"),
    Internal("protocol", "dropConnection", "ends the connection"),
    Internal("protocol", "connectionLost", "is called when it has ended"),
    Internal("protocol", "send_queue", "holds what autobahn itself has not written yet"),
    Internal("connection", "connected", "tells whether the TCP connection stands"),
    Internal("connection", "socket", "is the kernel's socket"),
    Internal("connection", "TLS", "tells whether bytes are encrypted here"),
    Internal("connection", "dataBuffer", "holds the bytes that Twisted is writing"),
    Internal("connection", "offset", "tells how many of those are written"),
    Internal("connection", "_tempDataBuffer", "holds the pieces that come after those"),
    Internal("connection", "_tempDataLen", "tells how many bytes these pieces have"),
    Internal("connection", "write", "takes what the kernel did not"),
    Internal("reactor", "_writers", "has every connection whose bytes wait in Twisted"),
    Internal("connection", "protocol", "tells what is spoken over it"),
    Internal("connection", "abortConnection", "drops the connection at once"),
    Internal("connection", "producer", "is the HTTP channel that the socket came over"),
    Internal("connection", "unregisterProducer", "lets that go"),
    Internal("protocol", "application_queue", "is told what the browser does"),
    Internal("protocol", "server", "knows each socket's application by `connections`"),
    Internal("protocol", "CONFIG_ATTRS", "names the options that each socket has of its own"),
    Internal("protocol", "request", "has the path of the socket"),
    Internal("protocol", "trafficStats", "counts bytes"),
    Internal("protocol", "last_ping", "tells when the next ping is due"),
)
BACKLOG = 1024  # connections that wait to be accepted, as far as net.core.somaxconn lets them; Twisted's own is 50
MOST_ACCEPTED = 100  # connections in one turn of the loop: Twisted takes more and more, and deliveries wait meanwhile
# The others put a limit, a pace and a time into Daphne's request.
HTTP_MODULES = (
    "daphne.http_protocol",
    "wallboard.body_limits",
    "wallboard.live.servers.daphne_answers",
    "wallboard.live.servers.daphne_handshakes",
)
HTTP_INTERNALS = tuple(
    each for each in INTERNALS if each.name in ("dataBuffer", "offset", "_tempDataLen", "abortConnection")
)


class DaphneConnection:
    """Writes to the kernel while nothing waits, else to Twisted's transport; under TLS always to the latter."""

    __slots__ = ("_connection", "_protocol", "_socket", "_writers", "kernel_socket")

    def __init__(self, protocol: Any, connection: Any) -> None:
        self._protocol = protocol
        self._connection = connection
        self._socket = connection.socket if connection is protocol.transport else None
        self.kernel_socket: socket.socket | None = self._socket if daphne_closing.is_watched(type(protocol)) else None
        self._writers = connection.reactor._writers
        daphne_memory.forget_handshake(protocol, connection)

    def write(self, frame: Frame) -> bool:
        connection = self._connection
        if self._protocol.state != OPEN:
            return True  # closing: nobody is left to take it, and the disconnect event is under way
        # With thousands of browsers, each object looked at is one that the processor's cache no longer holds. So all
        # of them share one look: Twisted's reactor knows whose bytes wait, and mostly nobody's do.
        if self._socket is None or (self._writers and connection in self._writers):
            return self._write_behind(frame.wire)
        try:
            sent = self._socket.send(frame.wire)
        except OSError:
            sent = 0  # full, broken or closed: Twisted finds out which and acts on it
        # The rest is Twisted's; until it is written, all other frames queue behind it.
        if sent < len(frame.wire):
            connection.write(frame.wire[sent:])
        return True

    def _write_behind(self, wire: bytes) -> bool:
        if not self._connection.connected:
            return True
        if self._waiting_bytes() > interface.BUFFER_LIMIT_BYTES:
            return False
        self._protocol.sendData(wire)
        return True

    def is_drained(self) -> bool:
        return self._waiting_bytes() <= interface.DRAINED_BYTES

    def _waiting_bytes(self) -> int:
        connection = self._connection
        queued = sum(len(chunk) for chunk, _ in self._protocol.send_queue)
        return int(len(connection.dataBuffer) - connection.offset + connection._tempDataLen + queued)

    def abort(self) -> None:
        self._connection.abortConnection()

    def tell(self, hear: Callable[[Message], None]) -> bool:
        return daphne_memory.tell(self._protocol, hear)


def connection_behind(send: Send) -> Connection | None:
    """As interface.Server says: Daphne's send is functools.partial(server.handle_reply, protocol)."""
    objects = objects_behind(send)
    # A browser that has left while it was let in has no socket any more: that is no change of the server.
    if objects is None or not getattr(objects["connection"], "connected", True):
        return None
    if interface.has_moved(INTERNALS, objects):
        return None
    protocol, connection = objects["protocol"], objects["connection"]
    from twisted.internet import tcp  # loaded by the server itself; nobody else needs it

    is_usual = isinstance(connection, tcp.Connection) and not connection.TLS and protocol.state == OPEN
    return DaphneConnection(protocol, connection) if is_usual else None


def objects_behind(send: Any) -> dict[str, Any] | None:
    """The protocol behind a `send` of Daphne's, and its TCP connection, in plain or below TLS; None for other sends."""
    protocol = next(iter(getattr(send, "args", ())), None)
    if type(protocol).__module__ != PROTOCOL_MODULE:
        return None
    connection = getattr(protocol, "transport", None)
    if type(connection).__module__ == "twisted.protocols.tls":
        connection = getattr(connection, "transport", None)
    return {"protocol": protocol, "connection": connection, "reactor": getattr(connection, "reactor", None)}


class DaphneHttp:
    """Twisted buffers whatever an answer writes: ASGI's `send` never waits for the reader here."""

    __slots__ = ("_connection",)

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def waiting_bytes(self) -> int:
        """As interface.HttpTransport says."""
        connection = self._connection
        return int(len(connection.dataBuffer) - connection.offset + connection._tempDataLen)

    def abort(self) -> None:
        """As interface.HttpTransport says."""
        self._connection.abortConnection()


def http_transport(send: Send) -> HttpTransport | None:
    """As interface.Server says: Daphne's send is functools.partial(server.handle_reply, request)."""
    request = next(iter(getattr(send, "args", ())), None)
    connection = getattr(getattr(request, "channel", None), "transport", None)
    if type(request).__module__ not in HTTP_MODULES or connection is None:
        return None
    if type(connection).__module__ == "twisted.protocols.tls":
        connection = getattr(connection, "transport", None)
    if interface.has_moved(HTTP_INTERNALS, {"connection": connection}):
        return None
    return DaphneHttp(connection)


def owns(handler: object) -> bool:
    """As interface.Server says: the handler is a method of Twisted's reactor."""
    return type(getattr(handler, "__self__", None)).__module__.partition(".")[0] == "twisted"


def is_calm() -> bool:
    """As interface.Server says."""
    if PROTOCOL_MODULE not in sys.modules:
        return False  # another server's process, which is to have no reactor
    from twisted.internet import reactor

    running: Any = reactor
    return not daphne_closing.closing and all(speaks_http(each) for each in running._writers)


def speaks_http(connection: Any) -> bool:
    """Whether no WebSocket has come over this connection: its bytes are answers, as each call event has one."""
    return type(getattr(connection, "protocol", None)).__module__ == HTTP_PROTOCOL_MODULE


def stop_accepting() -> bool:
    """Listen no more: a proxy goes to the next server at once. What has connected already is let in first.

    Left alone, Daphne drops every connection at its SIGTERM, deliveries in the middle of their commit among them.
    """
    for port in _listening():
        port.numberAccepts = BACKLOG
        type(port).doRead(port)
        port.stopListening()
    return True


def settle_in() -> None:
    """Call it while Daphne loads the application; in the process of another server it does nothing.

    After a restart all browsers connect in the same moment. Where fewer may wait than come, the system drops the rest,
    and they try again only after one, three and seven seconds.
    """
    if PROTOCOL_MODULE not in sys.modules:
        return
    from twisted.internet import reactor

    running: Any = reactor
    running.callWhenRunning(_prepare_ports)
    http_protocol: Any = sys.modules["daphne.http_protocol"]
    request_class = readable(flowing(http_protocol.WebRequest))
    # Twisted stands a guard before that module, which looks for names out of use whenever one is read.
    with suppress(AttributeError):
        http_protocol.http = object.__getattribute__(http_protocol.http, "_module")
    server: Any = sys.modules["daphne.server"]
    server.Server.timeout_checker = daphne_checks.in_steps(running.callLater)
    http_protocol.WebRequest = paced(request_class, Handshakes(running.callLater))
    protocol: Any = sys.modules["autobahn.websocket.protocol"]
    if hasattr(protocol, "pformat"):
        # An eighth of what it costs to open a socket: its thirty options, as text for a log that is not written.
        protocol.pformat = lambda value: _Later(value) if isinstance(value, list) else pformat(value)


class _Later:
    """A value as text, made when somebody reads it."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __str__(self) -> str:
        return pformat(self._value)


def _prepare_ports() -> None:
    for port in _listening():
        port.socket.listen(BACKLOG)
        port.doRead = partial(accept_some, port, port.doRead)
        factory = getattr(port.factory, "wrappedFactory", port.factory)  # below TLS
        factory._logFile = None  # a line for each request, which Daphne shows nobody
        if hasattr(factory, "server"):
            daphne_memory.share_options(factory.server.ws_factory)
            daphne_closing.watch(factory.server.ws_factory.protocol)


def accept_some(port: Any, accept: Callable[[], None]) -> None:
    """Have the port accept a few connections; the loop comes back for the others."""
    port.numberAccepts = min(port.numberAccepts, MOST_ACCEPTED)
    accept()


def _listening() -> list[Any]:
    from twisted.internet import reactor, tcp

    running: Any = reactor
    return [reader for reader in running.getReaders() if isinstance(reader, tcp.Port)]
