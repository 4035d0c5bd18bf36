"""The feeds for programs, on real servers: Server-Sent Events and WebSocket, resumed, limited, revoked, read slowly."""

import socket as plain
import time
from collections.abc import Callable
from typing import Any

import pytest
import requests
from websockets.exceptions import InvalidHandshake

from accounts.models import Domain
from tests.api.streaming import Reader
from tests.live.conftest import daphne as daphne
from tests.live.conftest import domain as domain
from tests.live.conftest import own_redis as own_redis
from tests.live.conftest import server as server
from tests.live.serving import Server
from wallboard.api import tokens
from wallboard.api.models import Token
from wallboard.api.tokens import TokenInput
from wallboard.calls.models import Leg
from wallboard.demo.processes import wait_until
from wallboard.live import feeds
from wallboard.queues.models import Queue

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database]
MakeToken = Callable[..., tuple[Token, str]]


@pytest.fixture
def make_token(domain: Domain) -> MakeToken:
    def make(*scopes: str, queues: tuple[str, ...] | None = None) -> tuple[Token, str]:
        return tokens.make(domain, TokenInput("Follower", scopes or ("queues", "people"), queues))

    return make


def resumes(server: Server, domain: Domain, make_token: MakeToken) -> None:
    """A snapshot first, then changes, and after a break what was missed."""
    _, text = make_token()
    reader = Reader(server, text, "queues,people")
    assert reader.answer.headers["Content-Type"].startswith("text/event-stream")
    reader.until(lambda: {"queues", "people"} <= reader.documents.keys())
    assert reader.kinds() == ["snapshot", "snapshot"]

    feeds.queues(domain.pk).publish({"queue:1": (1, "a")})
    reader.until(lambda: reader.documents["queues"].get("queue:1") == "a")
    reader.close()
    feeds.queues(domain.pk).publish({"queue:1": (2, "b"), "queue:2": (2, "c\n\ndata: forged")})
    again = Reader(server, text, "queues,people", reader.last_id)
    again.until(lambda: len(again.kinds()) >= 2)

    changes = {frame["feed"]: frame for kind, frame in again.events if kind == "change"}
    assert changes["queues"]["set"] == {"queue:1": "b", "queue:2": "c\n\ndata: forged"}
    assert changes["people"]["set"] == {}
    lost = Reader(server, text, "queues", "queues:999999-nonsense,people")
    lost.until(lambda: lost.kinds() == ["snapshot"])
    again.close()
    lost.close()


def revokes(server: Server, domain: Domain, make_token: MakeToken) -> None:
    """Revoking ends the streams of this token at once, and no others."""
    token, text = make_token()
    _, other = make_token()
    reader, stays = Reader(server, text, "queues"), Reader(server, other, "queues")
    page = server.open("feeds=queues", subprotocols=["wallboard", f"bearer.{text}"])
    page.until(lambda: "queues" in page.documents)
    reader.until(lambda: "queues" in reader.documents)
    stays.until(lambda: "queues" in stays.documents)

    began = time.monotonic()
    tokens.revoke(token)
    assert reader.is_over.wait(5)
    took = time.monotonic() - began

    assert took < 2
    assert reader.events[-1] == ("end", {"end": "revoked", "code": 4401})
    assert page.close_code() == 4401
    assert not stays.is_over.is_set()
    assert Reader(server, text, "queues").answer.status_code == 401
    stays.close()


def refuses(server: Server, make_token: MakeToken) -> None:
    """A feed needs its scope, and nothing else is one."""
    _, text = make_token("queues")

    def status(query: str, token: str = text) -> int:
        headers = {"Authorization": f"Bearer {token}"}
        answer = requests.get(f"{server.origin}/api/v1/live?{query}", headers=headers, timeout=10)
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert answer.json()["status"] == answer.status_code
        return answer.status_code

    assert status("feeds=people") == 403
    assert status("feeds=queues,calls") == 403
    assert status("feeds=board:main") == 403
    assert [status(query) for query in ("", "feeds=", "feeds=desk:101", "feeds=wall", "feeds=%00")] == [400] * 5
    assert status("&".join(["feeds=queues"] * 100)) == 400
    assert status("feeds=queues", "wbt_wrong") == 401
    refused = requests.post(f"{server.origin}/api/v1/live", timeout=10)
    assert (refused.status_code, refused.json()["detail"]) == (405, "This address takes GET.")


