"""An exchange is over at its deadline, whatever a real server does, and leaves nothing behind."""

import socket
import threading
import time
from itertools import count
from typing import Any

import pytest

from tests.telephony.server import answering, serving
from wallboard.telephony import transport
from wallboard.telephony.errors import Unreachable
from wallboard.telephony.transport import Deadline

LATE_SECONDS = 5.0  # what takes so long did not end at its deadline, on however busy a machine

pytestmark = pytest.mark.usefixtures("fresh_connections")


def drip(head: bytes, stop: threading.Event) -> Any:
    def handler(connection: socket.socket, _: bytes) -> None:
        connection.sendall(head)
        while not stop.wait(0.1):
            connection.sendall(b"x")

    return handler


@pytest.mark.parametrize(
    "head",
    [b"", b"HTTP/1.1 200 OK\r\nX-Slow: ", b"HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n"],
    ids=["nothing", "headers", "body"],
)
def test_send_ends_at_the_deadline_however_the_answer_drips(head: Any) -> None:
    stop = threading.Event()
    with serving(drip(head, stop)) as server:
        started = time.monotonic()

        with pytest.raises(Unreachable, match=r"no whole answer within 1 s"):
            transport.send("GET", server.url + "/slow/", {}, deadline=Deadline.after(1))

        assert 0.9 < time.monotonic() - started < LATE_SECONDS
        stop.set()


def test_five_exchanges_together_end_at_their_deadline_and_none_is_begun_after_it() -> None:
    released = threading.Event()
    with serving(silent_at(4, released)) as server:
        deadline, answered, started = Deadline.after(1), 0, time.monotonic()
        for _ in range(5):
            try:
                answered += transport.send("GET", server.url, {}, deadline=deadline).status == 200
            except Unreachable:
                continue
        took = time.monotonic() - started

        with pytest.raises(Unreachable, match="no time was left"):
            transport.send("GET", server.url, {}, deadline=deadline)

        assert (answered, len(server.requests)) == (3, 4)
        assert took < LATE_SECONDS
        released.set()
        assert gone("provider exchange")


def silent_at(number: int, released: threading.Event) -> Any:
    """Answers at once, but not that request, until it is released."""
    requests = count(1)

    def handler(connection: socket.socket, head: bytes) -> None:
        if next(requests) == number:
            released.wait(10)
        answering(b"[]")(connection, head)

    return handler


def test_a_deadline_far_away_allows_no_exchange_more_than_its_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "TOTAL_SECONDS", 0.2)
    with serving(slowly(0.6)) as server:
        with pytest.raises(Unreachable, match="no whole answer"):
            transport.send("GET", server.url, {}, deadline=Deadline.after(60))

        assert gone("provider exchange")


def slowly(seconds: float) -> Any:
    def handler(connection: socket.socket, head: bytes) -> None:
        time.sleep(seconds)
        answering(b"[]")(connection, head)

    return handler


def test_send_leaves_no_thread_behind_after_the_deadline() -> None:
    stop = threading.Event()
    with serving(drip(b"HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n", stop)) as server:
        with pytest.raises(Unreachable):
            transport.send("GET", server.url, {}, deadline=Deadline.after(0.5))

        assert gone("provider exchange")
        stop.set()


def gone(name: str) -> bool:
    for _ in range(40):
        if not any(thread.name == name for thread in threading.enumerate()):
            return True
        time.sleep(0.05)
    return False


def test_send_ends_at_the_deadline_within_a_tls_handshake() -> None:
    stop = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))
    with listener:
        url = f"https://127.0.0.1:{listener.getsockname()[1]}/"
        started = time.monotonic()

        with pytest.raises(Unreachable):
            transport.send("GET", url, {}, deadline=Deadline.after(0.7))

        assert time.monotonic() - started < LATE_SECONDS
        assert gone("provider exchange")
    stop.set()


def test_everything_in_a_block_ends_at_its_deadline_and_nothing_is_begun_after_it() -> None:
    released = threading.Event()
    with serving(silent_at(2, released)) as server:
        started = time.monotonic()
        with transport.all_within(1):
            assert transport.send("GET", server.url, {}).status == 200
            with pytest.raises(Unreachable, match="no whole answer"):
                transport.send("GET", server.url, {}, deadline=Deadline.after(8))
            with transport.all_within(8), pytest.raises(Unreachable, match="no time was left"):
                transport.send("GET", server.url, {})
        took = time.monotonic() - started
        released.set()

        assert transport.send("GET", server.url, {}).status == 200
        assert took < LATE_SECONDS
