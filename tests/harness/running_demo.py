"""`manage.py demo` as a child of a test: its addresses, its people and its processes."""

import re
import subprocess
import sys
from pathlib import Path

import requests

from tests.harness.site import bare_environment
from wallboard.demo.processes import BASE_DIR, wait_until


class RunningDemo:
    """The demo in a folder of its own, and what it has said so far."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.port = port
        self.output = folder.with_suffix(".output")

    def start(self) -> None:
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                self.command, env=bare_environment(), cwd=BASE_DIR, stdout=output, stderr=output
            )

    @property
    def command(self) -> list[str]:
        return [sys.executable, "manage.py", "demo", "--port", str(self.port), "--folder", str(self.folder)]

    @property
    def said(self) -> str:
        return self.output.read_text()

    def wait_for(self, words: str) -> None:
        assert wait_until(lambda: words in self.said or self.process.poll() is not None, 90), self.said
        assert words in self.said

    @property
    def url(self) -> str:
        found = re.search(r"(http://localhost:\d+)/boards/main/", self.said)
        assert found, self.said
        return found[1]

    def pids(self) -> dict[str, int]:
        return {file.stem: int(file.read_text()) for file in self.folder.glob("*.pid") if file.stem != "keeper"}

    def is_ready(self) -> bool:
        try:
            return requests.get(f"{self.url}/readyz", timeout=2).status_code == 200
        except requests.RequestException:
            return False

    def extension(self, role: str) -> str:
        """The extension of the person whom it names for a role."""
        found = re.search(rf"sign in as \D*(\d+)\b.*, {role}\)", self.said)
        assert found, self.said
        return found[1]

    def address(self, of: str) -> str:
        """One of the addresses that it prints, by the words before it."""
        found = re.search(rf"{of}\s+(http://\S+)", self.said)
        assert found, self.said
        return found[1]
