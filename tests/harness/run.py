"""`make test`: the whole suite on SQLite, and what uses the database on PostgreSQL; three parts of it at a time, the
longest first.

Up to twenty tests that failed are tried once more when all else has ended: a test about time can fail because three
parts share the processor, and then passes alone. What passed only then is named. Ends with what was left out and why.
Arguments are handed to pytest. With WALLBOARD_NO_SKIPS=1 nothing may be left out.
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
from tests.harness.reporting import PIECES
from wallboard.demo.processes import BASE_DIR

NOTHING_CHOSEN = 5  # pytest's exit status where the arguments choose no test of a part
AT_A_TIME = 3  # parts; two cores are busy with them, since one of three mostly waits
MOST_AGAIN = 20  # more failures than that are no accident of a busy machine
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


# The longest first, and those that mostly wait beside others: so the last ones end at about the same time.
ON_SQLITE = (
    Part("Chromium, on SQLite", "browser"),
    Part("The simulator and whole installations, on SQLite", "waiting"),
    *(Part(f"SQLite, piece {number} of {PIECES}", f"quick-{number}") for number in range(1, PIECES + 1)),
)
ON_POSTGRES = (
    ("Whole installations on PostgreSQL", "waiting-database"),
    *((f"PostgreSQL, piece {number} of {PIECES}", f"quick-database-{number}") for number in range(1, PIECES + 1)),
)


class Running:
    """A part that runs; it prints as it goes, or when it has ended."""

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
        found = json.loads(text) if text else {"passed": 0, "failed": 1, "skipped": 0, "reasons": {}, "failures": []}
        return {"part": self.part, "status": 0 if status == NOTHING_CHOSEN else status, **found}


def run_all(parts: list[Part], arguments: list[str]) -> list[dict[str, Any]]:
    """Every part, a few at a time and in this order; their figures in the order in which they ended.

    The first is shown as it goes.
    """
    ended: list[dict[str, Any]] = []
    running: list[Running] = []
    waiting = deque(parts)
    print(f"\n=== {parts[0].title} ===", flush=True)
    while waiting or running:
        while waiting and len(running) < AT_A_TIME:
            part = waiting.popleft()
            running.append(Running(part, arguments, is_shown=part is parts[0]))
        for each in [each for each in running if each.process.poll() is not None]:
            running.remove(each)
            ended.append(each.figures())
        time.sleep(0.2)
    return ended


def tried_again(runs: list[dict[str, Any]]) -> list[str]:
    """Run what failed once more, one part after the other with nothing beside it; `runs` then has the new outcome.

    Gives the names of those that passed this time.
    """
    passed: list[str] = []
    if sum(len(each["failures"]) for each in runs) > MOST_AGAIN:
        return passed
    for each in runs:
        if names := each["failures"]:
            print(f"\n=== Once more, alone: {each['part'].title} ===", flush=True)
            again = Running(each["part"], names, is_shown=True).figures()
            passed += [name for name in names if name not in again["failures"]] if again["passed"] else []
            each["passed"] += again["passed"]
            each["failed"] = again["failed"]
            each["failures"] = again["failures"]
            each["status"] = again["status"]
    return passed


def main(arguments: list[str]) -> int:
    """Run everything and print the closing summary; 0 when all is well."""
    provide_browser()
    # Each part would compile every test anew, and each program that it starts all of ours.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    parts, left_out = list(ON_SQLITE), []
    with ExitStack() as stack:
        os.environ["WALLBOARD_PREPARED"] = stack.enter_context(tempfile.TemporaryDirectory())
        programs = postgres.programs()
        if programs is None:
            left_out.append("the tests on PostgreSQL: no server is installed (Debian: apt-get install postgresql)")
        else:
            for title, name in ON_POSTGRES:
                parts.append(Part(title, name, stack.enter_context(postgres.running_postgres(programs, "fsync=off"))))
        runs = run_all(parts, arguments)
        late = tried_again(runs)
    for each in runs:
        left_out += [f"{count} on {each['part'].title}: {reason}" for reason, count in each["reasons"].items()]
    print("\n=== Closing summary ===")
    for line in left_out or ["nothing"]:
        print(f"Left out: {line}.")
    for name in late:
        print(f"Passed only when tried again alone: {name}")
    for each in runs:
        for name in each["failures"] if each["failed"] else ():
            print(f"Failed on {each['part'].title}: {name}")
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
