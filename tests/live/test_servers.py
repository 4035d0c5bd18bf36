"""The live socket on real servers: who may sit where, and what survives the loss of Redis."""

import json
import signal
import ssl
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from django.contrib.sessions.models import Session
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from accounts.models import Domain, Person
from tests.harness.redis import RedisServer, running_redis
from tests.harness.site import bare_environment
from tests.live.serving import KINDS, Page, Server, command, company, serving, signed_in
from wallboard.boards import screens
from wallboard.boards.models import Board
from wallboard.live import control, feeds, publish
from wallboard.processes import Child, free_port

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def own_redis(tmp_path: Path, settings: Any) -> Iterator[RedisServer]:
    """A Redis that this test may kill."""
    with running_redis(tmp_path) as server:
        settings.REDIS_URL = server.url
        yield server


@pytest.fixture(params=KINDS)
def server(request: pytest.FixtureRequest, own_redis: RedisServer, tmp_path: Path) -> Iterator[Server]:
    with serving(request.param, own_redis, tmp_path) as running:
        yield running


@pytest.fixture
def daphne(own_redis: RedisServer, tmp_path: Path) -> Iterator[Server]:
    with serving("daphne", own_redis, tmp_path) as running:
        yield running


@pytest.fixture
def domain(transactional_db: None) -> Domain:
    return company()


def opened(server: Server, cookie: str, query: str = "board=main") -> Page:
    """A page that holds everything its feeds hold."""
    page = server.open(query, cookie)
    page.until(lambda: len(page.documents) == (3 if "desk" in query else 4))
    return page


@pytest.mark.parametrize("kind", [*KINDS, "daphne with TLS"])
def test_ready_frames_go_straight_to_the_servers_transport(kind: str, tmp_path: Path) -> None:
    port = free_port()
    call = command(kind.split()[0], port, "tests.live.probe:application")
    if "TLS" in kind:
        key, certificate = self_signed(tmp_path)
        address = f"ssl:{port}:interface=127.0.0.1:privateKey={key}:certKey={certificate}"
        call = [sys.executable, "-m", "daphne", "-e", address, call[-1]]
    child = Child("server", call, tmp_path / "log", bare_environment())
    child.start()
    try:
        texts = probed(port, is_tls="TLS" in kind)
    finally:
        child.stop()

    assert texts == [f"{kind.split()[0].title()}Wire", "ä" * 100, "x" * 70_000]


