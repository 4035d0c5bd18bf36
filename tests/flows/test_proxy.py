"""docs/nginx.conf before a whole installation, over plain HTTP: everything works through it, and its log is clean."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tests.harness import proxy
from tests.harness.follower import following_as_tv
from tests.harness.site import Site, running_site
from wallboard.demo.processes import free_port


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("proxy")


@pytest.fixture(scope="module")
def site(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """An installation whose address is the proxy's."""
    if proxy.program() is None:
        pytest.skip("no nginx is installed (Debian: apt-get install nginx-light)")
    port, web_port = free_port(), free_port()
    env = {"PORT": str(web_port), "PUBLIC_URL": f"http://127.0.0.1:{port}", "TRUSTED_PROXIES": "1"}
    with proxy.running(folder, port, [web_port]), running_site(tmp_path_factory.mktemp("site"), {}, env) as made:
        yield made


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
    counted = site.get("/metrics").text
    assert ('status="404"' in counted, 'status="413"' in counted) == (True, False)


def test_the_proxys_log_holds_no_secret_path(site: Site, folder: Path) -> None:
    requests.post(f"{site.url}/hooks/a-secret-path/", data=b"{}", timeout=10)
    site.get("/screen/a-secret-token/")
    site.get("/accounts/callback/?code=a-secret-code&state=s")
    site.get("/accounts/login/")

    log = folder / "wallboard.log"
    site.wait(lambda: "/accounts/login/" in log.read_text(), 10)  # a line is written once its answer has gone
    assert "a-secret" not in log.read_text()
    assert "a-secret" not in (folder / "nginx.log").read_text()
