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
        if command in ("stop", "disable", "restart"):
            stop(folder, name)
        if command in ("start", "enable", "restart") and not running(folder, name):
            start(folder, program, name)


def start(folder: Path, program: str, name: str) -> None:
    """What the unit's ExecStart says, in its WorkingDirectory; with what Environment says, also of files beside it."""
    stem, at, instance = name.partition("@")
    unit = folder / f"{stem}{at}.service"
    if not unit.exists():
        return
    beside = [*folder.glob(f"{stem.partition('-')[0]}-.service.d/*.conf"), *folder.glob(f"{stem}{at}.service.d/*.conf")]
    text = "\n".join(each.read_text() for each in (unit, *beside))
    text = text.replace("%i", instance).replace("/srv/wallboard", program)
    found = dict(re.findall(r"^(WorkingDirectory|ExecStart|ExecStartPost)=(.+)$", text, re.MULTILINE))
    env = os.environ | environment(text)
    with (folder / f"{name}.log").open("ab") as log:
        started = subprocess.Popen(
            [re.sub(r"\$\{(\w+)\}", lambda name: env[name[1]], word) for word in shlex.split(found["ExecStart"])],
            cwd=found["WorkingDirectory"],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    (folder / f"{name}.pid").write_text(str(started.pid))
    if after := found.get("ExecStartPost"):
        subprocess.run(shlex.split(after), check=True, timeout=LONGEST_STOP_SECONDS)


def environment(text: str) -> dict[str, str]:
    """What the lines of a unit that begin with Environment= set; the last word on each counts."""
    lines = re.findall(r"^Environment=(.+)$", text, re.MULTILINE)
    return dict(pair.split("=", 1) for line in lines for pair in shlex.split(line))


def stop(folder: Path, name: str) -> None:
    """SIGTERM, or what the unit's KillSignal says, and come back when it has ended."""
    unit = folder / f"{name}.service"
    wished = re.search(r"^KillSignal=(\w+)$", unit.read_text(), re.MULTILINE) if unit.exists() else None
    pid, end = running(folder, name), time.monotonic() + LONGEST_STOP_SECONDS
    if pid:
        os.kill(pid, signal.Signals[wished[1]] if wished else signal.SIGTERM)
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
