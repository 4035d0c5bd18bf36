"""Two PostgreSQL servers on two hosts: one takes writes and waits for the other, which can take its place."""

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, LiteralString

import psycopg

from tests.harness import postgres
from tests.machines.network import Network
from wallboard.demo.processes import Child, wait_until

PORT = 5432
SETTINGS = ("listen_addresses=*", "unix_socket_directories=", "shared_buffers=32MB", "max_connections=200")
# Copies are fetched and sent on wires that a test may cut: nobody waits for a minute.
NOTICING = ("wal_sender_timeout=5s", "wal_receiver_timeout=5s", "wal_retrieve_retry_interval=1s")


class Pair:
    """The servers by host; `primary` is the name of the one that takes writes."""

    def __init__(self, network: Network, names: tuple[str, str], bin_folder: Path) -> None:
        self.network, self.names = network, names
        self._bin = (bin_folder / "postgres").resolve().parent  # beside the real one lies pg_basebackup
        self.folder = Path(tempfile.mkdtemp(prefix="wallboard-pair-"))
        self._user = postgres.server_user()
        if self._user:
            shutil.chown(self.folder, self._user)
        self.primary = names[0]
        self.servers = {name: self._child(name) for name in names}

    @property
    def url(self) -> str:
        """What the product is told: both hosts."""
        return f"postgres://tests@{','.join(f'{self.network.addresses[name]}:{PORT}' for name in self.names)}/wallboard"

    @property
    def standby(self) -> str:
        """The other one."""
        return next(name for name in self.names if name != self.primary)

    def url_of(self, name: str, database: str = "wallboard") -> str:
        """That server alone."""
        return f"postgres://tests@{self.network.addresses[name]}:{PORT}/{database}"

    def start(self) -> None:
        """Make a primary, and its standby."""
        postgres.create(self._bin, self._data(self.primary), self._user)
        with (self._data(self.primary) / "pg_hba.conf").open("a") as rules:
            rules.write("host all all 10.0.0.0/8 trust\nhost replication all 10.0.0.0/8 trust\n")
        self.servers[self.primary].start()
        self._await(self.primary)
        self.execute("CREATE DATABASE wallboard", "postgres")
        self.add_standby()

    def add_standby(self) -> None:
        """Make the other server a fresh copy that follows; commits wait for it from then on."""
        name = self.standby
        self.servers[name].kill()
        self.servers[name].stop()
        shutil.rmtree(self._data(name), ignore_errors=True)
        copy = [str(self._bin / "pg_basebackup"), "-h", self.network.addresses[self.primary], "-p", str(PORT), "-U"]
        command = self._as_server(
            name, [*copy, "tests", "-D", str(self._data(name)), "-R", "-X", "stream", "-c", "fast"]
        )
        done = subprocess.run(command, cwd="/", capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        self.servers[name].start()
        self._await(name)
        following = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"
        assert wait_until(lambda: self.execute(following) == 1, 20)
        self.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.execute("SELECT pg_reload_conf()")
        assert wait_until(
            lambda: self.execute("SELECT count(*) FROM pg_stat_replication WHERE sync_state='sync'") == 1, 20
        )

    def kill_primary(self) -> None:
        """The primary ends in the middle of what it does."""
        self.servers[self.primary].kill()

    def promote(self) -> None:
        """The standby takes the place of the primary, and waits for nobody."""
        self.primary = self.standby
        self.execute("SELECT pg_promote()")

    def stop(self) -> None:
        """End both and leave nothing behind."""
        for server in self.servers.values():
            server.stop(5)
            server.log.unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def execute(self, statement: LiteralString, database: str = "wallboard", on: str = "") -> object:
        """Run it on the primary, or on that host; gives the first value, where there is one."""
        url = self.url_of(on or self.primary, database)
        with psycopg.connect(url, autocommit=True, connect_timeout=3) as connection:
            found = connection.execute(statement)
            row: Any = found.fetchone() if found.description else None
            return row[0] if row else None

    def _await(self, name: str) -> None:
        url = self.url_of(name, "postgres")
        assert wait_until(lambda: postgres.accepts(url), 30), self.servers[name].tail()

    def _data(self, name: str) -> Path:
        return self.folder / name

    def _child(self, name: str) -> Child:
        command = [str(self._bin / "postgres"), "-D", str(self._data(name)), "-p", str(PORT)]
        for setting in (*SETTINGS, *NOTICING):
            command += ["-c", setting]
        # Not in the folder of the test, which its user may not enter.
        log = Path(tempfile.gettempdir()) / f"{self.folder.name}-{name}.log"
        return Child(f"postgres-{name}", self._as_server(name, command), log, cwd=Path("/"))

    def _as_server(self, name: str, command: list[str]) -> list[str]:
        user = ["--reuid", self._user, "--regid", self._user, "--clear-groups"] if self._user else []
        return self.network.at(name, ["setpriv", *user, "--pdeathsig", "KILL", *command])
