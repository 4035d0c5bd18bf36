"""nginx and Caddy as documented before a whole installation, over plain HTTP: all works, and their logs are clean."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import requests

from tests.harness import proxy
from tests.harness.follower import following_as_tv
from tests.harness.http_server import Quiet, serving
from tests.harness.site import Site, running_site
from wallboard.demo.processes import free_port, wait_until

pytestmark = pytest.mark.one_database


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("proxy")


@pytest.fixture(scope="module", params=proxy.KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """Which proxy it is."""
    chosen = str(request.param)
    if proxy.program(chosen) is None:
        pytest.skip(f"no {chosen} is installed (Debian: apt-get install {proxy.PACKAGES[chosen]})")
    return chosen


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """An installation that came up behind the first proxy there is; from then on each test has the one it asks for."""
    port, web_port = free_port(), free_port()
    env = {"PORT": str(web_port), "PUBLIC_URL": f"http://127.0.0.1:{port}", "TRUSTED_PROXIES": "1"}
    first = next((each for each in proxy.KINDS if proxy.program(each)), "nginx")
    with ExitStack() as beginning:
        beginning.enter_context(proxy.running(tmp_path_factory.mktemp("first"), port, [web_port], first))
        with running_site(tmp_path_factory.mktemp("site"), {}, env) as made:
            beginning.close()
            yield made


@pytest.fixture(scope="module")
def site(kind: str, folder: Path, started: Site) -> Iterator[Site]:
    """The installation behind the proxy, whose address is its own."""
    port = int(started.url.rpartition(":")[2])
    with proxy.running(folder, port, [started.port], kind) as child:
        assert wait_until(started.answers, 20), child.tail()
        yield started


def test_the_board_lives_through_the_proxy(site: Site) -> None:
    with following_as_tv(site) as board:
        board.until(lambda held: "queues" in held and "wall" in held)
        site.simulator.control("call", {"from_number": "+442079465544", "to_user": "103", "ring_seconds": 30})

        board.until(
            lambda held: any("44" in str(call.get("from")) for key, call in held["wall"].items() if key != "events")
        )


def test_deliveries_come_through_and_their_size_is_bounded_before_us(site: Site) -> None:
    hook = f"{site.url}/hooks/nobody-knows-this-one/"

    assert requests.post(hook, data=b"{}", timeout=10).status_code == 404
    assert requests.post(hook, data=b"x" * 1_100_000, timeout=10).status_code == 413
    # Nor where its size is not said beforehand.
    assert requests.post(hook, data=(b"x" * 100_000 for _ in range(11)), timeout=10).status_code == 413
    counted = site.get("/metrics").text
    assert ('status="404"} 0.0' in counted, 'status="413"} 0.0' in counted) == (False, True)


def test_who_asks_is_what_the_proxy_saw(site: Site) -> None:
    """What a visitor writes into the headers is not believed: /metrics would refuse the address that it claims."""
    assert site.get("/metrics", headers={"X-Forwarded-For": "203.0.113.9"}).status_code == 200


@pytest.fixture
def echo() -> Iterator[int]:
    """The port of a server that answers with the headers it was sent."""

    class Handler(Quiet):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({name.lower(): value for name, value in self.headers.items()}).encode())

    with serving(Handler) as port:
        yield port


def test_a_proxy_sets_who_asks_and_how(kind: str, echo: int, tmp_path: Path) -> None:
    port = free_port()

    def told() -> dict[str, str]:
        try:
            claims = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
            found: dict[str, str] = requests.get(f"http://127.0.0.1:{port}/", headers=claims, timeout=5).json()
        except (requests.RequestException, ValueError):
            return {}
        return found

    with proxy.running(tmp_path, port, [echo], kind) as child:
        assert wait_until(lambda: bool(told()), 20), child.tail()
        headers = told()
    assert (headers["x-forwarded-for"], headers["x-forwarded-proto"]) == ("127.0.0.1", "http")
    assert headers["host"].partition(":")[0] == "127.0.0.1"


def test_the_proxys_log_holds_no_secret_path(site: Site, folder: Path, kind: str) -> None:
    requests.post(f"{site.url}/hooks/a-secret-path/", data=b"{}", timeout=10)
    for path in (
        "screen",
        "embed",
        "setup/first",
        "setup/address",
        "notifications/acknowledge",
        "notifications/confirm",
    ):
        site.get(f"/{path}/a-secret-token/")
    site.get("/accounts/callback/?code=a-secret-code&state=s")
    site.get("/accounts/login/")

    log = folder / ("wallboard.log" if kind == "nginx" else "caddy.log")
    site.wait(lambda: "/accounts/login/" in log.read_text(), 10)  # a line is written once its answer has gone
    assert "a-secret" not in log.read_text()
    assert "a-secret" not in (folder / f"{kind}.log").read_text()