def self_signed(folder: Path) -> tuple[Path, Path]:
    """A key and a certificate that nobody vouches for."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    build = x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(days=1))
    form = (Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "key.pem").write_bytes(key.private_bytes(*form))
    (folder / "cert.pem").write_bytes(build.sign(key, SHA256()).public_bytes(Encoding.PEM))
    return folder / "key.pem", folder / "cert.pem"


def probed(port: int, *, is_tls: bool) -> list[str | bytes]:
    """What the probe says: which wire it found, then two texts over it."""
    address = f"{'wss' if is_tls else 'ws'}://127.0.0.1:{port}/"
    trust = ssl._create_unverified_context() if is_tls else None
    for _ in range(200):
        try:
            with connect(address, ssl=trust, max_size=None, close_timeout=0.2) as socket:
                return [socket.recv(timeout=5) for _ in range(3)]
        except ConnectionRefusedError:
            time.sleep(0.05)
    raise AssertionError("the server did not start")


def test_a_supervisor_gets_the_boards_feeds_and_their_changes(server: Server, domain: Domain) -> None:
    _, cookie = signed_in(domain)
    page = opened(server, cookie)

    feeds.calls(domain.pk).publish({"7": (1, {"id": "7"})})
    page.until(lambda: page.shows("calls", "7") == {"id": "7"})

    board = Board.objects.get()
    assert set(page.documents) == {"queues", "people", "calls", f"board:{board.pk}"}
    assert page.shows(f"board:{board.pk}", "board")["name"] == "Main"


def test_an_agent_gets_calls_without_numbers(daphne: Server, domain: Domain) -> None:
    _, cookie = signed_in(domain, Person.Role.AGENT)

    page = opened(daphne, cookie)

    assert "calls" not in page.documents
    assert "wall" in page.documents


def test_a_desk_is_ones_own(daphne: Server, domain: Domain) -> None:
    _, cookie = signed_in(domain, Person.Role.AGENT, "104")
    page = opened(daphne, cookie, "desk=1")

    feeds.desk(domain.pk, "105").publish({"1": (1, "not mine")})
    feeds.desk(domain.pk, "104").publish({"2": (1, "mine")})
    page.until(lambda: page.shows("desk:104", "2") == "mine")

    assert set(page.documents) == {"desk:104", "people", "queues"}


def test_a_tv_gets_its_own_board_and_no_numbers(daphne: Server, domain: Domain) -> None:
    board = Board.objects.get()
    _, token = screens.make(board, "Hall")

    page = opened(daphne, f"{screens.COOKIE}={token}")

    assert set(page.documents) == {"queues", "people", "wall", f"board:{board.pk}"}


def test_a_tv_page_in_a_supervisors_browser_gets_no_numbers(daphne: Server, domain: Domain) -> None:
    _, cookie = signed_in(domain)
    _, token = screens.make(Board.objects.get(), "Hall")

    page = opened(daphne, f"{cookie}; {screens.COOKIE}={token}", "board=main&screen=1")

    assert "calls" not in page.documents


def refusal(server: Server, query: str, cookie: str) -> tuple[int, list[Any]]:
    """The close code, and what was told before it."""
    page = server.open(query, cookie)
    return page.close_code(5), page.frames


def test_who_has_no_right_is_told_why_and_nothing_else(server: Server, domain: Domain) -> None:
    other = company("other")
    Board.objects.create(domain=other, name="Secret", slug="secret")
    _, cookie = signed_in(domain)
    _, unlinked = signed_in(domain, extension="999")
    Person.objects.filter(extension="999").update(user=None)
    tv, token = screens.make(Board.objects.get(domain=domain), "Hall")
    screens.revoke(tv)
    Board.objects.create(domain=domain, name="Second", slug="second")
    _, own = screens.make(Board.objects.get(domain=domain, slug="main"), "Hall")

    assert refusal(server, "board=main", "") == (4401, [])
    assert refusal(server, "board=main", "sessionid=forged") == (4401, [])
    assert refusal(server, "board=main", unlinked) == (4401, [])
    assert refusal(server, "board=main", f"screen={token}") == (4401, [])
    assert refusal(server, "board=secret", cookie) == (4404, [])
    assert refusal(server, "board=nonsense", cookie) == (4404, [])
    assert refusal(server, "", cookie) == (4404, [])
    assert refusal(server, "desk=1", f"screen={own}") == (4403, [])
    assert refusal(server, "board=second", f"screen={own}") == (4409, [])


EVIL = ["https://evil.example", "null", None, "http://127.0.0.1:1", "http://x.127.0.0.1"]


def test_pages_of_other_sites_cannot_connect(server: Server, domain: Domain) -> None:
    _, cookie = signed_in(domain)
    opened(server, cookie)

    for origin in EVIL:
        with pytest.raises(InvalidStatus) as refused:
            server.open("board=main", cookie, origin=origin)
        assert refused.value.response.status_code == 403


def test_companies_never_see_each_other(daphne: Server, domain: Domain) -> None:
    other = company("other")
    page = opened(daphne, signed_in(domain)[1])
    theirs = opened(daphne, signed_in(other)[1])

    feeds.queues(other.pk).publish({"queue:9": (1, {"waiting": 1})})
    theirs.until(lambda: theirs.shows("queues", "queue:9") is not None)
    feeds.queues(domain.pk).publish({"queue:1": (1, {"waiting": 2})})
    page.until(lambda: page.shows("queues", "queue:1") is not None)

    assert page.shows("queues", "queue:9") is None


def test_signing_out_closes_the_socket_at_once(server: Server, domain: Domain) -> None:
    person, cookie = signed_in(domain)
    page = opened(server, cookie)

    Session.objects.all().delete()
    began = time.monotonic()
    control.close_user(person.user_id or 0)

    assert page.close_code(5) == 4401
    assert time.monotonic() - began < 5
    assert refusal(server, "board=main", cookie) == (4401, [])


def test_a_changed_role_closes_the_socket_and_the_next_one_has_the_new_rights(server: Server, domain: Domain) -> None:
    person, cookie = signed_in(domain)
    page = opened(server, cookie)

    Person.objects.filter(pk=person.pk).update(role=Person.Role.AGENT)
    control.close_user(person.user_id or 0)

    assert page.close_code(5) == 4409
    assert "calls" not in opened(server, cookie).documents


def test_a_revoked_tv_is_closed_at_once(server: Server, domain: Domain) -> None:
    screen, token = screens.make(Board.objects.get(), "Hall")
    page = opened(server, f"screen={token}")

    screens.revoke(screen)

    assert page.close_code(5) == 4401


def test_resuming_on_another_process_brings_just_what_was_missed(
    own_redis: RedisServer, domain: Domain, tmp_path: Path
) -> None:
    _, cookie = signed_in(domain)
    with serving("daphne", own_redis, tmp_path) as one, serving("uvicorn", own_redis, tmp_path) as two:
        page = opened(one, cookie)
        feeds.queues(domain.pk).publish({"queue:1": (9, "x")})
        again = two.open(f"board=main&last=queues:{page.held['queues']}", cookie)
        again.held = dict(page.held)
        again.documents = {"queues": dict(page.documents["queues"])}
        again.until(lambda: again.shows("queues", "queue:1") == "x")

    first = next(frame for frame in again.frames if frame.get("feed") == "queues")
    assert "snapshot" not in first


def test_an_emptied_redis_heals_by_itself(server: Server, domain: Domain) -> None:
    _, cookie = signed_in(domain)
    page = opened(server, cookie)
    queues = feeds.queues(domain.pk)
    queues.publish({"queue:ghost": (1, "only Redis knows it")})
    page.until(lambda: page.shows("queues", "queue:ghost") is not None)

    import redis

    with redis.Redis.from_url(server.redis.url) as client:
        client.flushall()
    took = page.until(lambda: page.shows("queues", "queue:ghost") is None, 15)

    assert took < 15
    queues.publish({"queue:1": (1, "news")})
    page.until(lambda: page.shows("queues", "queue:1") == "news")


def test_a_killed_redis_heals_by_itself_with_sockets_open(server: Server, domain: Domain) -> None:
    _, cookie = signed_in(domain)
    pages = [opened(server, cookie) for _ in range(3)]

    server.redis.child.kill()
    page = pages[0]
    page.until(lambda: any("deaf_since" in frame for frame in page.frames), 10)
    missed = publish.tell(feeds.queues(domain.pk), {"queue:1": (1, "missed")})
    board = Board.objects.get()
    Board.objects.filter(pk=board.pk).update(name="Renamed meanwhile", version=2)
    time.sleep(1)
    server.redis.child.stop()
    server.redis.start()

    for page in pages:
        page.until(lambda page=page: page.shows(f"board:{board.pk}", "board")["version"] == 2, 30)  # type: ignore[misc]
        feeds.queues(domain.pk).publish({"queue:2": (1, "news")})
        page.until(lambda page=page: page.shows("queues", "queue:2") == "news")  # type: ignore[misc]
    assert missed is False


def test_a_frozen_redis_heals_by_itself(daphne: Server, domain: Domain) -> None:
    _, cookie = signed_in(domain)
    page = opened(daphne, cookie)

    daphne.redis.child.kill(signal.SIGSTOP)
    try:
        page.until(lambda: "deaf_since" in page.frames[-1], 20)
    finally:
        daphne.redis.child.kill(signal.SIGCONT)

    page.until(lambda: "ping" in page.frames[-1] and "deaf_since" not in page.frames[-1], 20)
    feeds.queues(domain.pk).publish({"queue:2": (1, "news")})
    page.until(lambda: page.shows("queues", "queue:2") == "news")


def test_an_outsized_message_ends_only_its_sender(server: Server, domain: Domain) -> None:
    _, cookie = signed_in(domain)
    page, other = opened(server, cookie), opened(server, cookie)

    page.socket.send("x" * 1_000_000)

    assert page.close_code(5) in (1009, 1006)  # autobahn drops a connection that breaks the rules
    feeds.queues(domain.pk).publish({"queue:1": (1, "x")})
    other.until(lambda: other.shows("queues", "queue:1") == "x")


def test_a_talkative_browser_is_shown_out(server: Server, domain: Domain) -> None:
    page = opened(server, signed_in(domain)[1])

    for _ in range(60):
        page.socket.send("hello?")

    assert page.close_code(5) == 4400


def test_browsers_that_never_read_neither_fill_memory_nor_slow_the_others(server: Server, domain: Domain) -> None:
    import socket as plain

    _, cookie = signed_in(domain)
    page = opened(server, cookie)
    sleepers = [asleep(server, cookie) for _ in range(30)]
    before = memory(server)

    slowest = 0.0
    for version in range(1, 60):
        feeds.queues(domain.pk).publish({"queue:1": (version, [version, "x" * 100_000])})
        took = page.until(lambda version=version: (page.shows("queues", "queue:1") or [0])[0] == version)  # type: ignore[misc]
        slowest = max(slowest, took)
    grown = memory(server) - before

    assert slowest < 2
    assert grown < 60_000_000
    end = time.monotonic() + 60
    while connected(server) > 1 and time.monotonic() < end:
        page.until(lambda: True)
        time.sleep(0.5)
    assert connected(server) == 1
    for sleeper in sleepers:
        assert isinstance(sleeper, plain.socket)
        sleeper.close()


def asleep(server: Server, cookie: str) -> Any:
    """A browser that connects and then never reads."""
    import socket as plain

    sleeper = plain.create_connection(("127.0.0.1", server.port))
    sleeper.setsockopt(plain.SOL_SOCKET, plain.SO_RCVBUF, 4096)
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


def test_daphne_says_when_to_come_back_before_it_goes(daphne: Server, domain: Domain) -> None:
    page = opened(daphne, signed_in(domain)[1])

    daphne.child.kill(signal.SIGTERM)
    page.close_code(5)

    assert page.frames[-1] == {"bye": 5}


def test_uvicorn_closes_with_service_restart(own_redis: RedisServer, domain: Domain, tmp_path: Path) -> None:
    with serving("uvicorn", own_redis, tmp_path) as uvicorn:
        page = opened(uvicorn, signed_in(domain)[1])

        uvicorn.child.kill(signal.SIGTERM)

        assert page.close_code(5) == 1012


def test_frames_are_json_texts_with_the_documented_fields(daphne: Server, domain: Domain) -> None:
    page = opened(daphne, signed_in(domain)[1])
    feeds.queues(domain.pk).publish({"queue:ö": (1, {"name": 'Vertrieb "Süd" \u2028 </script>'})})
    page.until(lambda: page.shows("queues", "queue:ö") is not None)

    assert page.shows("queues", "queue:ö") == {"name": 'Vertrieb "Süd" \u2028 </script>'}
    assert set(json.dumps(page.frames[-1])) <= set(map(chr, range(32, 127)))
    assert set(page.frames[-1]) == {"feed", "id", "prev", "set", "del"}
