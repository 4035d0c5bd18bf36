"""A clone as somebody gets it, and a machine with Redis: no settings, no database; the wizard does the rest."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import requests

from tests.harness.site import bare_environment
from wallboard.demo import redis_server
from wallboard.demo.processes import BASE_DIR, Child, free_port, procfile, wait_until

PARTS = ("accounts", "wallboard", "templates", "static", "manage.py", "Procfile")


class FreshClone:
    """The program's files in a folder of their own; `set_up` runs the command, `start` the processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "clone"
        self.folder.mkdir()
        for part in PARTS:
            _copy(part, self.folder)
        self.port, redis_port = free_port(), free_port()
        self.url = f"http://localhost:{self.port}"
        # A port is this machine's affair; Redis is another's on the usual one where tests run beside each other.
        self.env = bare_environment(PORT=str(self.port), REDIS_URL=f"redis://127.0.0.1:{redis_port}/0")
        del self.env["WALLBOARD_ENV_FILE"]
        self.redis_port = redis_port
        self.redis = redis_server.child(redis_port, folder)
        commands = procfile(self.port)
        self.children = [self.redis]
        for name in ("web", "worker", "beat"):
            self.children.append(Child(name, commands[name], folder / f"{name}.log", self.env, cwd=self.folder))

    def set_up(self) -> str:
        """Run `manage.py setup`: the address of the first administrator that it prints."""
        self.redis.start()
        assert wait_until(lambda: redis_server.answers(self.redis_port), 10), self.redis.tail()
        done = subprocess.run(
            [sys.executable, "manage.py", "setup"],
            env=self.env,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=180,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        (address,) = re.findall(r"(http\S+/setup/first/\S+)", done.stdout)
        return str(address)

    def start(self) -> None:
        """Web, worker and beat."""
        for child in self.children[1:]:
            child.start()
        assert wait_until(self._answers, 60), self.tails()

    def stop(self) -> None:
        for child in reversed(self.children):
            child.stop()

    def tails(self) -> str:
        """The ends of all logs, for people."""
        return "\n".join(f"--- {child.name}\n{child.tail()}" for child in self.children)

    def _answers(self) -> bool:
        try:
            return requests.get(f"{self.url}/healthz", timeout=2).ok
        except requests.RequestException:
            return False


def _copy(part: str, to: Path) -> None:
    """A file or folder of ours, compiled modules too: they count while their source has the same age."""
    if (BASE_DIR / part).is_dir():
        shutil.copytree(BASE_DIR / part, to / part)
    else:
        shutil.copy2(BASE_DIR / part, to)
