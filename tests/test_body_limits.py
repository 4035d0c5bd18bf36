"""Large bodies cost next to nothing, whoever sends them where, with or without a proxy."""

import http.client
import socket
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.harness.redis import RedisServer
from tests.live.serving import Server, serving
from wallboard import body_limits
from wallboard.body_limits import BodyLimit, limit_of

PIECE = b"x" * 65_536


async def answered(announced: bytes | None, pieces: int, path: str = "/nowhere/") -> tuple[int, int]:
    """The status of a request, and how many pieces of its body the application behind the limit took."""
    left, taken, sent = pieces, 0, []

    async def receive() -> Any:
        nonlocal left
        left -= 1
        return {"type": "http.request", "body": PIECE, "more_body": left > 0}

    async def send(message: Any) -> None:
        sent.append(message)

    async def application(scope: Any, receive: Any, send: Any) -> None:
        nonlocal taken
        while (message := await receive())["type"] == "http.request":
            taken += 1
            if not message["more_body"]:
                await send({"type": "http.response.start", "status": 404, "headers": []})
                return

    headers = [] if announced is None else [(b"content-length", announced)]
    await BodyLimit(application)({"type": "http", "path": path, "headers": headers}, receive, send)
    return sent[0]["status"], taken


@pytest.mark.parametrize("announced", [b"2097153", b"9" * 13, b"9" * 5000, b"-1", b"x"])
async def test_a_body_that_is_announced_too_large_is_not_read(announced: bytes) -> None:
    assert await answered(announced, 99) == (413, 0)


async def test_a_body_that_turns_out_too_large_is_given_up() -> None:
    assert await answered(None, 99) == (413, limit_of("/") // len(PIECE))


async def test_what_is_within_the_limit_of_its_address_is_handed_on() -> None:
    assert await answered(b"131072", 2) == (404, 2)
    assert await answered(b"5000000", 77, "/boards/images/") == (404, 77)


@pytest.fixture(scope="module")
def server(redis_server: RedisServer, tmp_path_factory: Any) -> Any:
    """Daphne as the Procfile starts it; servers that hand a body on as it comes have the limit above alone."""
    with serving("daphne", redis_server, tmp_path_factory.mktemp("bodies")) as running:
        yield running


def memory_and_files(server: Server) -> int:
    """Bytes that the server process holds, and what it keeps in files that have no name any more."""
    process = Path(f"/proc/{server.child.pid}")
    lines = process.joinpath("status").read_text().splitlines()
    resident = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))
    return resident + sum(each.stat().st_size for each in process.joinpath("fd").iterdir() if _is_file(each))


def _is_file(descriptor: Path) -> bool:
    try:
        return descriptor.is_file() and "deleted" in str(descriptor.readlink())
    except OSError:
        return False


@pytest.mark.flow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/nowhere/", "/hooks/not-a-secret/", "/accounts/login/"])
@pytest.mark.parametrize("is_announced", [True, False])
def test_a_gigabyte_from_a_stranger_costs_nothing(server: Server, path: str, is_announced: bool) -> None:
    before = memory_and_files(server)
    place = urlsplit(server.origin)
    sent, most = 0, 0
    with socket.create_connection((str(place.hostname), int(place.port or 0)), timeout=10) as line:
        length = f"Content-Length: {2**30}" if is_announced else "Transfer-Encoding: chunked"
        line.sendall(f"POST {path} HTTP/1.1\r\nHost: {place.netloc}\r\n{length}\r\n\r\n".encode())
        try:
            while sent < 100_000_000:
                line.sendall(PIECE if is_announced else b"10000\r\n" + PIECE + b"\r\n")
                sent += len(PIECE)
                most = max(most, memory_and_files(server))
        except OSError:  # it hung up
            pass

    assert sent < 30_000_000
    assert most - before < 40_000_000
    assert server.answers()


@pytest.mark.flow
@pytest.mark.django_db(transaction=True)
def test_a_body_that_is_just_too_large_is_told(server: Server) -> None:
    connection = http.client.HTTPConnection(urlsplit(server.origin).netloc, timeout=10)
    connection.putrequest("POST", "/nowhere/")
    connection.putheader("Content-Length", str(body_limits.USUAL_BYTES + 1))
    connection.endheaders(
        b"x"
    )  # the rest is not sent: the answer comes before, and may else be lost with the connection

    assert connection.getresponse().status == 413
    connection.close()
