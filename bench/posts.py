"""Posting at a steady pace from the loop that also reads the browsers, whatever is still unanswered."""

import socket
import time
from collections.abc import Callable, Iterator
from functools import partial

from bench.browsers import AT_A_TIME, Browsers

UNANSWERED = 0  # stands for the status where the server closed the connection instead


class Posts:
    """POSTs to one address over connections that are kept. `took` has the seconds of each answer, by status.

    What is done `first` with each body counts as part of it.
    """

    def __init__(
        self, port: int, path: str, browsers: Browsers, first: Callable[[bytes], object] | None = None
    ) -> None:
        self._port, self._path, self._browsers, self._first = port, path, browsers, first
        self._connections: list[socket.socket] = []
        self._free: list[socket.socket] = []
        self._asked: dict[socket.socket, float] = {}
        self._texts: dict[socket.socket, bytes] = {}
        self.sent_at: list[float] = []
        self.took: dict[int, list[float]] = {}

    @property
    def unanswered(self) -> int:
        """How many posts still wait for their answer."""
        return len(self._asked)

    def send(self, body: bytes) -> None:
        """Post it now; its moment is appended to `sent_at`."""
        connection = self._free.pop() if self._free else self._opened()
        head = f"POST {self._path} HTTP/1.1\r\nHost: testserver\r\nContent-Length: {len(body)}\r\n\r\n"
        now = time.perf_counter()
        self.sent_at.append(now)
        self._asked[connection] = now
        if self._first:
            self._first(body)
        connection.sendall(head.encode() + body)

    def send_at_pace(self, bodies: Iterator[bytes], per_second: float, seconds: float) -> None:
        """Post one after the other, each at its moment, while the browsers read; then wait for the last answers."""
        began = time.perf_counter()
        for number in range(round(per_second * seconds)):
            while (left := began + number / per_second - time.perf_counter()) > 0:
                self._browsers.read(left, AT_A_TIME)
            self.send(next(bodies))
        self.await_answers()

    def connect(self, count: int) -> None:
        """Open so many connections before anything is posted, as a proxy keeps them."""
        self._free += [self._opened() for _ in range(count)]

    def await_answers(self) -> None:
        """Read until all are answered, for a while at most."""
        end = time.perf_counter() + 15
        while self.unanswered and time.perf_counter() < end:
            self._browsers.read(0.05, AT_A_TIME)

    def _opened(self) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self._port), timeout=20)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connections.append(connection)
        self._browsers.also(connection, partial(self._answered, connection))
        return connection

    def _answered(self, connection: socket.socket) -> None:
        taken = connection.recv(65_536)
        if not taken:
            self._lost(connection)
            return
        text = self._texts.pop(connection, b"") + taken
        if not is_whole(text):
            self._texts[connection] = text
            return
        took = time.perf_counter() - self._asked.pop(connection)
        self.took.setdefault(int(text[9:12]), []).append(took)
        self._free.append(connection)

    def _lost(self, connection: socket.socket) -> None:
        """The server has closed it: a post that was not answered has the status 0."""
        self._browsers.no_longer(connection)
        self._texts.pop(connection, None)
        if connection in self._asked:
            self.took.setdefault(UNANSWERED, []).append(time.perf_counter() - self._asked.pop(connection))
        else:
            self._free.remove(connection)

    def close(self) -> None:
        """End all connections."""
        for connection in self._connections:
            connection.close()


def is_whole(text: bytes) -> bool:
    """Whether this is a whole HTTP/1.1 answer, as far as our servers send them: with a length, or with no body."""
    head, end, body = text.partition(b"\r\n\r\n")
    lengths = [line.partition(b":")[2] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    return bool(end) and len(body) >= (int(lengths[0]) if lengths else 0)
