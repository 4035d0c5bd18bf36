"""A socket that is about to end is listed, until it has; what a real Daphne does with it is in test_daphne.py."""

from typing import Any

import pytest

from wallboard.live.servers import daphne_closing


class Socket:
    """As autobahn's."""

    def __init__(self, state: int) -> None:
        self.state = state
        self.calls: list[tuple[str, Any]] = []

    def sendCloseFrame(self, code: int) -> None:
        self.calls.append(("close", code))

    def dropConnection(self, abort: bool = False) -> None:
        self.calls.append(("drop", abort))

    def connectionLost(self, reason: str) -> None:
        self.calls.append(("lost", reason))


@pytest.fixture
def kind() -> type[Socket]:
    class Watched(Socket):
        pass

    assert not daphne_closing.is_watched(Watched)
    daphne_closing.watch(Watched)
    daphne_closing.watch(Watched)
    assert daphne_closing.is_watched(Watched)
    return Watched


def test_a_socket_is_listed_from_its_close_frame_until_it_is_lost(kind: type[Socket]) -> None:
    socket, dropped = kind(state=3), kind(state=3)

    socket.sendCloseFrame(1000)
    dropped.dropConnection(abort=True)
    assert list(daphne_closing.closing) == [socket, dropped]
    socket.connectionLost("gone")
    dropped.connectionLost("gone")

    assert daphne_closing.closing == {}
    assert (socket.calls, dropped.calls) == ([("close", 1000), ("lost", "gone")], [("drop", True), ("lost", "gone")])


def test_one_that_was_opened_after_its_browser_had_left_is_not_listed_for_ever(kind: type[Socket]) -> None:
    socket = kind(state=1)
    socket.connectionLost("gone")
    socket.state = 3  # the application has accepted it meanwhile

    socket.sendCloseFrame(1000)
    socket.dropConnection()

    assert daphne_closing.closing == {}
    assert socket.calls == [("lost", "gone")]


def test_one_that_has_ended_already_is_not_listed_for_ever(kind: type[Socket]) -> None:
    ended = kind(state=daphne_closing.CLOSED)

    ended.sendCloseFrame(1000)
    ended.dropConnection()

    assert daphne_closing.closing == {}
