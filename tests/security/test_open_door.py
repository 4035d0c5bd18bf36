"""Anything at all over real connections: the webhook and the live socket of a running server (S2, S3).

One server as the Procfile starts it; afterwards its log holds no failure and its memory has not grown with what came.
"""

import contextlib
import http.client
import json
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.calls.conftest import SECRETS, make_subscription
from tests.calls.events import event
from tests.harness.redis import RedisServer
from tests.live.serving import Server, company, opened, serving, signed_in
from tests.security.test_door_fuzz import ALIKE, ANYTHING, as_body
from wallboard.calls.models import Delivery
from wallboard.calls.webhooks import receive

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database]
HOOK = f"/hooks/{SECRETS['calls']}/"
GROWTH = 50 * 2**20
QUICK = settings(
    max_examples=60, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None
)
BODIES = st.binary(max_size=2000) | ANYTHING.map(as_body) | ALIKE.map(as_body)
FRAMES = st.text(max_size=300) | st.binary(max_size=300) | st.just("[" * 50_000) | ANYTHING.map(json.dumps)


@pytest.fixture(scope="module")
def server(
    django_db_setup: None, redis_server: RedisServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    with serving("daphne", redis_server, tmp_path_factory.mktemp("open")) as running:
        yield running


@pytest.fixture
def cookie(server: Server, transactional_db: None, redis_url: str) -> str:
    """A company with a subscription, and somebody who is signed in."""
    domain = company()
    make_subscription(domain, "calls")
    return signed_in(domain)[1]


def resident(server: Server) -> int:
    """Bytes of memory that the web process holds: the leash replaces itself by it."""
    lines = Path(f"/proc/{server.child.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))


def is_unharmed(server: Server) -> bool:
    """Whether it answers, and nothing in its log tells of a failure of ours."""
    logged = server.child.log.read_text(errors="replace")
    return server.answers() and not any(
        word in logged for word in ("Traceback", "Internal Server Error", SECRETS["calls"])
    )


def post(server: Server, body: bytes, path: str = HOOK, **headers: str) -> int:
    return requests.post(server.origin + path, data=body, headers=headers, timeout=10).status_code


def test_any_body_gets_an_answer_and_no_failure(server: Server, cookie: str) -> None:
    huge = [b"x" * 50_000_000, b"[" * 60_000, b'{"a":' * 12_000, b"\0" * 60_000, b"\xff\xfe" * 1000, b""]

    @QUICK
    @given(body=BODIES)
    def anything(body: bytes) -> None:
        assert post(server, body) in ((413,) if len(body) > receive.MOST_BYTES else (204, 400))

    def all_of_it() -> None:
        assert post(server, event("ringing")) == 204
        anything()
        assert [post(server, body) for body in huge] == [413, 204, 204, 204, 204, 204]

    all_of_it()  # what it needs at all; from here on it may not grow
    before = resident(server)
    all_of_it()
    assert post(server, event("ringing"), **{"Content-Encoding": "gzip"}) in (204, 400)
    assert is_unharmed(server)
    assert resident(server) - before < GROWTH
    assert not Delivery.objects.filter(applied_at=None, problem="").exists()


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "HEAD", "PATCH", "OPTIONS", "ODD"])
def test_any_method_and_path_below_hooks_is_refused_alike(method: str, server: Server, cookie: str) -> None:
    wrong = ["/hooks/", "/hooks/x/y/../z", "/hooks/%00", "/hooks/%ff%fe", f"/hooks/{'a' * 5000}", f"{HOOK}more"]
    told = {requests.request(method, server.origin + path, timeout=10).status_code for path in wrong}

    assert told == {404}
    assert requests.request(method, server.origin + HOOK, timeout=10).status_code == 405
    assert is_unharmed(server)


def test_bodies_that_drip_are_given_up_while_others_are_served(
    redis_server: RedisServer, tmp_path: Path, cookie: str
) -> None:
    """On a server that hands a body on as it comes; Daphne collects it first, and the proxy before it gives up."""
    with serving("uvicorn", redis_server, tmp_path) as streaming:
        drip(streaming)


