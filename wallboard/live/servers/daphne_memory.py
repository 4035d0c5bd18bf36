"""What Daphne, autobahn and Twisted need only to open a WebSocket is let go once it is open.

That is two thirds of what they hold. Thousands of browsers stay open for days and say nothing: none of them needs its
request, its handshake, options that are the same for all, or a task with a queue that waits for its end.
"""

import asyncio
import random
from collections.abc import Callable
from functools import lru_cache
from inspect import isfunction
from types import SimpleNamespace
from typing import Any

from wallboard.live.asgi import Message

OF_HANDSHAKE = (
    *("_wskey", "clean_headers", "http_headers", "http_request_data", "http_request_host", "http_request_params"),
    *("http_request_path", "http_request_uri", "http_response_data", "http_status_line", "application_deferred"),
    *("protocol_to_accept", "websocket_origin", "websocket_protocols", "_raw_query_string"),
)
EMPTY = (None, False, 0, b"", "")


def share_options(factory: Any) -> None:
    """Options of all sockets stand at their class once: autobahn copies to each socket only what it lacks."""
    for name in factory.protocol.CONFIG_ATTRS:
        value = getattr(factory, name)
        # A function at a class would be a method: it is to be called as it was, without the socket.
        setattr(factory.protocol, name, staticmethod(value) if isfunction(value) else value)


def forget_handshake(protocol: Any, connection: Any) -> None:
    """Let go what nobody reads again once the socket is open."""
    held = vars(protocol)
    for name in OF_HANDSHAKE:
        held.pop(name, None)
    # Every two seconds Daphne pings all that are due: those that came at once, as after a restart, would all be, and
    # hold up a third of a second long whatever else there is to do.
    protocol.last_ping -= random.uniform(0, protocol.server.ping_interval)  # noqa: S311 (jitter, not a secret)
    protocol.request = _request(protocol.request.path)
    protocol.trafficStats = _traffic.setdefault("all", protocol.trafficStats)
    if type(connection.producer).__name__ == "HTTPChannel":
        # The request that became this socket, and all that came with it.
        connection.unregisterProducer()
    # What is empty as at the first stands at the class. In a new dict, as one never shrinks.
    empty = _empty_values(type(protocol), protocol)
    protocol.__dict__ = {name: value for name, value in held.items() if empty.get(name, held) is not value}


@lru_cache(maxsize=64)
def _request(path: str) -> SimpleNamespace:
    """All that Daphne asks of the request from then on, for its log."""
    return SimpleNamespace(path=path)


_traffic: dict[str, Any] = {}  # one for all sockets: autobahn counts bytes for nobody
_empty: dict[Any, dict[str, Any]] = {}


def _empty_values(kind: Any, first: Any) -> dict[str, Any]:
    """What was empty at the first open socket of this class, and stands at the class since."""
    if kind not in _empty:
        _empty[kind] = {name: value for name, value in vars(first).items() if any(value is each for each in EMPTY)}
        for name, value in _empty[kind].items():
            setattr(kind, name, value)
    return _empty[kind]


class Told:
    """Stands where Daphne has a queue for the application: `hear` is called with each message at once."""

    __slots__ = ("_details", "_done", "_hear")

    def __init__(self, hear: Callable[[Message], None], details: dict[str, Any], done: "asyncio.Future[None]") -> None:
        self._hear, self._details, self._done = hear, details, done

    def put_nowait(self, message: Message) -> None:
        """As a queue has it."""
        if message["type"] == "websocket.disconnect":
            self._details["application_instance"] = self._done
        self._hear(message)


def tell(protocol: Any, hear: Callable[[Message], None]) -> bool:
    """Have messages of this browser told to `hear`, so that the application may return while the socket stays open.

    False where one waits to be read already. Daphne ends what is not done yet when it ends itself, and forgets a socket
    whose application is done: one future for all that are open stands for the former, one for the latter.
    """
    if not protocol.application_queue.empty():
        return False
    server, details = protocol.server, protocol.server.connections[protocol]
    if not hasattr(server, "open_sockets"):
        loop = asyncio.get_running_loop()
        server.open_sockets, server.closed_sockets = loop.create_future(), loop.create_future()
        server.closed_sockets.set_result(None)
    details["application_instance"] = server.open_sockets
    protocol.application_queue = Told(hear, details, server.closed_sockets)
    return True
