"""Whatever bytes come in at whichever address, no answer is a 500 and none is missing."""

import gzip
import json
import socket
import zlib
from collections.abc import Iterator, Mapping
from itertools import product

import pytest

from tests.simulator.conftest import REDIRECT, SUBSCRIPTIONS, Provider, Receiver

pytestmark = pytest.mark.flow
FORM = "application/x-www-form-urlencoded"
QUERY = f"response_type=code&client_id=login-id&redirect_uri={REDIRECT}"
API = (
    *("/", "/assets/x", "/api/oauth/token/", "/api/oauth/authorize/", f"/oauth/authorize/?{QUERY}"),
    *("/api/call_queues/stats/live/", "/api/subscriptions/", "/api/subscriptions/1/"),
)
CONTROLS = """call message clock dialect dialect/reset faults faults/clear tokens refresh subscriptions/delete
    subscriptions/renumber floor truth deliveries requests"""
ADDRESSES = (*API, "/control/", *(f"/control/{name}" for name in CONTROLS.split()))
BODIES = (
    *(b"", b"\xff\xfe", b"%ff=%fe", b"grant_type=%ff", b"a=1&a=2", b"\0\0", b"{", b"[]", b"null", b"1e400"),
    *(b'{"a":' * 3000, b"[" * 50_000, b'{"seconds": 1' + b"0" * 400 + b"}", b'{"number": ' + b"1" * 5000 + b"}"),
    *(b'{"seconds": NaN, "load": Infinity}', b'{"id": "' + b"1" * 5000 + b'", "number": "' + b"1" * 5000 + b'"}'),
    *(b'{"at": [1], "do": {}, "mode": [], "id": {}, "to_user": []}', b'{"to_user": "\\ud800"}'),
    *(b'{"post_uri": "http://\\ud800/", "calls": true}', b'{"post_uri": "http://a..b/", "calls": true}'),
    *(b'{"kind": "records", "size": 1e400}', b'{"call_time_zone": "\\ud800"}', b'{"name": "\\ud800", "value": []}'),
    b'{"post_uri": "http://127.0.0.1:9/", "calls": true, "expires_in": ' + b"9" * 400 + b"}",
)
CONTENT_TYPES = (
    *("application/json", FORM, f"{FORM}; charset=nonsense", f"{FORM}; charset=utf-16"),
    *("multipart/form-data", "multipart/form-data; boundary=x", 'application/json; charset="', "text/\xff"),
)
METHODS = ("GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW", "get")
HEADERS: tuple[dict[str, str], ...] = (
    *({"Authorization": "Bearer \xff.\xff"}, {"Authorization": "Bearer ."}, {"Accept": "\xff\x80"}),
    *({"Accept": "," * 2000}, {"Origin": "http://[::1"}, {"Host": "\xff"}, {"Host": "[::1"}, {"Cookie": "\xff=\xff"}),
    *({"Content-Length": "-1"}, {"Transfer-Encoding": "nonsense"}, {"Upgrade": "websocket"}, {"Range": "bytes=9-1"}),
)
PATHS = (
    *("/%00", "/%ff", "//", "/?%", "/?\xff", "*", "http://[::1/", "/api/subscriptions/%00/", "/assets/%2e%2e%2fbase"),
    *(f"/api/subscriptions/{'9' * 5000}/", "/api/subscriptions/%ff%fe/", "/api/subscriptions/1%2f2/", "/" + "a" * 9000),
    *(f"/control/deliveries?after={'1' * 5000}", f"/control/requests?after={'1' * 5000}", "/control/requests?after=-1"),
    *(f"/api/oauth/authorize/?{QUERY}&state={state}" for state in ("%ff%fe", "%ed%a0%80", "%0d%0aX:1", "%00", "\xff")),
    *(f"/api/oauth/authorize/?{QUERY}&find={text}" for text in ("%ed%a0%80", "%ff")),
    "/api/oauth/authorize/?client_id=%ed%a0%80",
)


