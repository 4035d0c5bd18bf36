"""What a container is asked: a process that is dead or frozen fails, one whose database or Redis is away does not."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.harness.http_server import Quiet, serving
from tests.harness.site import bare_environment
from wallboard.demo.processes import BASE_DIR, free_port
from wallboard.live import clocks, connections
from wallboard.operations import healthcheck


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """A web process that answers /healthz with the status in the list."""
    status = [200]

    class Handler(Quiet):
        def do_GET(self) -> None:
            self.send_response(status[0] if self.path == "/healthz" else 404)
            self.end_headers()

    with serving(Handler) as port:
        monkeypatch.setenv("PORT", str(port))
        yield status


def recorded(role: str, machine: str, seconds_ago: float) -> None:
    """A clock that this machine recorded so long ago."""
    entry = json.dumps({"ahead": 0, "at": time.time() - seconds_ago})
    connections.client().hset(clocks._key(), f"{role} {machine}", entry)


def test_web_is_alive_while_it_answers(web: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    assert healthcheck.is_alive("web")
    web[0] = 500
    assert not healthcheck.is_alive("web")
    monkeypatch.setenv("PORT", str(free_port()))
    assert not healthcheck.is_alive("web")


@pytest.mark.parametrize("role", ["worker", "beat"])
def test_worker_and_beat_are_alive_while_they_record_their_clock(role: str, redis_url: str) -> None:
    assert not healthcheck.is_alive(role)
    recorded(role, "another-machine", 1)
    recorded(role, socket.gethostname(), 200)
    assert not healthcheck.is_alive(role)

    clocks.record(role)
    assert healthcheck.is_alive(role)


def test_nobody_is_restarted_because_redis_is_away(settings: Any) -> None:
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"

    assert healthcheck.is_alive("worker")


def test_it_runs_by_itself(redis_url: str) -> None:
    """With no other setting than the address of Redis."""
    command = [sys.executable, "-m", "wallboard.operations.healthcheck", "beat"]
    environment = bare_environment(REDIS_URL=redis_url)

    def status() -> int:
        return subprocess.run(command, env=environment, cwd=BASE_DIR, timeout=60).returncode

    assert status() == 1
    clocks.record("beat")
    assert status() == 0
    assert "SECRET_KEY" not in environment
    assert os.environ["SECRET_KEY"]
