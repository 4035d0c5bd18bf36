"""`manage.py demo`: comes up by one command, is found when started twice, mends itself, and leaves nothing behind."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
import requests

from tests.harness.running_demo import RunningDemo
from tests.harness.site import bare_environment
from wallboard.demo.processes import BASE_DIR, wait_until

pytestmark = [pytest.mark.flow, pytest.mark.faults]
PROGRAMS = {"redis", "simulator", "web", "worker", "beat"}


def is_alive(pid: int) -> bool:
    """Whether the process still runs; one that only waits for its parent to notice does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_demo_prints_addresses_that_answer(demo: RunningDemo) -> None:
    addresses = re.findall(r"http://\S+", demo.said.split("Board", 1)[1])

    statuses = {address: requests.get(address, timeout=5, allow_redirects=True).status_code for address in addresses}

    assert len(addresses) == 6
    assert set(statuses.values()) == {200}, statuses
    assert "administrator" in demo.said
    assert "password" in demo.said
    with closing(sqlite3.connect(demo.folder / "wallboard.sqlite3")) as database:
        assert database.execute("select count(*) from desk_outcome").fetchone()[0] == 3  # cards have something to offer


def test_a_second_start_points_to_the_first(demo: RunningDemo) -> None:
    second = subprocess.run(
        demo.command, env=bare_environment(), cwd=BASE_DIR, capture_output=True, text=True, timeout=30
    )

    assert second.returncode == 0
    assert "running already" in second.stdout
    assert f"{demo.url}/boards/main/" in second.stdout


def test_what_dies_is_started_again(demo: RunningDemo) -> None:
    before = demo.pids()
    assert set(before) == PROGRAMS
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)

    for name in PROGRAMS:
        demo.wait_for(f"{name} is running again.")
    assert wait_until(demo.is_ready, 40), demo.said
    assert set(demo.pids().values()).isdisjoint(before.values())


def test_ctrl_c_stops_everything_and_the_next_start_goes_on(demo: RunningDemo) -> None:
    programs = demo.pids()
    screen = re.search(r"/screen/(\S+)/", demo.said)
    demo.process.send_signal(signal.SIGINT)
    assert demo.process.wait(30) == 0
    assert not any(is_alive(pid) for pid in programs.values())

    demo.start()
    demo.wait_for("Ctrl-C stops everything")

    assert screen is not None
    assert screen[0] in demo.said


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends the children of a killed process")
def test_nothing_is_left_when_the_demo_itself_is_killed(demo: RunningDemo) -> None:
    programs = demo.pids()
    demo.process.kill()

    assert wait_until(lambda: not any(is_alive(pid) for pid in programs.values()), 5)


def test_a_taken_port_is_left_alone(tmp_path: Path) -> None:
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as foreign:
        demo = RunningDemo(tmp_path / "demo", foreign.server_address[1])
        demo.start()
        try:
            demo.wait_for(f"Port {demo.port} is taken by another program")
        finally:
            demo.process.terminate()
            assert demo.process.wait(30) == 0