class RawClient:
    """Sends bytes as they are, and says what status came back; None for no answer."""

    def __init__(self, provider: Provider) -> None:
        self._address = ("127.0.0.1", provider.simulator.port)
        self._usual = {
            "Host": f"127.0.0.1:{provider.simulator.port}",
            "Authorization": f"Bearer {provider.company_token()}",
            "Accept": SUBSCRIPTIONS,
            "Connection": "close",
        }

    def status(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> int | None:
        fields = {**self._usual, "Content-Length": str(len(body)), **(headers or {})}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
        with socket.create_connection(self._address, timeout=10) as connection:
            connection.sendall("\r\n".join(lines).encode("latin-1") + body)
            first = connection.makefile("rb").readline().split()
        return int(first[1]) if len(first) > 1 else None


@pytest.fixture
def raw(provider: Provider) -> Iterator[RawClient]:
    yield RawClient(provider)
    provider.control("clock", seconds=0)  # it still answers


@pytest.mark.parametrize("content_type", CONTENT_TYPES)
def test_no_body_makes_an_address_fail(provider: Provider, raw: RawClient, content_type: str) -> None:
    failed = []
    bodies = BODIES if content_type in ("application/json", FORM) else BODIES[:7]
    for path, body in product(ADDRESSES, bodies):
        status = raw.status("POST", path, body, {"Content-Type": content_type})
        failed += [(path, body[:40], status)] if status is None or status >= 500 else []
        if "faults" in path or "dialect" in path:
            provider.control("faults/clear")
            provider.control("dialect/reset")

    assert failed == []


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "nonsense"])
def test_no_content_encoding_makes_an_address_fail(raw: RawClient, encoding: str) -> None:
    bodies = (b"xx", gzip.compress(b"{}")[:-6], gzip.compress(b"0" * 3_000_000), zlib.compress(b"{}"))
    failed = []
    for path, body, content_type in product(ADDRESSES, bodies, ("application/json", FORM)):
        headers = {"Content-Type": content_type, "Content-Encoding": encoding}
        status = raw.status("POST", path, body, headers)
        failed += [(path, body[:20], content_type, status)] if status is None or status >= 500 else []

    assert failed == []


def test_no_method_and_no_header_makes_an_address_fail(raw: RawClient) -> None:
    sent: list[tuple[str, str, dict[str, str]]] = [(method, path, {}) for method, path in product(METHODS, ADDRESSES)]
    sent += [(method, path, headers) for method, path, headers in product(("GET", "POST"), ADDRESSES, HEADERS)]

    statuses = {(method, path, str(headers)): raw.status(method, path, b"", headers) for method, path, headers in sent}

    assert {key: status for key, status in statuses.items() if status is None or status >= 500} == {}


def test_no_path_makes_the_service_fail(raw: RawClient) -> None:
    sent = product(("GET", "POST", "DELETE"), PATHS, (b"", b"extension=101", b"decline=1", b"extension=%ff"))

    statuses = {each: raw.status(*each, {"Content-Type": FORM}) for each in sent}

    assert {key: status for key, status in statuses.items() if status is None or status >= 500} == {}


@pytest.mark.parametrize("body", [b"\xff\xfe", b"grant_type=%ff"])
def test_form_bytes_that_are_not_utf8_are_a_bad_request(raw: RawClient, body: bytes) -> None:
    assert raw.status("POST", "/api/oauth/token/", body, {"Content-Type": FORM}) == 400
    assert raw.status("POST", f"/api/oauth/authorize/?{QUERY}", body, {"Content-Type": FORM}) == 400


@pytest.mark.parametrize("name", ["\ud800", "\0", "<b>", "x" * 20_000])
def test_names_of_any_characters_are_delivered_and_shown(
    provider: Provider, receiver: Receiver, raw: RawClient, name: str
) -> None:
    provider.subscribe(provider.company_token(), receiver.url)
    receiver.wait_ready()

    placed = provider.place_call("101", from_number="+15550100", name=name)

    assert receiver.wait_ended(placed["from_call_id"])[0]["from"]["name"] == name
    assert [raw.status("GET", path) for path in ("/", "/control/", "/control/deliveries")] == [200] * 3


@pytest.mark.parametrize(
    "fields",
    [
        {"headers": {"X": "a\r\nb"}},
        {"headers": {"": "x"}},
        {"headers": {"a b": "x"}},
        {"headers": {"X": "\ud800"}},
        {"headers": {"Content-Length": "5"}},
        {"headers": {"Transfer-Encoding": "chunked"}},
        {"body": "\ud800"},
    ],
)
def test_a_fault_that_cannot_be_played_is_refused(
    provider: Provider, raw: RawClient, fields: dict[str, object]
) -> None:
    body = json.dumps({"at": "stats", "do": "status", **fields}).encode()

    assert raw.status("POST", "/control/faults", body) == 422
    assert provider.stats(provider.company_token()).status_code == 200
