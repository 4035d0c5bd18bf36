"""The hub's frames as Server-Sent Events (WHATWG HTML, section 9.2), over an HTTP answer that goes on and on.

Each event that changes a feed has an id which says where all feeds of the stream stand, so that whoever comes back with
the last one gets what it missed, from any server process.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping

import msgspec

from wallboard.live.asgi import Message, Send
from wallboard.live.frames import Frame
from wallboard.live.servers import interface
from wallboard.live.servers.interface import HttpTransport

RETRY_MS = 2000
LONGEST_ID = 4000
MOST_FEEDS = 24


class Header(msgspec.Struct, frozen=True):
    """What tells the kinds of frames apart; all else is handed on unread."""

    feed: str = ""
    id: str = ""
    prev: str | None = None
    ping: int | None = None
    bye: int | None = None


_header = msgspec.json.Decoder(Header)


def opening() -> bytes:
    """What a stream begins with: after how long to come back where it breaks."""
    return f"retry: {RETRY_MS}\n\n".encode()


def event_of(payload: bytes, held: dict[str, str]) -> tuple[bytes, bool]:
    """One frame as an event, and whether it is the last one; `held` follows where each feed stands."""
    header = _header.decode(payload)
    name = "ping" if header.ping is not None else "bye" if header.bye is not None else ""
    if name or not header.feed:
        return b"event: %s\ndata: %s\n\n" % ((name or "message").encode(), payload), name == "bye"
    held[header.feed] = header.id
    kind = "snapshot" if header.prev is None else "change"
    # JSON of ours has no line breaks.
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (written(held).encode(), kind.encode(), payload), False


def written(held: Mapping[str, str]) -> str:
    """Where the feeds stand, as one id."""
    return ",".join(f"{feed}:{entry}" for feed, entry in held.items())


def parsed(last_id: str) -> dict[str, str]:
    """The same read; what makes no sense counts as nothing, and gets a snapshot."""
    if len(last_id) > LONGEST_ID:
        return {}
    pairs = [each.rpartition(":") for each in last_id.split(",")[:MOST_FEEDS]]
    return {feed: entry for feed, _colon, entry in pairs if feed and entry}


class EventConnection:
    """The way of frames to one reader: an interface.Connection whose `run` sends what waits.

    Handing over never waits. Whoever reads slowly is refused further frames while too much waits here or in the server;
    the hub then lets it catch up, or ends it.
    """

    kernel_socket = None  # each frame is worded as an event

    def __init__(self, send: Send, transport: HttpTransport | None, held: Mapping[str, str]) -> None:
        self._send, self._transport = send, transport
        self._held = dict(held)
        self._waiting: list[bytes] = [opening()]
        self._wake = asyncio.Event()
        self._wake.set()
        self._is_over = self._is_sending = False
        self.sending: asyncio.Task[None] | None = None

    def write(self, frame: Frame) -> bool:
        """As interface.Connection says."""
        if self._is_over:
            return True  # nobody is left to take it
        if self._backlog() > interface.BUFFER_LIMIT_BYTES:
            return False
        self._add(frame.payloads)
        return True

    def _add(self, payloads: Iterable[bytes]) -> None:
        for payload in payloads:
            text, is_last = event_of(payload, self._held)
            self._waiting.append(text)
            self._is_over = self._is_over or is_last
        self._wake.set()

    def tell(self, hear: Callable[[Message], None]) -> bool:
        """As interface.Connection says. An HTTP answer ends with the application."""
        return False

    def is_drained(self) -> bool:
        """As interface.Connection says."""
        return self._backlog() <= interface.DRAINED_BYTES

    def _backlog(self) -> int:
        # While one piece is being sent, its reader has not taken it yet.
        own = sum(map(len, self._waiting)) + (interface.DRAINED_BYTES + 1 if self._is_sending else 0)
        return own + (self._transport.waiting_bytes() if self._transport else 0)

    def end(self, reason: bytes = b"") -> None:
        """Send what waits, and then no more; `reason` is an event that says why."""
        if not self._is_over and reason:
            self._waiting.append(reason)
        self._is_over = True
        self._wake.set()

    def abort(self) -> None:
        """As interface.Connection says."""
        if self._transport is not None:
            self._transport.abort()
        if self.sending is not None:
            self.sending.cancel()

    async def run(self) -> None:
        """Send until the end."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            text, self._waiting = b"".join(self._waiting), []
            self._is_sending = True
            try:
                await self._send({"type": "http.response.body", "body": text, "more_body": True})
            finally:
                self._is_sending = False
            if self._is_over and not self._waiting:
                await self._send({"type": "http.response.body", "body": b""})
                return
