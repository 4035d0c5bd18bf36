"""An installation without a provider: web and Redis as real processes, its people and figures put in by the test."""

from pathlib import Path

import requests

from tests.harness.commands import Commands
from tests.harness.setting_up import set_up
from tests.harness.site import bare_environment
from wallboard.demo import redis_server
from wallboard.demo.processes import Child, free_port, procfile, wait_until


class BareSite:
    """Prepared with the folder it lies in; `start` and `stop` are the test's."""

    seed = ""  # the module whose `seed` runs inside the installation before the web process does

    def __init__(self, folder: Path, database_url: str, settings: dict[str, str]) -> None:
        self.port, self.redis_port = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.env = bare_environment(
            **settings,
            PUBLIC_URL=self.url,
            REDIS_URL=f"redis://127.0.0.1:{self.redis_port}/0",
            DATABASE_URL=database_url or f"sqlite:///{folder / 'site.sqlite3'}",
            STATIC_ROOT=str(folder / "static"),
        )
        self.redis = redis_server.child(self.redis_port, folder)
        self.commands = Commands(self.env)
        self.web = Child("web", procfile(self.port)["web"], folder / "web.log", self.env)

    def start(self) -> None:
        """Bring it up with what the seed puts in."""
        self.redis.start()
        assert wait_until(lambda: redis_server.answers(self.redis_port), 10), self.redis.tail()
        set_up(self.env, self.manage)
        self.take(self.manage("shell", "-v0", "-c", f"from {self.seed} import seed; seed()"))
        self.web.start()
        assert wait_until(self._answers, 20), self.web.tail()

    def take(self, told: str) -> None:
        """What the seed printed."""
        raise NotImplementedError

    def stop(self) -> None:
        """End both processes."""
        self.commands.stop()
        self.web.stop()
        self.redis.stop()

    def _answers(self) -> bool:
        try:
            return requests.get(f"{self.url}/healthz", timeout=2).ok
        except requests.RequestException:
            return False

    def manage(self, *arguments: str) -> str:
        """Run manage.py in this installation: what it printed; fails with its output when it fails."""
        return self.commands.manage(*arguments)
