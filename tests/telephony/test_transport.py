"""The transport against a real server that floods, redirects and hangs up."""

import gzip
import os
import socket
import ssl
import subprocess
import threading
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.telephony.server import answering, serving
from wallboard.telephony import connections, transport
from wallboard.telephony.errors import BadResponse, ProviderError, Unreachable
from wallboard.telephony.transport import Deadline

SECRET = "canary-3b1f"
pytestmark = pytest.mark.usefixtures("fresh_connections")


def test_send_speaks_tls_only_with_a_trusted_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    request = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1"
    )
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*request.split(), *files], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    with serving(answering(b"[]"), context) as server:
        url = server.url.replace("http:", "https:")

        with pytest.raises(Unreachable, match="SSLError"):
            transport.send("GET", url, {"Authorization": SECRET}, deadline=Deadline.after(3))

        assert server.requests == []
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
        connections._shared.forget()  # as in a process that was started so
        assert transport.send("GET", url, {"Authorization": SECRET}, deadline=Deadline.after(3)).body == b"[]"


def test_what_one_request_carries_is_not_in_the_next_one_to_that_address() -> None:
    with serving(answering(b"[]")) as server:
        transport.send("GET", server.url, {"Authorization": SECRET, "Accept": "one"}, deadline=Deadline.after(5))
        transport.send("GET", server.url, {"Accept": "other"}, deadline=Deadline.after(5))

        first, second = (request.decode() for request in server.requests)

    assert (SECRET in first, "Accept: one" in first) == (True, True)
    assert (SECRET in second, "Accept: other" in second, "Accept: one" in second) == (False, True, False)
    assert first.count("Accept-Encoding: gzip") == second.count("Accept-Encoding: gzip") == 1


def test_send_refuses_an_answer_past_the_limit() -> None:
    with serving(answering(b"x" * (transport.MOST_BYTES + 1))) as server, pytest.raises(BadResponse, match="more than"):
        transport.send("GET", server.url, {}, deadline=Deadline.after(5))


def test_send_stops_reading_at_the_limit() -> None:
    sent = 0

    def flood(connection: socket.socket, _: bytes) -> None:
        nonlocal sent
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        for _turn in range(1000):
            sent += connection.send(b"x" * 1_000_000)

    with serving(flood) as server, pytest.raises(BadResponse):
        transport.send("GET", server.url, {}, deadline=Deadline.after(5))
    time.sleep(0.2)

    assert sent < 20_000_000


def test_send_takes_an_answer_of_exactly_the_limit() -> None:
    with serving(answering(b"x" * transport.MOST_BYTES)) as server:
        assert len(transport.send("GET", server.url, {}, deadline=Deadline.after(5)).body) == transport.MOST_BYTES


def test_send_asks_for_no_packing_that_it_cannot_undo() -> None:
    with serving(answering(b"")) as server:
        transport.send("GET", server.url, {}, deadline=Deadline.after(5))

    assert b"\r\naccept-encoding: gzip\r\n" in server.requests[0].lower()


def test_send_unpacks_gzip() -> None:
    with serving(answering(gzip.compress(b"[1]"), "Content-Encoding: gzip")) as server:
        assert transport.send("GET", server.url, {}, deadline=Deadline.after(5)).body == b"[1]"


@pytest.mark.parametrize(
    ("packed", "encoding"),
    [
        (gzip.compress(b"\0" * 50_000_000), "gzip"),
        (b"not packed at all", "gzip"),
        (gzip.compress(os.urandom(1000))[:500], "gzip"),
        (b"[]", "br"),
    ],
    ids=["bomb", "garbage", "cut off", "unknown"],
)
def test_send_refuses_what_unpacks_badly(packed: Any, encoding: Any) -> None:
    with serving(answering(packed, f"Content-Encoding: {encoding}")) as server, pytest.raises(BadResponse):
        transport.send("GET", server.url, {}, deadline=Deadline.after(5))


def test_a_bomb_is_never_unpacked_whole() -> None:
    bomb = gzip.compress(b"\0" * 50_000_000)
    tracemalloc.start()

    with pytest.raises(ProviderError):
        transport.unpacked(bomb, "gzip")

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 * transport.MOST_BYTES


