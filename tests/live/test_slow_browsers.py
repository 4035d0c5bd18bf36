"""The live socket on real servers: browsers that send too much or never read harm nobody else."""

import socket as plain
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from accounts.models import Domain
from tests.harness.redis import RedisServer
from tests.live.serving import KINDS, Server, opened, serving, signed_in
from wallboard.live import feeds

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database]


def test_an_outsized_message_ends_only_its_sender(server: Server, domain: Domain) -> None:
    _, cookie = signed_in(domain)
    page, other = opened(server, cookie), opened(server, cookie)

    page.socket.send("x" * 1_000_000)

    assert page.close_code(5) in (1009, 1006)  # autobahn drops a connection that breaks the rules
    feeds.queues(domain.pk).publish({"queue:1": (1, "x")})
    other.until(lambda: other.shows("queues", "queue:1") == "x")


def test_a_talkative_browser_is_shown_out(server: Server, domain: Domain) -> None:
    page = opened(server, signed_in(domain)[1])

    with suppress(ConnectionClosed):  # it may be out before it has said everything
        for _ in range(60):
            page.socket.send("hello?")

    assert page.close_code(5) == 4400


@pytest.fixture(params=KINDS)
def hasty(request: pytest.FixtureRequest, own_redis: RedisServer, tmp_path: Path) -> Iterator[Server]:
    """A server that gives up on a browser after three seconds instead of twenty."""
    with serving(request.param, own_redis, tmp_path, "tests.live.hasty:application") as running:
        yield running


def test_browsers_that_never_read_neither_fill_memory_nor_slow_the_others(hasty: Server, domain: Domain) -> None:
    _, cookie = signed_in(domain)
    page = opened(hasty, cookie)
    sleepers = [asleep(hasty, cookie) for _ in range(30)]
    before = memory(hasty)

    slowest = 0.0
    for version in range(1, 16):
        feeds.queues(domain.pk).publish({"queue:1": (version, [version, "x" * 400_000])})
        took = page.until(lambda version=version: (page.shows("queues", "queue:1") or [0])[0] == version)  # type: ignore[misc]
        slowest = max(slowest, took)
    grown = memory(hasty) - before

    assert slowest < 2
    assert grown < 60_000_000
    end = time.monotonic() + 60
    while connected(hasty) > 1 and time.monotonic() < end:
        page.until(lambda: True)
        time.sleep(0.1)
    assert connected(hasty) == 1
    for sleeper in sleepers:
        sleeper.close()


def asleep(server: Server, cookie: str) -> plain.socket:
    """A browser that connects and then never reads."""
    sleeper = plain.socket()
    sleeper.setsockopt(plain.SOL_SOCKET, plain.SO_RCVBUF, 4096)  # before it connects, else it counts for nothing
    sleeper.connect(("127.0.0.1", server.port))
    lines = [
        "GET /live/?board=main HTTP/1.1",
        f"Host: 127.0.0.1:{server.port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        f"Origin: {server.origin}",
        f"Cookie: {cookie}",
    ]
    sleeper.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
    sleeper.recv(100)
    return sleeper


def memory(server: Server) -> int:
    """Resident bytes of the server process."""
    lines = Path(f"/proc/{server.child.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))


def connected(server: Server) -> int:
    """How many connections the server has open."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[1].endswith(f":{server.port:04X}") and row[3] == "01" for row in rows)
