"""Over TLS to one Redis and to Sentinels: tasks as well, and never to a server whose certificate nobody vouches for."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from celery import Celery
from kombu.exceptions import OperationalError
from kombu.simple import SimpleQueue

from tests.harness import redis_groups
from tests.harness.redis_groups import Group
from wallboard.live import connections
from wallboard.live.backends import addresses


@pytest.fixture(params=["server", "sentinel"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of one server, or of three with Sentinels, that speak TLS only; without a word about the CA."""
    tls = redis_groups.certify(tmp_path)
    made = redis_groups.sentinels(tmp_path, redis_groups.loopback(3, tls), redis_groups.loopback(3, tls))
    if request.param == "server":
        alone = made.places[0]
        made = Group(f"rediss://{alone}/0", [alone], {alone: made.servers[alone]})
    with redis_groups.running(made):
        yield made.url.partition("?")[0]


def queue(url: str, name: str) -> SimpleQueue:
    """A queue of the broker at that address, as settings.py tells Celery of it."""
    address = addresses.parsed(url)
    place, options = address.broker
    app = Celery(broker=place)
    app.conf.update(broker_use_ssl=address.broker_tls)
    prompt = {"socket_timeout": 1.0, "socket_connect_timeout": 1.0, "max_retries": 0}
    return app.connection_for_write(transport_options={**options, **prompt}).SimpleQueue(name)


def test_commands_and_tasks_go_there_and_certificates_are_checked(url: str, tmp_path: Path) -> None:
    trusted = f"{url}?ssl_ca_certs={tmp_path / 'cert.pem'}"
    assert connections._client(trusted).set("key", "value")
    with queue(trusted, "tasks") as tasks:
        tasks.put("a task")
        message = tasks.get(timeout=10)
        assert message.payload == "a task"
        message.ack()

    with pytest.raises(redis.ConnectionError):
        connections._client(url).get("key")
    with pytest.raises((OperationalError, redis.ConnectionError)), queue(url, "tasks") as tasks:
        tasks.put("a secret")
