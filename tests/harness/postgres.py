"""A PostgreSQL server of the test run's own, as it is configured by default: with fsync."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from wallboard.demo.processes import Child, free_port, wait_until


def programs() -> Path | None:
    """The folder with initdb and postgres: from PATH, else where Debian puts them, the newest version; else None."""
    if (found := shutil.which("initdb")) and shutil.which("postgres"):
        return Path(found).parent
    installed = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    return max(installed, key=lambda path: int(path.parent.name.split(".")[0]), default=None)


def programs_or_skip() -> Path:
    """The same, for a test that starts a server itself; skips it without."""
    if (found := programs()) is None:
        pytest.skip("no PostgreSQL server is installed (Debian: apt-get install postgresql)")
    return found


def server_user() -> str:
    """Whom PostgreSQL runs as, since it refuses root; "" for ourselves."""
    if os.geteuid():
        return ""
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


@contextmanager
def running_postgres(bin_folder: Path, *settings: str) -> Iterator[str]:
    """The URL of a new, empty server on a free loopback port, with these settings (`name=value`) beside its own.

    It and its files are gone afterwards.
    """
    folder = Path(tempfile.mkdtemp(prefix="wallboard-postgres-"))
    try:
        with postgres_in(folder, bin_folder, *settings) as url:
            yield url
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def postgres_in(folder: Path, bin_folder: Path, *settings: str) -> Iterator[str]:
    """The same with its files in that folder, where they stay; made there if there are none yet."""
    user, port = server_user(), free_port()
    folder.mkdir(exist_ok=True)
    if user:
        shutil.chown(folder, user)
    if not (folder / "data").exists():
        create(bin_folder, folder / "data", user)
    place = ["-h", "127.0.0.1", "-p", str(port), "-k", ""]
    wished = [word for setting in settings for word in ("-c", setting)]
    command = [str(bin_folder / "postgres"), "-D", str(folder / "data"), *place, *wished]
    log = Path(tempfile.gettempdir()) / f"{folder.name}.log"
    server = Child("postgres", command, log, cwd=Path("/"), user=user, stop_signal=signal.SIGINT)
    server.start()
    try:
        url = f"postgres://tests@127.0.0.1:{port}/postgres"
        assert wait_until(lambda: accepts(url), 30), server.tail()
        yield url
    finally:
        server.stop(20)
        log.unlink()


def create(bin_folder: Path, data: Path, user: str) -> None:
    """Make the files of a new server whose superuser `tests` needs no password on this machine."""
    options = ["-U", "tests", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
    command = [str(bin_folder / "initdb"), "-D", str(data), *options]
    done = subprocess.run(command, cwd="/", user=user or None, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def accepts(url: str) -> bool:
    """Whether the server takes connections."""
    try:
        psycopg.connect(url, connect_timeout=2).close()
    except psycopg.Error:
        return False
    return True


def dump(url: str, file: Path) -> None:
    """Write a database down."""
    _client("pg_dump", "--no-owner", f"--file={file}", url)


def restore(file: Path, url: str) -> None:
    """Fill an empty database with what was written down."""
    quiet = ("--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", f"--output={os.devnull}")
    _client("psql", *quiet, f"--file={file}", url)


def _client(name: str, *arguments: str) -> None:
    """Run a client program, which must do: that beside the real server, whose version is its own."""
    server = (programs() or Path()) / "postgres"
    command = [str(server.resolve().with_name(name)), *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