def answers_over_websocket(server: Server, domain: Domain, make_token: MakeToken) -> None:
    """A token counts by its subprotocol, and needs no origin."""
    _, text = make_token("queues")
    offered: dict[str, Any] = {"subprotocols": ["wallboard", f"bearer.{text}"], "origin": "https://elsewhere.example"}
    page = server.open("feeds=queues", **offered)
    page.until(lambda: "queues" in page.documents)
    assert page.socket.subprotocol == "wallboard"

    wrong = server.open("feeds=queues", subprotocols=["wallboard", "bearer.wbt_wrong"], origin=None)
    assert wrong.close_code() == 4401
    denied = server.open("feeds=calls", **offered)
    assert denied.close_code() == 4403
    with pytest.raises(InvalidHandshake):
        server.open("board=main", origin="https://elsewhere.example")


def masks(server: Server, domain: Domain, make_token: MakeToken) -> None:
    """Calls are masked and limited as on pages."""
    for number in ("800", "801"):
        Queue.objects.create(domain=domain, number=number)
    _, masked = make_token("calls")
    _, whole = make_token("calls", "numbers", queues=("801",))
    readers = Reader(server, masked, "calls"), Reader(server, whole, "calls")
    for reader, feed in zip(readers, ("wall", "calls"), strict=True):
        reader.until(lambda reader=reader, feed=feed: feed in reader.documents)

    feeds.wall(domain.pk).publish({"1": (1, "masked")})
    readers[0].until(lambda: readers[0].documents["wall"].get("1") == "masked")
    leg = {"via": ["800"], "queue": "800", "from": {"extension": ""}, "to": {"extension": "800"}}
    feeds.calls(domain.pk).publish({"2": (1, leg), "3": (1, {**leg, "via": ["801"], "queue": "801"})})
    readers[1].until(lambda: "3" in readers[1].documents["calls"])

    assert "2" not in readers[1].documents["calls"]
    assert not Leg.objects.exists()
    for reader in readers:
        reader.close()


def test_a_reader_that_takes_nothing_holds_nobody_up(server: Server, domain: Domain, make_token: MakeToken) -> None:
    _, text = make_token("queues")
    sleeper = plain.socket()
    sleeper.setsockopt(plain.SOL_SOCKET, plain.SO_RCVBUF, 4096)
    sleeper.connect(("127.0.0.1", server.port))
    lines = ["GET /api/v1/live?feeds=queues HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {text}", "", ""]
    sleeper.sendall("\r\n".join(lines).encode())
    reader = Reader(server, text, "queues")
    reader.until(lambda: "queues" in reader.documents)
    before = memory(server)

    for version in range(1, 21):
        feeds.queues(domain.pk).publish({"queue:1": (version, [version, "x" * 400_000])})
        reader.until(lambda version=version: (reader.documents["queues"].get("queue:1") or [0])[0] == version, 3)

    assert memory(server) - before < 40_000_000
    # It gets what is newest once it reads on, not all that it missed.
    taken = b""
    sleeper.settimeout(3)
    end = time.monotonic() + 10
    while b"[20," not in taken and time.monotonic() < end:
        taken += sleeper.recv(1 << 20)
    assert b"[20," in taken
    assert len(taken) < 10 * 400_000
    sleeper.close()
    reader.close()


def memory(server: Server) -> int:
    """Bytes that the server process holds."""
    process = server.child.process
    assert process is not None
    with open(f"/proc/{process.pid}/statm") as figures:
        return int(figures.read().split()[1]) * 4096


def says_goodbye(server: Server, domain: Domain, make_token: MakeToken) -> None:
    """A server that ends says so, and does not wait for streams."""
    _, text = make_token("queues")
    reader = Reader(server, text, "queues")
    reader.until(lambda: "queues" in reader.documents)

    began = time.monotonic()
    process = server.child.process
    assert process is not None
    process.terminate()
    assert wait_until(lambda: process.poll() is not None, 8)

    assert time.monotonic() - began < 4
    assert reader.kinds()[-1] == "bye"


def test_a_program_follows_feeds_until_it_is_revoked(server: Server, domain: Domain, make_token: MakeToken) -> None:
    resumes(server, domain, make_token)
    revokes(server, domain, make_token)
    says_goodbye(server, domain, make_token)


def test_a_token_opens_what_its_scopes_and_limit_allow(daphne: Server, domain: Domain, make_token: MakeToken) -> None:
    refuses(daphne, make_token)
    answers_over_websocket(daphne, domain, make_token)
    masks(daphne, domain, make_token)
