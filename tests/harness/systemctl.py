"""Stands in for systemctl in tests of deploy/install.sh: starts and stops the services of a folder of units for real.

`python tests/harness/systemctl.py FOLDER PROGRAM COMMAND UNIT…`; each call is a line of FOLDER/calls. What the units
call /srv/wallboard is PROGRAM. Units that the folder lacks are left alone, as timers are.
"""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

LONGEST_STOP_SECONDS = 15


def main(folder: Path, program: str, command: str, names: list[str]) -> None:
    """Do what systemctl would be asked for."""
    with (folder / "calls").open("a") as calls:
        print(command, *names, file=calls)
    for name in names:
        if command in ("start", "enable") and not running(folder, name):
            start(folder, program, name)
        elif command in ("stop", "disable"):
            stop(folder, name)


def start(folder: Path, program: str, name: str) -> None:
    """What the unit's ExecStart says, in its WorkingDirectory."""
    stem, at, instance = name.partition("@")
    unit = folder / f"{stem}{at}.service"
    if not unit.exists():
        return
    text = unit.read_text().replace("%i", instance).replace("/srv/wallboard", program)
    found = dict(re.findall(r"^(WorkingDirectory|ExecStart)=(.+)$", text, re.MULTILINE))
    with (folder / f"{name}.log").open("ab") as log:
        started = subprocess.Popen(
            shlex.split(found["ExecStart"]),
            cwd=found["WorkingDirectory"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    (folder / f"{name}.pid").write_text(str(started.pid))


def stop(folder: Path, name: str) -> None:
    """SIGTERM, and come back when it has ended."""
    pid, end = running(folder, name), time.monotonic() + LONGEST_STOP_SECONDS
    if pid:
        os.kill(pid, signal.SIGTERM)
    while pid and running(folder, name):
        if time.monotonic() > end:
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)
    (folder / f"{name}.pid").unlink(missing_ok=True)


def running(folder: Path, name: str) -> int:
    """The process of the service; 0 where it does not run."""
    with suppress(OSError, ValueError):
        pid = int((folder / f"{name}.pid").read_text())
        # Whoever started it is gone: one that has ended can be left over until somebody asks for it.
        if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
            return pid
    return 0


if __name__ == "__main__":
    options = [each for each in sys.argv[3:] if not each.startswith("--")]
    main(Path(sys.argv[1]), sys.argv[2], options[0], options[1:])
