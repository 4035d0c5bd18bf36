"""What the rest of the room knows of an ASGI server. The modules beside this one implement it, one server each.

ASGI hands over one message at a time and says nothing about what waits to be sent; nor does it tell an application that
its server is asked to end. An adapter knows its server's inside for that, and nothing else in this project does.
"""

import logging
import socket
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from wallboard.live.asgi import Message, Send
from wallboard.live.frames import Frame

log = logging.getLogger(__name__)
BUFFER_LIMIT_BYTES = 64 * 1024  # what may wait for a browser in this process; the kernel holds more
DRAINED_BYTES = 8 * 1024


class Connection(Protocol):
    """The way of ready frames to one browser.

    `kernel_socket` is the socket that takes them while the server is calm; None where they have to go through `write`.
    """

    @property
    def kernel_socket(self) -> socket.socket | None: ...

    def write(self, frame: Frame) -> bool:
        """Hand over the whole frame, or refuse (False) because too much still waits to be taken."""

    def is_drained(self) -> bool:
        """Whether nearly all that was handed over has been taken."""

    def abort(self) -> None:
        """Drop the connection without a word; for a browser that takes nothing."""

    def tell(self, hear: Callable[[Message], None]) -> bool:
        """Have `hear` called with whatever comes from this browser from now on: nobody needs to wait for it, and the
        application may return while the socket stays open. False where this server cannot do that.
        """


class HttpTransport(Protocol):
    """What a server knows of the connection below an HTTP answer that goes on and on."""

    def waiting_bytes(self) -> int:
        """How much of what was sent waits in this process to be taken."""

    def abort(self) -> None:
        """Drop the connection without a word."""


class Server(Protocol):
    """One ASGI server."""

    def connection_behind(self, send: Send) -> Connection | None:
        """The shortest way behind the `send` of an accepted WebSocket; None where it is not this server's.

        None as well where this server's inside is not as expected: then the way that every server has is taken.
        """

    def http_transport(self, send: Send) -> HttpTransport | None:
        """The connection below an HTTP request's `send`; None where it is not this server's, or not as expected."""

    def is_calm(self) -> bool:
        """Whether no WebSocket is closing and no bytes wait for any, so that each `kernel_socket` may be used; False
        where that is not known, or the process is another server's.
        """

    def owns(self, handler: object) -> bool:
        """Whether a handler of SIGTERM is this server's own."""

    def stop_accepting(self) -> bool:
        """Take no new connections; True where the application has to wait for requests in hand, too."""


@dataclass(frozen=True)
class Internal:
    """An attribute inside a server that an adapter relies on, of the object that the adapter calls `owner`."""

    owner: str
    name: str
    purpose: str


def moved(internals: Iterable[Internal], objects: Mapping[str, object]) -> list[str]:
    """What is not where an adapter expects it, one sentence each."""
    return [
        f"{type(objects[each.owner]).__qualname__}.{each.name} is gone; it {each.purpose}."
        for each in internals
        if not hasattr(objects[each.owner], each.name)
    ]


def has_moved(internals: Iterable[Internal], objects: Mapping[str, object]) -> bool:
    """Whether an adapter has to leave its server alone, which is said."""
    if changes := moved(internals, objects):
        warn_of(tuple(changes))
    return bool(changes)


@cache
def warn_of(sentences: tuple[str, ...]) -> None:
    """Say once in a process that its server's inside has changed: frames still arrive, at several times the cost."""
    log.warning("Frames go through the server's own send. %s", " ".join(sentences))
