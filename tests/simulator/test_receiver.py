"""The webhook that prints what is posted to it."""

import threading
from collections.abc import Iterator
from http.client import HTTPConnection
from http.server import HTTPServer

import pytest

from wallboard.simulator.receiver import Receiver


@pytest.fixture
def connection() -> Iterator[HTTPConnection]:
    server = HTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield HTTPConnection("127.0.0.1", server.server_address[1], timeout=5)
    server.shutdown()
    server.server_close()


def test_it_prints_the_body_and_answers_204(connection: HTTPConnection, capsys: pytest.CaptureFixture[str]) -> None:
    connection.request("POST", "/", body=b'{"state": "ready"}\xff')

    assert connection.getresponse().status == 204
    assert capsys.readouterr().out == '{"state": "ready"}�\n'


@pytest.mark.parametrize("length", ["", "x", "-1", "٣", "9" * 5000])
def test_it_refuses_a_body_of_no_known_length(connection: HTTPConnection, length: str) -> None:
    connection.putrequest("POST", "/")
    connection.putheader("Content-Length", length.encode())
    connection.endheaders()

    assert connection.getresponse().status == 411
