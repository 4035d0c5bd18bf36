"""A PostgreSQL server that a test may kill: with fsync, and on the same files when it comes back."""

import shutil
import signal
import tempfile
import time
from pathlib import Path

from tests.harness import postgres
from wallboard.processes import Child, free_port


class Postgres(Child):
    """Start it, kill it, start it again; `remove` ends it and deletes its files."""

    def __init__(self, bin_folder: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="wallboard-postgres-"))
        self.port = free_port()
        self.url = f"postgres://tests@127.0.0.1:{self.port}/postgres"
        user = postgres.server_user()
        if user:
            shutil.chown(self.folder, user)
        data = self.folder / "data"
        postgres.create(bin_folder, data, user)
        place = ["-h", "127.0.0.1", "-p", str(self.port), "-k", "", "-c", "shared_buffers=16MB"]
        command = [str(bin_folder / "postgres"), "-D", str(data), *place]
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

    def remove(self) -> None:
        """End it and leave nothing behind."""
        self.kill(signal.SIGCONT)
        self.stop(20)
        self.log.unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)
