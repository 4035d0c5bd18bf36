"""Servers and workers of ours as child processes: started, watched, and never left behind."""

import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

CODE_DIR = Path(__file__).resolve().parent.parent.parent
IS_CLONE = (CODE_DIR / "manage.py").is_file()
# As wallboard/folders.py has them, for a clone and for an installed package.
BASE_DIR = CODE_DIR if IS_CLONE else Path.cwd()
FILES_DIR = CODE_DIR if IS_CLONE else CODE_DIR / "wallboard" / "files"
HIGHEST_PORT = 65_535
LEASH = Path(__file__).with_name("leash.py")


def free_port(wanted: int = 0) -> int:
    """The wanted loopback port or the next one that nobody listens on; any free one for 0."""
    last = min(wanted + 199, HIGHEST_PORT)
    for port in range(wanted, last + 1) if wanted else [0]:
        with socket.socket() as probe:
            # Connections of an earlier run that still linger do not make a port taken.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise OSError(f"No free port from {wanted} to {last}.")


def wait_until(is_so: Callable[[], bool], seconds: float, every: float = 0.1) -> bool:
    """Whether the claim became true within so many seconds."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(every)
    return True


@dataclass
class Child:
    """One program under our care: its output goes to a log file, and it ends when we end, however we end."""

    name: str
    command: Sequence[str]
    log: Path
    env: Mapping[str, str] | None = None
    user: str = ""
    cwd: Path = BASE_DIR
    stop_signal: int = signal.SIGTERM
    orphan_signal: int = signal.SIGKILL
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start(self) -> None:
        """Start it in a session of its own, so that Ctrl-C in a terminal reaches only its keeper."""
        # Isolated and without site packages: it only starts something else, and should do so at once.
        leash = [sys.executable, "-I", "-S", str(LEASH), str(int(self.orphan_signal)), self.user]
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(  # noqa: S603  (the commands are ours)
                [*leash, *self.command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=self.env,
                cwd=self.cwd,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        if self.process is None:
            raise RuntimeError(f"{self.name} was never started.")
        return self.process.pid

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Send the signal; nothing happens where the program has already ended."""
        if self.is_running:
            os.kill(self.pid, number)

    def stop(self, seconds: float = 8) -> None:
        """Ask it to end and wait so long; then kill it."""
        if self.process is None:
            return
        self.kill(self.stop_signal)
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def tail(self, lines: int = 15) -> str:
        """The last lines of its log, for people."""
        if not self.log.exists():
            return ""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])


def procfile(port: int) -> dict[str, list[str]]:
    """What the Procfile runs, by name, with this interpreter and bound to a loopback port."""
    commands = {}
    for line in (FILES_DIR / "Procfile").read_text().splitlines():
        name, _, text = line.partition(":")
        text = text.replace("${PORT:-8000}", str(port)).replace("0.0.0.0", "127.0.0.1")  # noqa: S104
        program, *arguments = shlex.split(text)
        module = [] if program == "python" else ["-m", program]
        commands[name] = [sys.executable, *module, *arguments]
    return commands
