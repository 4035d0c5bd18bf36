"""What every test stands on: an environment of its own, real servers, and no network beyond this machine."""

import os
import socket
import tempfile
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SCRATCH = Path(tempfile.mkdtemp(prefix="wallboard-tests-"))
ENVIRONMENT = {
    "DJANGO_SETTINGS_MODULE": "wallboard.settings",
    "WALLBOARD_ENV_FILE": "",
    "SECRET_KEY": "only-for-tests-0123456789-abcdefghijklmnopqrstuvwxyz-ABCDEFG",
    "TOKEN_KEYS": urlsafe_b64encode(b"only for tests: thirty-two bytes").decode(),
    "PUBLIC_URL": "http://testserver",
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "DATABASE_URL": os.environ.get("DATABASE_URL") or f"sqlite:///{SCRATCH / 'unused.sqlite3'}",
    "STATIC_ROOT": str(SCRATCH / "static"),
}
UNSET = ("DEBUG", "ALLOWED_HOSTS", "SPOOL_DIR", "POLL_SECONDS", "CHECK_SECONDS")
for name in [*UNSET, *(name for name in os.environ if name.startswith("PROVIDER_"))]:
    os.environ.pop(name, None)
os.environ.update(ENVIRONMENT)

import django  # noqa: E402  (it reads the environment above)

django.setup()

import pytest  # noqa: E402
import redis  # noqa: E402

from tests.harness.redis import RedisServer, running_redis  # noqa: E402


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """One real Redis for the whole run; `redis_url` gives it empty to each test."""
    with running_redis(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def redis_url(redis_server: RedisServer, settings: Any) -> str:
    """The address of an empty Redis, which settings.REDIS_URL points at too."""
    with redis.Redis.from_url(redis_server.url) as client:
        client.flushall()
    settings.REDIS_URL = redis_server.url
    return redis_server.url


@pytest.fixture(scope="session", autouse=True)
def _no_network() -> Iterator[None]:
    """Connections from this process may only go to this machine."""
    really_connect = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise OSError(f"Tests may not reach {address[0]}.")
        really_connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", connect)
        yield
