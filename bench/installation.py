"""An installation to measure: one Daphne process as the Procfile starts it, PostgreSQL and Redis, all on one core.

Where no PostgreSQL can be started, the database is SQLite. The company has one board, one supervisor at extension 101
and one subscription to call events.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import requests

import tests.harness.environment  # noqa: F401  (keys and secrets of a test run)
from bench.machine import LOAD_CORE, SERVER_CORE, pinned
from tests.harness import postgres
from tests.harness.redis import running_redis
from tests.harness.site import bare_environment
from wallboard.demo.processes import BASE_DIR, Child, free_port, procfile, wait_until

SECRET = "bench-secret-0123456789-abcdefghijklmnop"
PREPARE = f"""
import json
from tests.live.serving import company, signed_in
from wallboard.screens import screens
from wallboard.boards.models import Board
from wallboard.calls.webhooks import hook_secrets
from wallboard.calls.models import Subscription
domain = company()
_, cookie = signed_in(domain)
Subscription.objects.create(domain=domain, kind="calls", secret_hash=hook_secrets.hash_of("{SECRET}"))
print("=>", json.dumps([cookie, screens.create(Board.objects.get(), "bench")[1]]))
"""


@dataclass(frozen=True)
class Installation:
    """A running one; `cookie` is a supervisor's, `screen_token` a TV's."""

    web: Child
    port: int
    env: dict[str, str]
    vendor: str
    cookie: str
    screen_token: str

    @property
    def hook(self) -> str:
        """The path that call events are posted to."""
        return f"/hooks/{SECRET}/"

    def socket_url(self, query: str) -> str:
        """Where browsers connect, for `board=main` or `desk=1`."""
        return f"ws://127.0.0.1:{self.port}/live/?{query}"


@contextmanager
def running_installation(folder: Path, *, with_pages: bool = False) -> Iterator[Installation]:
    """Prepared and answering on the server's core; the caller has the other. `with_pages` collects static files."""
    with ExitStack() as stack, pinned(SERVER_CORE):
        port, static = free_port(), folder / "static"
        static.mkdir()
        redis = stack.enter_context(running_redis(folder))
        programs = postgres.programs()
        sqlite = f"sqlite:///{folder / 'bench.sqlite3'}"
        env = bare_environment(
            SECRET_KEY=os.environ["SECRET_KEY"],
            TOKEN_KEYS=os.environ["TOKEN_KEYS"],
            SOCKETS_PER_VIEWER="9999",  # all browsers have one cookie
            PUBLIC_URL=f"http://127.0.0.1:{port}",
            REDIS_URL=redis.url,
            DATABASE_URL=stack.enter_context(postgres.running_postgres(programs)) if programs else sqlite,
            STATIC_ROOT=str(static),
            PYTHONPATH=str(BASE_DIR),
        )
        manage(env, "migrate", "-v", "0")
        if with_pages:
            manage(env, "collectstatic", "--noinput", "-v", "0")
        cookie, token = json.loads(manage(env, "shell", "-v", "0", "-c", PREPARE).rpartition("=>")[2])
        web = Child("web", procfile(port)["web"], folder / "web.log", env)
        stack.callback(web.stop)
        web.start()
        assert wait_until(lambda: is_up(port), 30), web.tail()
        with pinned(LOAD_CORE):
            yield Installation(web, port, env, "PostgreSQL" if programs else "SQLite", cookie, token)


def manage(env: dict[str, str], *arguments: str) -> str:
    """What manage.py printed."""
    command = [sys.executable, str(BASE_DIR / "manage.py"), *arguments]
    done = subprocess.run(command, env=env, cwd=BASE_DIR, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)
    return done.stdout


def is_up(port: int) -> bool:
    """Whether the web process answers."""
    try:
        return requests.get(f"http://127.0.0.1:{port}/healthz", timeout=2).ok
    except requests.RequestException:
        return False
