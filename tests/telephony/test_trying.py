"""What a try of address and credentials finds, at the simulated provider and at servers that are none."""

import json
import socket
import ssl
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from tests.harness.simulator import Simulator
from tests.harness.site import bare_environment
from tests.telephony.server import Handler, answering, serving
from wallboard.demo.processes import free_port
from wallboard.telephony import transport, trying
from wallboard.telephony.trying import Verdict

pytestmark = pytest.mark.usefixtures("fresh_connections")
REDIRECT = "http://testserver/accounts/callback/"
TOKEN = json.dumps({"access_token": "canary-token", "expires_in": 3600}).encode()


@pytest.fixture(scope="module")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Simulator]:
    running = Simulator(tmp_path_factory.mktemp("simulator"), bare_environment(), REDIRECT)
    running.start()
    yield running
    running.child.stop()


def company(url: str) -> trying.Tried:
    return trying.company(url, "id", "secret")


def in_turn(*handlers: Handler) -> Handler:
    """Each request gets the next answer."""
    left = iter(handlers)
    return lambda connection, head: next(left)(connection, head)


def test_good_credentials_bring_the_queues(provider: Simulator) -> None:
    tried = trying.company(provider.base_url, provider.client_id, provider.client_secret)

    assert tried.verdict == Verdict.GOOD
    assert len(set(tried.queues)) == len(tried.queues) > 0
    assert not tried.is_clock_off


def test_a_wrong_secret_is_told_from_a_wrong_address(provider: Simulator) -> None:
    wrong = trying.company(provider.base_url, provider.client_id, "wrong")
    elsewhere = trying.company(f"{provider.base_url}/portal", provider.client_id, provider.client_secret)

    assert wrong.verdict == Verdict.WRONG_SECRET
    assert elsewhere.verdict == Verdict.NOT_THE_API


def test_login_credentials_are_tried_without_anybody_signing_in(provider: Simulator) -> None:
    known = provider.base_url, provider.login_client_id, provider.login_client_secret

    assert trying.login(*known, REDIRECT).verdict == Verdict.GOOD
    assert trying.login(*known[:2], "wrong", REDIRECT).verdict == Verdict.WRONG_SECRET
    assert trying.login(*known, "http://testserver/elsewhere/").verdict == Verdict.REDIRECT


@pytest.mark.parametrize("status", ["401 Unauthorized", "404 Not Found", "422 Unprocessable Content"])
def test_login_credentials_are_known_where_a_wrong_secret_is_refused_otherwise(status: str) -> None:
    """A refused client is tried twice by the exchange of a code."""
    of_code, of_secret = answering(b"", status=status), answering(b"", status="403 Forbidden")
    page = [answering(b"<html>sign in</html>")] * 2
    known = [of_code] * (2 if status.startswith("401") else 1)
    with serving(in_turn(*known, of_secret, of_secret, *page)) as server:
        assert trying.login(server.url, "id", "secret", REDIRECT).verdict == Verdict.GOOD
    with serving(of_secret) as server:
        assert trying.login(server.url, "id", "secret", REDIRECT).verdict == Verdict.WRONG_SECRET


def test_a_web_page_is_not_the_api() -> None:
    with serving(answering(b"<html>welcome</html>", "Content-Type: text/html")) as server:
        assert company(server.url).verdict == Verdict.NOT_THE_API
    with serving(answering(b"", "Location: https://www.example.com/", status="301 Moved")) as server:
        assert company(server.url).verdict == Verdict.NOT_THE_API


def test_credentials_without_the_right_to_read_queues() -> None:
    with serving(in_turn(answering(TOKEN), answering(b"", status="403 Forbidden"))) as server:
        assert company(server.url).verdict == Verdict.NO_RIGHTS


def test_a_fresh_token_that_is_refused_by_another_clock() -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(hours=3), usegmt=True)
    refused = answering(b"", f"Date: {date}", status="401 Unauthorized")
    with serving(in_turn(answering(TOKEN), refused)) as server:
        tried = company(server.url)

    assert tried.verdict == Verdict.CLOCK
    assert 10_700 < (tried.clock_ahead_seconds or 0) < 10_900


def test_a_clock_that_is_off_is_noticed_where_all_else_is_well() -> None:
    date = format_datetime(datetime.now(UTC) - timedelta(minutes=10), usegmt=True)
    with serving(in_turn(answering(TOKEN), answering(b"[]", f"Date: {date}"))) as server:
        tried = company(server.url)

    assert tried.verdict == Verdict.GOOD
    assert tried.is_clock_off


@pytest.mark.parametrize(
    ("status", "verdict"),
    [
        ("429 Too Many Requests", Verdict.BUSY),
        ("503 Service Unavailable", Verdict.BUSY),
        ("502 Bad Gateway", Verdict.TROUBLE),
        ("404 Not Found", Verdict.NOT_THE_API),
        ("401 Unauthorized", Verdict.WRONG_SECRET),
        ("403 Forbidden", Verdict.WRONG_SECRET),
        ("400 Bad Request", Verdict.UNEXPLAINED),
    ],
)
def test_statuses_say_what_is_wrong(status: str, verdict: Verdict) -> None:
    with serving(answering(b"", status=status)) as server:
        tried = company(server.url)

    assert (tried.verdict, tried.status) == (verdict, int(status[:3]))


def test_no_name_and_nobody_there() -> None:
    assert company("https://no-such-host.invalid").verdict == Verdict.NO_NAME
    assert company(f"http://127.0.0.1:{free_port()}").verdict == Verdict.REFUSED


def test_a_server_that_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "TOTAL_SECONDS", 0.3)
    with serving(lambda _connection, _head: None) as server:
        assert company(server.url).verdict == Verdict.TIMEOUT


def test_a_connection_that_is_cut() -> None:
    with serving(lambda connection, _head: connection.shutdown(socket.SHUT_RDWR)) as server:
        assert company(server.url).verdict == Verdict.UNREACHABLE


def test_a_certificate_that_nobody_vouches_for(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    request = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1"
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*request.split(), *files], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    with serving(answering(TOKEN), context) as server:
        assert company(server.url.replace("http:", "https:")).verdict == Verdict.TLS
