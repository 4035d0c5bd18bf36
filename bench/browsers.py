"""Many browsers in one cheap loop: they only count the frames that carry news, or know whole frames again."""

import re
import select
import socket
import time
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar
from urllib.parse import urlsplit

NEWS = b'"prev"'  # our change frames have it; the textbook's frames carry it too
PING = re.compile(rb"\x89([\x00-\x1f])")  # a ping's first two bytes (RFC 6455, 5.5.2); JSON text never holds them
TEXT = 1
OPENING_AT_ONCE = 64  # handshakes under way
OPENING_SECONDS = 30.0  # without any progress
AT_A_TIME = 64  # sockets read before whatever else is due gets its turn
T = TypeVar("T")


def handshake(url: str, cookie: str) -> bytes:
    """The request that opens a WebSocket (RFC 6455, section 4.1)."""
    parts = urlsplit(url)
    head = (
        f"GET {parts.path}?{parts.query} HTTP/1.1\r\nHost: {parts.netloc}\r\nOrigin: http://{parts.netloc}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nCookie: {cookie}\r\n\r\n"
    )
    return head.encode()


class Browsers:
    """So many open WebSockets to one address."""

    def __init__(self, count: int, url: str, *cookies: str) -> None:
        self.count = count
        self.received = self.dropped = 0
        self._poll = select.epoll()
        self._sockets: dict[int, socket.socket] = {}
        self._tails: dict[int, bytes] = {}
        self._cut_pings: dict[int, bytes] = {}
        self._heard_at = time.monotonic()  # anything but a ping
        self._others: dict[int, Callable[[], None]] = {}
        self._heads = [handshake(url, cookie) for cookie in cookies]  # in turns
        self._opening: dict[int, bytes] = {}  # what has come of each answer to a handshake
        self._open_all(url)

    def _open_all(self, url: str) -> None:
        """Many at a time, as browsers do; those that are open answer pings meanwhile, else the server ends them."""
        opened_at = time.monotonic()
        while len(self._sockets) < self.count or self._opening:
            waiting = len(self._opening)
            for _ in range(min(OPENING_AT_ONCE - waiting, self.count - len(self._sockets))):
                self._begin(url)
            before = len(self._opening)
            self.read(0.2)
            if len(self._opening) < before:
                opened_at = time.monotonic()
            elif time.monotonic() - opened_at > OPENING_SECONDS:
                raise RuntimeError(f"{before} handshakes were not answered in {OPENING_SECONDS:.0f} s")

    def _begin(self, url: str) -> None:
        parts = urlsplit(url)
        connection = socket.socket()
        connection.setblocking(False)
        connection.connect_ex((str(parts.hostname), parts.port or 80))  # goes on by itself: EINPROGRESS
        self._sockets[connection.fileno()] = connection
        self._opening[connection.fileno()] = b""
        self._poll.register(connection, select.EPOLLOUT)

    def _go_on_opening(self, number: int, event: int) -> None:
        """Connected: ask for the WebSocket. Answered: from now on it is one."""
        connection = self._sockets[number]
        if event & select.EPOLLOUT:
            connection.sendall(self._heads[number % len(self._heads)])
            self._poll.modify(connection, select.EPOLLIN)
            return
        taken = connection.recv(65_536)
        answer, end, first = (self._opening[number] + taken).partition(b"\r\n\r\n")
        if not taken or (end and b" 101 " not in answer.split(b"\r\n")[0]):
            raise RuntimeError(answer.decode(errors="replace")[:200])
        if not end:
            self._opening[number] = answer
            return
        del self._opening[number]
        if first:
            self._take_answering(number, first)

    def also(self, connection: socket.socket, act: Callable[[], None]) -> None:
        """Act whenever something can be read from this connection, too."""
        self._others[connection.fileno()] = act
        self._poll.register(connection, select.EPOLLIN)

    def no_longer(self, connection: socket.socket) -> None:
        """Look at this other connection no more."""
        del self._others[connection.fileno()]
        self._poll.unregister(connection)

    def read(self, seconds: float, most: int = -1) -> None:
        """Take what has come (from so many sockets at most), waiting at most so long for the first of it."""
        for number, event in self._poll.poll(seconds, most):
            if number in self._opening:
                self._go_on_opening(number, event)
                continue
            if number in self._others:
                self._others[number]()
                continue
            self._take_answering(number, self._received(number))

    def _take_answering(self, number: int, taken: bytes) -> None:
        # Pings come all the time, a few browsers at a time.
        if not ((ping := PING.match(taken)) and len(taken) == 2 + ping.group(1)[0]):
            self._heard_at = time.monotonic()
        if b"\x89" in taken or number in self._cut_pings:
            self._answer_pings(number, taken)
        self._take(number, taken)

    def _received(self, number: int) -> bytes:
        """What came on that socket; nothing from one that the server closed, which is counted and left alone."""
        try:
            taken = self._sockets[number].recv(262_144)
        except ConnectionError:
            taken = b""
        if not taken:
            self.dropped += 1
            self._poll.unregister(number)
        return taken

    def _answer_pings(self, number: int, taken: bytes) -> None:
        """As every browser does by itself; a server ends sockets that do not (RFC 6455, section 5.5.3).

        A ping that a read cuts in two (only where very much came at once) is waited for in the next read.
        """
        taken = self._cut_pings.pop(number, b"") + taken
        for ping in PING.finditer(taken):
            length = ping.group(1)[0]
            payload = taken[ping.end() : ping.end() + length]
            if len(payload) < length:
                self._cut_pings[number] = taken[ping.start() :]
                return
            self._sockets[number].send(bytes((0x8A, 0x80 | length)) + bytes(4) + payload)
        if taken.endswith(b"\x89"):
            self._cut_pings[number] = b"\x89"

    def _take(self, number: int, taken: bytes) -> None:
        # A marker that is cut in two by a read is found by keeping the end of the read before.
        text = self._tails.pop(number, b"") + taken
        self.received += text.count(NEWS)
        if not text.endswith(b"}"):
            self._tails[number] = text[-len(NEWS) + 1 :]

    def read_until(self, received: int, limit_seconds: float) -> bool:
        """Read until so many news frames have come in all; False where they do not come in time."""
        end = time.monotonic() + limit_seconds
        while self.received < received:
            if time.monotonic() > end:
                return False
            self.read(0.2)
        return True

    def read_for(self, seconds: float) -> None:
        """Read whatever comes for so long."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self.read(left, AT_A_TIME)

    def settle(self) -> None:
        """Take everything that joining brought."""
        self._heard_at = time.monotonic()
        while time.monotonic() - self._heard_at < 1.0:
            self.read(0.25)
        self.received = 0

    def close(self) -> None:
        """End all of them."""
        for connection in self._sockets.values():
            connection.close()
        self._poll.close()


class Readers(Browsers, Generic[T]):
    """Browsers that know frames: each distinct one is understood once, however many browsers it reaches.

    `understand(text)` makes of a frame's text what `hear(browser, meaning)` is told each time it arrives; a meaning of
    None is not told. Servers send the same bytes to all, so hearing is nearly as cheap as counting.
    """

    def __init__(
        self,
        count: int,
        url: str,
        cookies: str | Sequence[str],
        understand: Callable[[bytes], T | None],
        hear: Callable[[int, T], None],
    ) -> None:
        self._understand, self._hear = understand, hear
        self._frames: dict[bytes, T | None] = {}
        self._chunks: dict[bytes, tuple[T, ...]] = {}
        super().__init__(count, url, *([cookies] if isinstance(cookies, str) else cookies))

    @property
    def numbers(self) -> list[int]:
        """What the browsers are called where they hear something."""
        return list(self._sockets)

    def _take(self, number: int, taken: bytes) -> None:
        if number in self._tails:
            taken = self._tails.pop(number) + taken
        meanings = self._chunks.get(taken)
        if meanings is None:
            texts, rest = split(taken)
            meanings = tuple(meaning for text in texts if (meaning := self._meaning(text)) is not None)
            if rest:
                self._tails[number] = rest
            elif b"\x89" not in taken:
                self._chunks[taken] = meanings
        for meaning in meanings:
            self._hear(number, meaning)

    def _meaning(self, text: bytes) -> T | None:
        if text not in self._frames:
            self._frames[text] = self._understand(text)
        return self._frames[text]


def split(taken: bytes) -> tuple[list[bytes], bytes]:
    """The whole text messages in what a server sent, and what is left of it (RFC 6455, section 5.2; unmasked)."""
    payloads, start = [], 0
    while len(taken) - start >= 2:
        length, body = taken[start + 1] & 127, start + 2
        if length >= 126:
            body += 2 if length == 126 else 8
            if len(taken) < body:
                break
            length = int.from_bytes(taken[start + 2 : body], "big")
        if len(taken) < body + length:
            break
        if taken[start] & 15 == TEXT:
            payloads.append(taken[body : body + length])
        start = body + length
    return payloads, taken[start:]
