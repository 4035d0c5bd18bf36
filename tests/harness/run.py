"""`make test`: the whole suite on SQLite, and what uses the database on PostgreSQL; two parts of it at a time, and
beside them one of those that mostly wait.

Ends with what was left out and why. Arguments are handed to pytest. With WALLBOARD_NO_SKIPS=1 nothing may be left out.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import deque
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.harness import browser, postgres
from wallboard.processes import BASE_DIR

AT_ONCE = {False: 2, True: 1}  # by `mostly_waits`: two parts fill two cores, and one more hardly needs any
NOTHING_CHOSEN = 5  # pytest's exit status where the arguments choose no test of a part
INSTALL = ["apt-get", "install", "--yes", "--no-install-recommends", "chromium"]


def provide_browser() -> None:
    """Install Chromium where there is none and we may (Debian, as root)."""
    if browser.program() or os.geteuid() or not shutil.which("apt-get"):
        return
    print("Installing Chromium for the browser tests …", flush=True)
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update"], INSTALL):
        subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)


@dataclass(frozen=True)
class Part:
    """A part of the suite that runs by itself: `--part` of pytest (reporting.py), on one database."""

    title: str
    name: str
    database: str = ""
    mostly_waits: bool = False  # such a part runs beside the others


class Running:
    """A part that runs; the first one prints as it goes, the others when they have ended."""

    def __init__(self, part: Part, arguments: list[str], *, is_shown: bool) -> None:
        self.part = part
        self.is_shown = is_shown
        self._report = tempfile.NamedTemporaryFile()  # noqa: SIM115  (closed in `figures`)
        self._output = tempfile.TemporaryFile()  # noqa: SIM115
        env = {**os.environ, "WALLBOARD_REPORT": self._report.name, "DATABASE_URL": part.database}
        command = [sys.executable, "-m", "pytest", f"--part={part.name}", *arguments]
        target = None if is_shown else self._output
        self.process = subprocess.Popen(command, env=env, cwd=BASE_DIR, stdout=target, stderr=target)

    def figures(self) -> dict[str, Any]:
        """Wait for its end; its figures, with its exit status as `status`."""
        status = self.process.wait()
        text = Path(self._report.name).read_text()
        if not self.is_shown:
            self._output.seek(0)
            print(f"\n=== {self.part.title} ===\n{self._output.read().decode(errors='replace')}", flush=True)
        if not text:
            print(f"\n{self.part.title}: pytest ended with status {status} before its end: no figures.")
        self._report.close()
        self._output.close()
        found = json.loads(text) if text else {"passed": 0, "failed": 1, "skipped": 0, "reasons": {}}
        return {"title": self.part.title, "status": 0 if status == NOTHING_CHOSEN else status, **found}


def run_all(parts: list[Part], arguments: list[str]) -> list[dict[str, Any]]:
    """Every part, in turn where they are of a kind; their figures in the order in which they ended."""
    ended: list[dict[str, Any]] = []
    lines = {kind: deque(each for each in parts if each.mostly_waits is kind) for kind in AT_ONCE}
    running: list[Running] = []
    while any(lines.values()) or running:
        for kind, line in lines.items():
            while line and sum(each.part.mostly_waits is kind for each in running) < AT_ONCE[kind]:
                running.append(begun(line.popleft(), arguments, running))
        done = [each for each in running if each.process.poll() is not None]
        ended += [each.figures() for each in done]
        running = [each for each in running if each not in done]
        time.sleep(0.2)
    return ended


def begun(part: Part, arguments: list[str], running: list[Running]) -> Running:
    """The part, begun; shown as it goes where no other is and it has much to show."""
    is_shown = not part.mostly_waits and not any(each.is_shown for each in running)
    if is_shown:
        print(f"\n=== {part.title} ===", flush=True)
    return Running(part, arguments, is_shown=is_shown)


def main(arguments: list[str]) -> int:
    """Run everything and print the closing summary; 0 when all is well."""
    provide_browser()
    parts = [
        Part("SQLite", "quick"),
        Part("Chromium at the boards, on SQLite", "boards-browser"),
        Part("Chromium elsewhere, on SQLite", "other-browser"),
        Part("Chromium at the desk, on SQLite", "desk-browser"),
        Part("The simulator and whole installations, on SQLite", "waiting", mostly_waits=True),
    ]
    left_out = []
    with ExitStack() as stack:
        programs = postgres.programs()
        if programs is None:
            left_out.append("the tests on PostgreSQL: no server is installed (Debian: apt-get install postgresql)")
        else:
            first, second = (stack.enter_context(postgres.running_postgres(programs)) for _ in range(2))
            parts.insert(1, Part("PostgreSQL", "quick-database", first))
            parts.append(Part("Whole installations on PostgreSQL", "waiting-database", second, mostly_waits=True))
        runs = run_all(parts, arguments)
    for each in runs:
        left_out += [f"{count} on {each['title']}: {reason}" for reason, count in each["reasons"].items()]
    print("\n=== Closing summary ===")
    for line in left_out or ["nothing"]:
        print(f"Left out: {line}.")
    print(f"{total(runs, 'passed')} passed, {total(runs, 'failed')} failed")
    if not total(runs, "passed"):
        return 1
    may_skip = os.environ.get("WALLBOARD_NO_SKIPS") != "1"
    return int(any(each["status"] for each in runs) or (bool(left_out) and not may_skip))


def total(runs: list[dict[str, Any]], name: str) -> int:
    """The figure of that name over all runs."""
    return sum(each[name] for each in runs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
