"""A server that is told to end finishes what it has in hand, takes nothing new, and then goes."""

import signal
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import requests

from tests.harness.site import bare_environment
from tests.live.serving import KINDS, command
from tests.live.slow_application import DRAIN_SECONDS, SECONDS
from wallboard.demo.processes import Child, free_port, wait_until

POST = b"POST /hooks/x/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}"
LONGEST_SECONDS = 6.0


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture(params=KINDS)
def server(request: pytest.FixtureRequest, port: int, ask: "Ask", tmp_path: Path) -> Iterator[Child]:
    child = Child(
        "slow",
        command(request.param, port, "tests.live.slow_application:application"),
        tmp_path / "log",
        bare_environment(),
    )
    child.start()
    try:
        assert wait_until(lambda: is_open(port), 20, 0.05), child.tail()
        ask().recv(1000)  # the first request makes it ready for its end
        yield child
    finally:
        child.stop()


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


Ask = Callable[[], socket.socket]


@pytest.fixture
def ask(port: int) -> Iterator[Ask]:
    """Post over a connection of its own; all are closed afterwards."""
    opened: list[socket.socket] = []

    def post() -> socket.socket:
        opened.append(socket.create_connection(("127.0.0.1", port), timeout=5))
        opened[-1].sendall(POST)
        return opened[-1]

    yield post
    for connection in opened:
        connection.close()


def test_what_is_in_hand_is_answered_and_nothing_new_is_taken(server: Child, port: int, ask: Ask) -> None:
    in_hand = [ask() for _ in range(20)]
    time.sleep(SECONDS / 4)

    server.kill(signal.SIGTERM)
    assert wait_until(lambda: not is_open(port), SECONDS, 0.01), "it still takes connections"
    answers = [connection.recv(1000) for connection in in_hand]

    assert {answer.split(b"\r\n")[0] for answer in answers} == {b"HTTP/1.1 204 No Content"}
    assert wait_until(lambda: not server.is_running, LONGEST_SECONDS, 0.05)


def test_what_has_connected_before_is_answered_too(server: Child, ask: Ask) -> None:
    server.kill(signal.SIGSTOP)
    waiting = [ask() for _ in range(300)]

    server.kill(signal.SIGTERM)
    server.kill(signal.SIGCONT)
    answers = [connection.recv(1000) for connection in waiting]

    assert {answer.split(b"\r\n")[0] for answer in answers} == {b"HTTP/1.1 204 No Content"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_proxy_is_told_before_connections_are_refused(kind: str, port: int, tmp_path: Path) -> None:
    application = "tests.live.slow_application:draining"
    child = Child("draining", command(kind, port, application), tmp_path / "log", bare_environment())

    def status(path: str) -> int:
        return requests.post(f"http://127.0.0.1:{port}{path}", data=b"{}", timeout=5).status_code

    child.start()
    try:
        assert wait_until(lambda: is_open(port), 20, 0.05), child.tail()
        assert status("/healthz") == 204
        child.kill(signal.SIGTERM)
        assert wait_until(lambda: status("/healthz") == 503, SECONDS * 2, 0.05)
        assert status("/hooks/x/") == 204  # it still takes new ones
        assert wait_until(lambda: not child.is_running, LONGEST_SECONDS + DRAIN_SECONDS, 0.05)
    finally:
        child.stop()


def test_who_keeps_a_connection_is_served_once_more_and_told_to_let_go(server: Child, port: int, ask: Ask) -> None:
    kept, other = ask(), ask()
    assert kept.recv(1000).startswith(b"HTTP/1.1 204")
    other.recv(1000)
    other.sendall(POST)
    time.sleep(SECONDS / 4)

    server.kill(signal.SIGTERM)
    time.sleep(0.1)
    try:
        kept.sendall(POST)
        answer = kept.recv(1000)
    except ConnectionError:
        answer = b""

    assert answer == b"" or (answer.startswith(b"HTTP/1.1 204") and b"connection: close" in answer.lower())
    assert other.recv(1000).startswith(b"HTTP/1.1 204")


def test_a_second_word_ends_it_at_once(server: Child, port: int, ask: Ask) -> None:
    ask()
    time.sleep(0.1)

    server.kill(signal.SIGTERM)
    time.sleep(0.05)
    server.kill(signal.SIGTERM)

    assert wait_until(lambda: not server.is_running, LONGEST_SECONDS, 0.05)
