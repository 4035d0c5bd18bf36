"""Servers that run the probe, and a client that hears what it found."""

import json
import socket as plain
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from tests.harness.site import bare_environment
from tests.live.serving import command
from wallboard.demo.processes import Child, free_port, wait_until


class Probe:
    """A server of that kind with the probe in it."""

    def __init__(self, kind: str, folder: Path, tls: ssl.SSLContext | None = None) -> None:
        self.port, self.tls = free_port(), tls
        call = command(kind, self.port, "tests.live.servers.probe:application")
        self.child = Child("server", call, folder / f"{kind}.log", bare_environment())

    def start(self) -> None:
        self.child.start()
        assert wait_until(self.listens, 20, 0.05), self.child.tail()

    def listens(self) -> bool:
        with plain.socket() as knocking:
            return knocking.connect_ex(("127.0.0.1", self.port)) == 0

    @contextmanager
    def opened(self, compression: str | None = None) -> Iterator[tuple[ClientConnection, dict[str, Any]]]:
        """An open socket, and what the probe said first, with the three texts that it sends next."""
        address = f"{'wss' if self.tls else 'ws'}://127.0.0.1:{self.port}/"
        with connect(address, ssl=self.tls, max_size=None, close_timeout=0.2, compression=compression) as socket:
            found = json.loads(socket.recv(timeout=5))
            found["texts"] = [socket.recv(timeout=5) for _ in range(3)]
            yield socket, found


@contextmanager
def probing(kind: str, folder: Path) -> Iterator[Probe]:
    probe = Probe(kind, folder)
    try:
        probe.start()
        yield probe
    finally:
        probe.child.stop()


@pytest.fixture(scope="module")
def found(probe: Probe) -> dict[str, Any]:
    """What the probe says of the server that the test module runs."""
    with probe.opened() as (_, report):
        return report