def drip(server: Server) -> None:
    dripping = [connection(server) for _ in range(30)]
    head = f"POST {HOOK} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900\r\n\r\n".encode()
    for each in dripping:
        each.sendall(head)
    began, slowest, answered = time.monotonic(), 0.0, 0
    while dripping and time.monotonic() - began < receive.BODY_SECONDS + 5:
        at = time.monotonic()
        answered += post(server, event("ringing")) == 204
        slowest = max(slowest, time.monotonic() - at)
        dripping = [each for each in dripping if drips_on(each)]
        time.sleep(0.3)

    assert dripping == []
    assert answered > 10
    assert slowest < 5  # on a machine that runs other tests as well; far from waiting for those that drip
    assert is_unharmed(server)


def connection(server: Server) -> socket.socket:
    opened_one = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    opened_one.settimeout(0.001)
    return opened_one


def drips_on(dripping: socket.socket) -> bool:
    """Send one byte more; False once the server has answered or hung up."""
    with contextlib.suppress(TimeoutError):
        try:
            if dripping.recv(100) is not None:
                dripping.close()
                return False
        except ConnectionError:
            return False
    with contextlib.suppress(TimeoutError):
        try:
            dripping.sendall(b" ")
        except OSError:
            return False
    return True


def test_whatever_a_browser_says_harms_nobody(server: Server, cookie: str) -> None:
    witness = opened(server, cookie)
    before = resident(server)

    @QUICK
    @given(frames=st.lists(FRAMES, min_size=1, max_size=30))
    def anything(frames: list[str | bytes]) -> None:
        page = server.open("board=main", cookie)
        with contextlib.suppress(ConnectionClosed):
            for frame in frames:
                page.socket.send(frame)
        with contextlib.suppress(ConnectionClosed, TimeoutError):
            page.socket.recv(timeout=0.05)
        page.socket.close()

    anything()
    codes = []
    for huge in ("x" * 1_000_000, os.urandom(200_000), "{" * 66_000):
        page = server.open("board=main", cookie)
        with contextlib.suppress(ConnectionClosed):
            page.socket.send(huge)
        codes.append(page.close_code())
    assert set(codes) <= {1009, 1006}  # too large; or hung up before this end had said it all
    count = len(witness.frames)
    witness.until(lambda: len(witness.frames) > count, 15)  # still told the time
    assert is_unharmed(server)
    assert resident(server) - before < GROWTH


@pytest.mark.parametrize(
    "raw", [b"\x83\x00", b"\xff\xff" + bytes(20), b"\x81\xff" + b"\xff" * 8, b"\x81\x7e\xff\xff", b"no"]
)
def test_broken_frames_end_their_own_socket_only(raw: bytes, server: Server, cookie: str) -> None:
    witness = opened(server, cookie)
    page = server.open("board=main", cookie)
    with contextlib.suppress(OSError):
        page.socket.socket.sendall(raw)
        page.socket.socket.shutdown(socket.SHUT_WR)

    assert page.close_code(15) in (1000, 1002, 1006, 1007, 1009)
    assert witness.socket.close_code is None
    assert is_unharmed(server)


def test_odd_handshakes_are_refused_in_words(server: Server, cookie: str) -> None:
    for query in ("board=" + "x" * 4000, "board=%00", "&".join(f"last=a:{n}" for n in range(300)), "board=%ff%fe"):
        with contextlib.suppress(InvalidStatus):
            page = server.open(query, cookie)
            assert 4400 <= page.close_code() < 4600
    for line in (b"GET /live/ HTTP/1.1\r\n\r\n", b"\0" * 500, b"GET /live/?" + b"x" * 70_000 + b" HTTP/1.1\r\n\r\n"):
        with contextlib.suppress(OSError), connection(server) as raw:
            raw.sendall(line)
    link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    link.request(
        "GET", "/live/", headers={"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "\x7f"}
    )
    assert link.getresponse().status < 500
    assert is_unharmed(server)
