"""Many browsers in one cheap loop: they only count the frames that carry news."""

import select
import socket
import time
from urllib.parse import urlsplit

NEWS = b'"prev"'  # our change frames have it; the textbook's frames carry it too


class Browsers:
    """So many open WebSockets to one address."""

    def __init__(self, count: int, url: str, cookie: str) -> None:
        self.count = count
        self.received = 0
        self._poll = select.epoll()
        self._sockets: dict[int, socket.socket] = {}
        self._tails: dict[int, bytes] = {}
        for _ in range(count):
            self._open(url, cookie)

    def _open(self, url: str, cookie: str) -> None:
        parts = urlsplit(url)
        connection = socket.create_connection((str(parts.hostname), parts.port or 80), timeout=20)
        head = (
            f"GET {parts.path}?{parts.query} HTTP/1.1\r\nHost: {parts.netloc}\r\nOrigin: http://{parts.netloc}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nCookie: {cookie}\r\n\r\n"
        )
        connection.sendall(head.encode())
        answer = connection.recv(4096)
        if b" 101 " not in answer.split(b"\r\n")[0]:
            raise RuntimeError(answer.decode(errors="replace")[:200])
        connection.setblocking(False)
        self._sockets[connection.fileno()] = connection
        self._poll.register(connection, select.EPOLLIN)

    def read(self, seconds: float) -> None:
        """Take what has come, waiting at most so long for the first of it."""
        for number, _ in self._poll.poll(seconds):
            taken = self._sockets[number].recv(262_144)
            if not taken:
                raise RuntimeError("the server closed a socket")
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

    def settle(self) -> None:
        """Take everything that joining brought."""
        quiet_since = time.monotonic()
        while time.monotonic() - quiet_since < 1.0:
            before = time.monotonic()
            self.read(0.25)
            if time.monotonic() - before < 0.24:
                quiet_since = time.monotonic()
        self.received = 0

    def close(self) -> None:
        """End all of them."""
        for connection in self._sockets.values():
            connection.close()
        self._poll.close()
