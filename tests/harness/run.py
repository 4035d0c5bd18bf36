"""`make test`: the whole suite on SQLite, then what uses the database on PostgreSQL.

Ends with what was left out and why. Arguments are handed to pytest. With WALLBOARD_NO_SKIPS=1 nothing may be left out.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.harness import browser, postgres
from wallboard.processes import BASE_DIR

INSTALL = ["apt-get", "install", "--yes", "--no-install-recommends", "chromium"]


def provide_browser() -> None:
    """Install Chromium where there is none and we may (Debian, as root)."""
    if browser.program() or os.geteuid() or not shutil.which("apt-get"):
        return
    print("Installing Chromium for the browser tests …", flush=True)
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update"], INSTALL):
        subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)


def run(title: str, arguments: list[str], **settings: str) -> dict[str, Any]:
    """One run of pytest: its figures, with its exit status as `status`."""
    print(f"\n=== {title} ===", flush=True)
    with tempfile.NamedTemporaryFile() as report:
        env = {**os.environ, "WALLBOARD_REPORT": report.name, **settings}
        status = subprocess.run([sys.executable, "-m", "pytest", *arguments], env=env, cwd=BASE_DIR).returncode
        text = Path(report.name).read_text()
    if not text:
        print(f"\npytest ended with status {status} before its end: no figures.")
    found = json.loads(text) if text else {"passed": 0, "failed": 1, "skipped": 0, "reasons": {}}
    return {"title": title, "status": status, **found}


def run_on_postgres(arguments: list[str]) -> dict[str, Any] | str:
    """The figures, or why there is no such run."""
    bin_folder = postgres.programs()
    if bin_folder is None:
        return "no PostgreSQL server is installed (Debian: apt-get install postgresql)"
    with postgres.running_postgres(bin_folder) as url:
        return run("PostgreSQL", ["--only-database", *arguments], DATABASE_URL=url)


def main(arguments: list[str]) -> int:
    """Run everything and print the closing summary; 0 when all is well."""
    provide_browser()
    runs = [run("SQLite", arguments, DATABASE_URL="")]
    left_out = []
    on_postgres = run_on_postgres(arguments)
    if isinstance(on_postgres, str):
        left_out.append(f"the tests on PostgreSQL: {on_postgres}")
    else:
        runs.append(on_postgres)
    for each in runs:
        left_out += [f"{count} on {each['title']}: {reason}" for reason, count in each["reasons"].items()]
    print("\n=== Closing summary ===")
    for line in left_out or ["nothing"]:
        print(f"Left out: {line}.")
    print(f"{total(runs, 'passed')} passed, {total(runs, 'failed')} failed")
    may_skip = os.environ.get("WALLBOARD_NO_SKIPS") != "1"
    return int(any(each["status"] for each in runs) or (bool(left_out) and not may_skip))


def total(runs: list[dict[str, Any]], name: str) -> int:
    """The figure of that name over all runs."""
    return sum(each[name] for each in runs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
