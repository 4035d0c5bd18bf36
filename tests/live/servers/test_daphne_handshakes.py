"""A thousand WebSockets at once are opened a few at a time, in their order; every other request goes first."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from twisted.web.http_headers import Headers

from wallboard.live.servers.daphne_handshakes import TURN_SECONDS, Handshakes, paced


class Reactor:
    """Turns of a loop, by hand, and a clock that handshakes move on."""

    def __init__(self) -> None:
        self.now = 0.0
        self.calls: list[Callable[[], None]] = []

    def later(self, seconds: float, act: Callable[[], None]) -> None:
        assert seconds == 0
        self.calls.append(act)

    def turn(self) -> None:
        calls, self.calls = self.calls, []
        for act in calls:
            act()


class Request:
    """Stands for Daphne's: a handshake takes 0.4 of a turn."""

    def __init__(self, name: str, reactor: Reactor, done: list[str], **headers: str) -> None:
        self.requestHeaders = Headers({key: [value] for key, value in headers.items()})
        self.name, self.reactor, self.done = name, reactor, done
        self.channel = self.transport = object()

    def process(self) -> str:
        self.reactor.now += TURN_SECONDS * 0.4
        self.done.append(self.name)
        return self.name

    def finish(self) -> None:
        self.done.append(f"{self.name} refused")

    def connectionLost(self, reason: object) -> None:
        self.reason = reason


@pytest.fixture
def reactor(monkeypatch: pytest.MonkeyPatch) -> Reactor:
    made = Reactor()
    monkeypatch.setattr(time, "monotonic", lambda: made.now)
    return made


def test_sockets_open_in_turns_and_other_requests_at_once(reactor: Reactor) -> None:
    done: list[str] = []
    kind: Any = paced(Request, Handshakes(reactor.later))
    sockets = [kind(str(number), reactor, done, Upgrade="WebSocket") for number in range(7)]
    for socket in sockets:
        socket.process()
    sockets[1].connectionLost("gone")

    assert done == []
    assert kind("post", reactor, done).process() == "post"
    reactor.turn()
    assert done == ["post", "0", "2", "3"]
    assert kind("another post", reactor, done, Upgrade="h2c").process() == "another post"
    reactor.turn()
    reactor.turn()
    assert done[4:] == ["another post", "4", "5", "6"]
    assert (sockets[1].reason, reactor.calls) == ("gone", [])

    refused = kind("too late", reactor, done, Upgrade="websocket")
    refused.process()
    refused.finish()  # as Daphne does with what takes too long
    reactor.turn()
    assert done[8:] == ["too late refused"]

    kind("late", reactor, done, Upgrade="websocket").process()
    reactor.turn()
    assert done[-1] == "late"
