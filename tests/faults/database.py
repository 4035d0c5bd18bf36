"""A PostgreSQL server that a test may kill: with fsync, and on the same files when it comes back."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from tests.harness import postgres
from wallboard.demo.processes import Child, free_port


class Postgres(Child):
    """Start it, kill it, start it again; `remove` ends it and deletes its files."""

    def __init__(self, bin_folder: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="wallboard-postgres-"))
        self._data, self._copy = self.folder / "data", self.folder / "copy"
        self.port = free_port()
        self.url = f"postgres://tests@127.0.0.1:{self.port}/postgres"
        user = postgres.server_user()
        if user:
            shutil.chown(self.folder, user)
        postgres.create(bin_folder, self._data, user)
        place = ["-h", "127.0.0.1", "-p", str(self.port), "-k", "", "-c", "shared_buffers=16MB"]
        command = [str(bin_folder / "postgres"), "-D", str(self._data), *place]
        log = Path(tempfile.gettempdir()) / f"{self.folder.name}.log"
        super().__init__("postgres", command, log, cwd=Path("/"), user=user, stop_signal=signal.SIGINT)

    def start(self) -> None:
        """Start it (again) and wait until it takes connections.

        After a kill its orphaned workers may hold on to shared memory for a moment; a server that meets them gives up.
        """
        end = time.monotonic() + 60
        while not (self.is_running and postgres.accepts(self.url)):
            assert time.monotonic() < end, self.tail()
            if not self.is_running:
                super().start()
            time.sleep(0.2)

    def freeze(self) -> None:
        """Stop the server with all its workers where they stand; connections stay open and get no answer."""
        self._signal_all(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self._signal_all(signal.SIGCONT)

    def back_up(self) -> None:
        """Keep a copy of the files as they are now; the server is away meanwhile."""
        self._replace(self._copy, self._data)

    def restore(self) -> None:
        """Put the copy in place of what is there; the server is away meanwhile, as after any kill."""
        self._replace(self._data, self._copy)

    def _replace(self, target: Path, source: Path) -> None:
        self.stop(20)
        shutil.rmtree(target, ignore_errors=True)
        subprocess.run(["cp", "--archive", str(source), str(target)], check=True, timeout=60)
        self.start()

    def _signal_all(self, number: int) -> None:
        workers = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        for pid in (self.pid, *map(int, workers)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def remove(self) -> None:
        """End it and leave nothing behind."""
        if self.is_running:
            self.thaw()
        self.stop(20)
        self.log.unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)
