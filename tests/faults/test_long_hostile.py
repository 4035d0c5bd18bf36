"""Browsers that never read, shout or knock all the time harm nobody (R11); a backup brings everything back (R14)."""

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.faults.bursts import Burst
from tests.faults.conftest import Note, Open
from tests.faults.installation import SUPERVISOR, WEBS, Installation
from tests.harness.site import seconds_until

pytestmark = [pytest.mark.faults, pytest.mark.timeout(400)]
SLEEPERS, KNOCKS_PER_SECOND, KNOCKING_SECONDS = 50, 17, 20
GROWTH_BYTES, CLOSED_SECONDS = 100_000_000, 60


def opened(port: int, origin: str, cookie: str) -> socket.socket:
    """A connection that asks for a board's socket; nothing of what comes is read."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(10)
    connection.connect(("127.0.0.1", port))
    lines = [
        "GET /live/?board=main HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        f"Origin: {origin}",
        f"Cookie: {cookie}",
    ]
    connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
    return connection


def resident(site: Installation) -> int:
    """Bytes that the first web process holds."""
    return int(Path(f"/proc/{site.children['web'].pid}/statm").read_text().split()[1]) * 4096


def standing(port: int) -> int:
    """How many connections stand at that port, on the server's side."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[1].endswith(f":{port:04X}") and row[3] in ("01", "08") for row in rows)


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as kept:
        yield kept


@pytest.mark.promise("R11", "50 sockets never read, one shouts, 1,000 connects a minute")
def test_hostile_browsers_harm_nobody(site: Installation, open_browser: Open, figure: Note, stack: ExitStack) -> None:
    page, port, cookie = open_browser("web"), site.ports["web"], site.cookies[SUPERVISOR]
    site.wait_for_truth(page, seconds=30)
    before, usual = resident(site), standing(port)
    for _ in range(SLEEPERS):
        stack.callback(opened(port, site.url, cookie).close)
    shouter = opened(port, site.url, cookie)
    shouter.recv(1000)
    shouter.sendall(b"\x81\xff" + (1_000_000).to_bytes(8, "big") + bytes(4) + b"x" * 10_000)
    with Burst(site) as burst:
        for _ in range(KNOCKS_PER_SECOND * KNOCKING_SECONDS):
            opened(port, site.url, "").close()
            time.sleep(1 / KNOCKS_PER_SECOND)
    took = site.wait_for_truth(page, seconds=30)
    grown = resident(site) - before
    gone_after = seconds_until(lambda: standing(port) <= usual + 2, CLOSED_SECONDS)
    shouter.close()

    told = burst.outcomes()
    figure(f"page true after {took:.1f} s, {grown / 1e6:.0f} MB more, all gone after {gone_after:.0f} s, {dict(told)}")
    assert burst.lost() == 0
    assert told.keys() == {"acknowledged"}
    assert page.connections == 1
    assert grown < GROWTH_BYTES


@pytest.mark.promise("R14", "a dump is restored into an empty database")
def test_a_backup_brings_everything_back(site: Installation, open_browser: Open, figure: Note, tmp_path: Path) -> None:
    page = open_browser("web")
    site.wait_for_truth(page, seconds=30)
    token = site.oracle.value("CompanyToken.objects.get().access_token.open()")
    dump = tmp_path / "dump.sql"
    run(["pg_dump", "--file", str(dump), site.postgres.url])
    for name in (*WEBS, "worker", "beat"):
        site.kill(name)

    began = time.monotonic()
    emptied = "DROP SCHEMA public CASCADE; CREATE SCHEMA public"
    run(["psql", "-q", "-c", emptied, site.postgres.url])
    run(["psql", "-q", "-v", "ON_ERROR_STOP=1", "-f", str(dump), site.postgres.url])
    site.redis().flushall()
    site.manage("setup")
    checked = "max(Subscription.objects.exclude(state='retired').values_list('checked_at', flat=True)).timestamp()"
    restored_at = time.time()
    for name in (*WEBS, "worker", "beat"):
        site.restart(name)
    site.wait(site.is_ready, 90)
    site.wait_for_truth(page, seconds=60)
    took = time.monotonic() - began
    seconds_until(lambda: site.oracle.value(checked) > restored_at, 30)

    figure(f"boards true {took:.0f} s after the restore began; subscriptions looked at again, tokens can be read")
    assert site.oracle.value("CompanyToken.objects.get().access_token.open()") == token
    with Burst(site) as burst:
        time.sleep(2)
    assert burst.outcomes().keys() == {"acknowledged"}


def run(command: list[str]) -> None:
    """A program of PostgreSQL's; fails with what it says."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
