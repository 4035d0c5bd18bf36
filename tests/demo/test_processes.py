"""Ports of the demo: the next free one is taken, and what is none is refused in words."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from wallboard.demo import processes
from wallboard.demo.processes import HIGHEST_PORT, free_port
from wallboard.demo.run import CannotStart, Demo


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that somebody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield int(server.getsockname()[1])


@pytest.mark.parametrize("port", ["99999", "-5"])
def test_what_is_no_port_is_refused_before_anything_begins(port: str, tmp_path: Path) -> None:
    folder = tmp_path / "demo"

    with pytest.raises(CommandError, match=f"from 1 to 65535, not {port}"):
        call_command("demo", f"--port={port}", folder=folder)
    assert not folder.exists()


def test_the_next_free_port_is_taken(taken: int) -> None:
    assert free_port(taken) > taken
    assert 0 < free_port() <= HIGHEST_PORT


def test_the_search_ends_at_the_highest_port(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "HIGHEST_PORT", taken)

    with pytest.raises(OSError, match=f"No free port from {taken} to {taken}"):
        free_port(taken)
    with pytest.raises(CannotStart, match="There is no port for the pages"):
        Demo._port(None, "the pages", taken)  # type: ignore[arg-type]
