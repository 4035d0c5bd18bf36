"""A browser far away gets all files of a page at once: over HTTP/2, which nginx speaks as docs/nginx.conf has it."""

import subprocess
from pathlib import Path

import pytest

from tests.harness import proxy, redis_groups
from wallboard.demo.processes import free_port, wait_until


def asked(port: int, *options: str) -> str:
    """The version of HTTP that nginx and curl agreed on, and the status."""
    told = ["--output", "/dev/null", "--write-out", "%{http_version} %{http_code}"]
    command = ["curl", "--insecure", "--silent", *told, *options, f"https://127.0.0.1:{port}/"]
    return subprocess.run(command, capture_output=True, text=True, timeout=10).stdout


def test_nginx_offers_http2_and_keeps_http_1_for_websockets(tmp_path: Path) -> None:
    if proxy.program() is None:
        pytest.skip("no nginx is installed (Debian: apt-get install nginx-light)")
    port, nobody = free_port(), free_port()
    with proxy.running(tmp_path, port, [nobody], pair=redis_groups.certify(tmp_path)):
        wait_until(lambda: asked(port) != "0 000", 10)

        assert asked(port) == "2 502"
        assert asked(port, "--http1.1") == "1.1 502"