def test_send_follows_no_redirect_and_shows_its_headers_to_nobody_else() -> None:
    with serving(answering(b"")) as elsewhere:
        redirect = answering(b"", f"Location: {elsewhere.url}/", status="307 Temporary Redirect")
        with serving(redirect) as server:
            answer = transport.send(
                "GET", server.url, {"Authorization": f"Bearer {SECRET}"}, deadline=Deadline.after(5)
            )

        assert answer.status == 307
        assert elsewhere.requests == []


def test_send_keeps_its_connection() -> None:
    with serving(answering(b"[]")) as server:
        for _ in range(5):
            transport.send("GET", server.url, {}, deadline=Deadline.after(5))

        assert (len(server.requests), server.connections) == (5, 1)


def test_each_provider_has_a_pool_of_its_own_however_many_there_are() -> None:
    with ExitStack() as stack:
        servers = [stack.enter_context(serving(answering(b"[]"))) for _ in range(12)]
        for server in [*servers, *servers]:
            transport.send("GET", server.url, {}, deadline=Deadline.after(5))

        assert [(len(server.requests), server.connections) for server in servers] == [(2, 1)] * 12


def test_as_many_connections_to_one_provider_stay_open_as_may_be_used_at_once() -> None:
    barrier = threading.Barrier(20)

    def together(connection: socket.socket, head: bytes) -> None:
        barrier.wait(10)
        answering(b"[]")(connection, head)

    with serving(together) as server, ThreadPoolExecutor(20) as pool:
        for _ in range(2):
            list(pool.map(lambda _: transport.send("GET", server.url, {}), range(20)))

        assert server.connections == 20


def closing_each_after_one(connection: socket.socket, head: bytes) -> None:
    """Says that the connection stays, answers once, and hangs up on the second request."""
    if getattr(closing_each_after_one, "seen", None) is connection:
        connection.shutdown(socket.SHUT_RDWR)
        return
    closing_each_after_one.seen = connection  # type: ignore[attr-defined]
    answering(b"[]")(connection, head)


def test_send_repeats_once_where_a_kept_connection_had_been_closed() -> None:
    with serving(closing_each_after_one) as server:
        first = transport.send("GET", server.url, {}, deadline=Deadline.after(5))
        second = transport.send("GET", server.url, {}, deadline=Deadline.after(5))

        assert (first.body, second.body) == (b"[]", b"[]")
        assert server.connections == 2


def test_send_repeats_nothing_that_may_not_be_repeated() -> None:
    with serving(closing_each_after_one) as server:
        transport.send("GET", server.url, {}, deadline=Deadline.after(5))

        with pytest.raises(Unreachable):
            transport.send("POST", server.url, {}, b"code=1", deadline=Deadline.after(5), may_repeat=False)

        assert len([head for head in server.requests if head.startswith(b"POST")]) == 1


def test_send_keeps_no_cookies() -> None:
    with serving(answering(b"[]", "Set-Cookie: who=me; Path=/")) as server:
        for _ in range(2):
            transport.send("GET", server.url, {}, deadline=Deadline.after(5))

        assert not any(b"cookie" in head.lower() for head in server.requests)


def test_send_lets_no_netrc_replace_the_bearer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login somebody password else\n")
    monkeypatch.setenv("NETRC", str(netrc))
    with serving(answering(b"[]")) as server:
        transport.send("GET", server.url, {"Authorization": "Bearer ours"}, deadline=Deadline.after(5))

        assert b"Authorization: Bearer ours" in server.requests[0]


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/", "http://no-such-host.invalid/", "ftp://127.0.0.1/", "http://[broken/", "nothing"]
)
def test_send_names_the_trouble_without_the_headers(url: Any) -> None:
    with pytest.raises(Unreachable) as caught:
        transport.send(
            "GET",
            url,
            {"Authorization": f"Bearer {SECRET}\nX: y"},
            b"body " + SECRET.encode(),
            deadline=Deadline.after(3),
        )

    assert SECRET not in f"{caught.value} {caught.value!r}"


def test_send_works_in_a_forked_child_on_a_connection_of_its_own() -> None:
    with serving(answering(b"[]")) as server:
        transport.send("GET", server.url, {}, deadline=Deadline.after(5))
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            body = transport.send("GET", server.url, {}, deadline=Deadline.after(5)).body
            os.write(write, body)
            os._exit(0)
        os.close(write)
        os.waitpid(child, 0)

        assert os.read(read, 10) == b"[]"
        assert server.connections == 2
        os.close(read)
