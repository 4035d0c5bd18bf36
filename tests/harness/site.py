"""A whole installation as real processes: Redis, the provider, web, worker and beat on a database of its own."""

import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import requests

from tests.harness.commands import Commands
from tests.harness.database import own_database
from tests.harness.setting_up import set_up
from tests.harness.simulator import Simulator
from wallboard.demo import redis_server
from wallboard.demo.processes import Child, free_port, procfile, wait_until

SERVED = ("web", "worker", "beat")


def bare_environment(**more: str) -> dict[str, str]:
    """What a fresh shell would hand to a process, plus what is given; nothing of the test run's own settings."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
    return kept | {"WALLBOARD_ENV_FILE": "", "PYTHONUNBUFFERED": "1"} | more


class Site:
    """Built with its settings, running after `start()`: kill, freeze and restart its processes by name.

    Given a PROVIDER_BASE_URL in `env`, it goes there and has no simulator; given PORT and PUBLIC_URL, web listens on
    the one and is reached by the other.
    """

    def __init__(self, folder: Path, database_url: str, options: Mapping[str, object], env: Mapping[str, str]) -> None:
        self.folder = folder
        self.port = int(env.get("PORT") or free_port())
        self.url = env.get("PUBLIC_URL") or f"http://127.0.0.1:{self.port}"
        self.redis_port = free_port()
        self.env = bare_environment(**self._settings(database_url))
        self.simulator = Simulator(folder, self.env, f"{self.url}/accounts/callback/", options)
        self.env.update({**self._provider(), **env})
        self.children = {"redis": redis_server.child(self.redis_port, folder)}
        self.is_simulated = "PROVIDER_BASE_URL" not in env
        if self.is_simulated:
            self.children["simulator"] = self.simulator.child
        commands = procfile(self.port)
        self.children |= {name: Child(name, commands[name], folder / f"{name}.log", self.env) for name in SERVED}

    def _settings(self, database_url: str) -> dict[str, str]:
        return {
            "SECRET_KEY": os.environ["SECRET_KEY"],
            "TOKEN_KEYS": os.environ["TOKEN_KEYS"],
            "PUBLIC_URL": self.url,
            "REDIS_URL": f"redis://127.0.0.1:{self.redis_port}/0",
            "DATABASE_URL": database_url or f"sqlite:///{self.folder / 'site.sqlite3'}",
            "STATIC_ROOT": str(self.folder / "static"),
            "POLL_SECONDS": "1",
            "CHECK_SECONDS": "3",
        }

    def _provider(self) -> dict[str, str]:
        return {
            "PROVIDER_BASE_URL": self.simulator.base_url,
            "PROVIDER_CLIENT_ID": self.simulator.client_id,
            "PROVIDER_CLIENT_SECRET": self.simulator.client_secret,
            "PROVIDER_LOGIN_CLIENT_ID": self.simulator.login_client_id,
            "PROVIDER_LOGIN_CLIENT_SECRET": self.simulator.login_client_secret,
        }

    def start(self) -> None:
        """Bring everything up in the order of an installation; returns when /readyz says that all is well."""
        self.start_redis()
        if self.is_simulated:
            self.simulator.start()
        set_up(self.env, self.manage)
        self.children["web"].start()
        self.wait(self.answers)
        self.children["worker"].start()
        self.children["beat"].start()
        self.wait(self.is_ready, 45)

    def start_redis(self) -> None:
        self.children["redis"].start()
        self.wait(lambda: redis_server.answers(self.redis_port), 10)

    @cached_property
    def commands(self) -> Commands:
        """manage.py in this installation, whoever made its settings."""
        return Commands(self.env)

    def manage(self, *arguments: str) -> str:
        """Run manage.py in this installation: what it printed; fails with its output when it fails."""
        return self.commands.manage(*arguments)

    def kill(self, name: str, number: int = signal.SIGKILL) -> None:
        """Send the signal to the process of that name; after a deadly one it is waited for."""
        child = self.children[name]
        child.kill(number)
        if child.process is not None and number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            child.process.wait(15)

    def restart(self, name: str) -> None:
        """Start the process again, on the same port and with the same settings; stops it first where it runs."""
        self.children[name].stop()
        if name == "redis":
            self.start_redis()
        elif name == "simulator":
            self.simulator.start()
        else:
            self.children[name].start()

    def heal(self) -> None:
        """Start again whatever is not running, and wait until all is well."""
        for name, child in self.children.items():
            if not child.is_running:
                self.restart(name)
        self.wait(self.is_ready, 60)

    def stop(self) -> None:
        """End everything, the newest first."""
        self.commands.stop()
        for child in reversed(self.children.values()):
            child.stop()

    def log(self, name: str) -> str:
        """Everything that process has printed so far."""
        return self.children[name].log.read_text(errors="replace")

    def get(self, path: str, **options: Any) -> requests.Response:
        """GET one of our pages without following redirects."""
        return requests.get(self.url + path, timeout=10, allow_redirects=False, **options)

    def answers(self) -> bool:
        """Whether the web process is there."""
        try:
            return self.get("/healthz").ok
        except requests.RequestException:
            return False

    def is_ready(self) -> bool:
        """Whether /readyz answers 200."""
        try:
            return self.get("/readyz").status_code == 200
        except requests.RequestException:
            return False

    def wait(self, is_so: Callable[[], bool], seconds: float = 20, every: float = 0.1) -> None:
        """Wait for the claim, and fail with the ends of all logs where it stays false."""
        if not wait_until(is_so, seconds, every):
            logs = "\n".join(f"--- {child.name}\n{child.tail()}" for child in self.children.values())
            raise AssertionError(f"Not so within {seconds} s; {self.readiness()}\n{logs}")

    def readiness(self) -> str:
        """What /readyz says, for failure messages."""
        try:
            answer = self.get("/readyz")
        except requests.RequestException as error:
            return f"/readyz: {type(error).__name__}"
        return f"/readyz: {answer.status_code} {answer.text}"

    @property
    def host(self) -> str:
        return urlsplit(self.url).netloc


@contextmanager
def running_site(folder: Path, options: Mapping[str, object], env: Mapping[str, str]) -> Iterator[Site]:
    """An installation on a database of its own: flags of its provider, and further settings; gone afterwards."""
    with own_database() as database_url:
        site = Site(folder, database_url, options, env)
        try:
            site.start()
            yield site
        finally:
            site.stop()


def seconds_until(is_so: Callable[[], bool], limit: float = 30) -> float:
    """How long the claim took to become true; fails past the limit."""
    began = time.monotonic()
    assert wait_until(is_so, limit, 0.02), f"not so within {limit} s"
    return time.monotonic() - began
