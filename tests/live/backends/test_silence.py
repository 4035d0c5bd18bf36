"""A primary that falls silent, as one that is cut off does: commands and tasks go to the one that takes its place."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from kombu.exceptions import OperationalError

from tests.harness import redis_groups
from tests.harness.redis_groups import Group
from tests.live.backends.test_tls import queue
from wallboard.demo.processes import wait_until
from wallboard.live import connections


@pytest.fixture(params=["plain", "tls"])
def group(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Group]:
    """Three servers with Sentinels."""
    tls = redis_groups.certify(tmp_path) if request.param == "tls" else None
    made = redis_groups.sentinels(tmp_path, redis_groups.loopback(3, tls), redis_groups.loopback(3, tls))
    with redis_groups.running(made):
        yield made


def test_nobody_goes_on_asking_a_primary_that_fell_silent(group: Group) -> None:
    client = connections._client(group.url)
    assert client.ping()
    with queue(group.url, "tasks") as tasks:
        tasks.put("first")
        silent = group.primaries()[0]
        group.servers[silent].kill(signal.SIGSTOP)

        def answers() -> bool:
            try:
                return bool(client.ping())
            except redis.RedisError:
                return False

        def takes() -> bool:
            try:
                tasks.put("second")
            except (redis.RedisError, OperationalError):
                return False
            return True

        assert wait_until(answers, 20)
        assert wait_until(takes, 20)
        group.servers[silent].kill(signal.SIGCONT)
