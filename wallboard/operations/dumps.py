"""The whole database as one file, and back: SQLite's own backup, PostgreSQL's own programs."""

import gzip
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection, transaction
from django.utils.translation import gettext as _
from psycopg.conninfo import make_conninfo

FILES = {"sqlite": "database.sqlite3.gz", "postgresql": "database.pgdump"}  # by Django's vendor
CHUNK = 1024 * 1024
LEAVING_SECONDS = 2.0  # connections that were closed are seen for a moment longer
SETTINGS_LINES = 40  # at the head of a script of pg_restore; rows come later


class Failed(Exception):
    """The database could not be written to a file, or not be read from one; the message says what to do."""


def dump(folder: Path) -> tuple[Path, dict[str, int]]:
    """Write the database as it is at one moment into this folder: the file, and the rows of each table in it."""
    file = folder / FILES[connection.vendor]
    if connection.vendor == "sqlite":
        return file, _dump_sqlite(file)
    return file, _dump_postgres(file)


def load(file: Path) -> None:
    """Replace everything in the database by what the file holds, all of it or nothing. Raises Failed."""
    if connection.vendor == "sqlite":
        _load_sqlite(file)
    else:
        _load_postgres(file)


def rows() -> dict[str, int]:
    """How many rows each table has now."""
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL statement_timeout = 0")  # counting a large table takes minutes
        counts = {}
        for table in sorted(connection.introspection.table_names(cursor)):
            cursor.execute(f"SELECT COUNT(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608
            counts[table] = int(cursor.fetchone()[0])
        return counts


def in_use() -> bool:
    """Whether other processes have the database open: it must not be replaced under them."""
    if connection.vendor == "sqlite":
        return _path().exists() and not _is_ours_alone(_path())
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]  # of this process; it opens more than the one it needs
    until = time.monotonic() + LEAVING_SECONDS
    while is_used := _others_connected():
        if time.monotonic() > until:
            break
        time.sleep(0.1)
    return is_used


def _others_connected() -> bool:
    with connection.Database.connect(**connection.get_connection_params()) as database:  # type: ignore[attr-defined]
        found = database.execute(
            "SELECT COUNT(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        return bool(found.fetchone()[0])


def _dump_sqlite(file: Path) -> dict[str, int]:
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        copy = Path(folder) / "copy.sqlite3"
        source, target = sqlite3.connect(_path(), timeout=20), sqlite3.connect(copy)
        try:
            source.backup(target)  # one step: writers of the original go on meanwhile, in its WAL
            target.execute("PRAGMA journal_mode=DELETE")
            counts = _sqlite_rows(target)
        except sqlite3.Error as error:
            raise Failed(_("The database cannot be copied: %(reason)s.") % {"reason": error}) from error
        finally:
            target.close()
            source.close()
        with copy.open("rb") as plain, gzip.open(file, "wb", compresslevel=4) as packed:
            shutil.copyfileobj(plain, packed, CHUNK)
    return counts


def _sqlite_rows(database: sqlite3.Connection) -> dict[str, int]:
    names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    tables = sorted(str(name) for (name,) in names)
    quoted = {table: '"' + table.replace('"', '""') + '"' for table in tables}
    counting = {table: f"SELECT COUNT(*) FROM {name}" for table, name in quoted.items()}  # noqa: S608
    return {table: int(database.execute(statement).fetchone()[0]) for table, statement in counting.items()}


def _load_sqlite(file: Path) -> None:
    path = _path()
    new = path.with_name(f"{path.name}.restoring")
    try:
        new.unlink(missing_ok=True)
        with gzip.open(file, "rb") as packed, open(new, "xb", opener=_of_its_owner) as plain:
            shutil.copyfileobj(packed, plain, CHUNK)
            plain.flush()
            os.fsync(plain.fileno())
        _check_sqlite(new)
        connection.close()
        if path.exists() and not _is_ours_alone(path):
            raise Failed(_("Other processes have the database open. Stop web, worker and beat first."))
        _belong_as(new, path)
        new.replace(path)
    except (OSError, EOFError) as error:
        raise Failed(_("The database cannot be written: %(reason)s.") % {"reason": error}) from error
    finally:
        new.unlink(missing_ok=True)


def _of_its_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _belong_as(new: Path, path: Path) -> None:
    """Let the same people own and read the file as the one at `path`; a first one is of its folder's owner."""
    before = path.stat() if path.exists() else None
    owner = before or path.parent.stat()
    if os.geteuid() == 0:
        os.chown(new, owner.st_uid, owner.st_gid)
    if before:
        new.chmod(stat.S_IMODE(before.st_mode))


def _check_sqlite(file: Path) -> None:
    database = sqlite3.connect(file)
    try:
        found = str(database.execute("PRAGMA integrity_check").fetchone()[0])
    except sqlite3.DatabaseError as error:
        found = str(error)
    finally:
        database.close()
    if found != "ok":
        raise Failed(
            _("The database in the backup is damaged: %(reason)s. Take an earlier backup.")
            % {"reason": found.splitlines()[0]}
        )


def _is_ours_alone(path: Path) -> bool:
    """Whether nobody else has this file open: SQLite leaves WAL, and empties it, only for its last connection."""
    connection.close()
    database = sqlite3.connect(path, timeout=0)
    try:
        return str(database.execute("PRAGMA journal_mode=DELETE").fetchone()[0]) == "delete"
    except sqlite3.OperationalError:
        return False
    except sqlite3.DatabaseError:
        # Damaged, or no database at all: its log stays as long as anybody has it open, and would be read into the file
        # that takes its place.
        database.close()
        return not path.with_name(f"{path.name}-wal").exists()
    finally:
        database.close()


def _path() -> Path:
    return Path(str(settings.DATABASES["default"]["NAME"]))


def _dump_postgres(file: Path) -> dict[str, int]:
    with transaction.atomic(), connection.cursor() as cursor:
        # The rows are counted in the very moment that pg_dump writes down.
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        cursor.execute("SELECT pg_export_snapshot()")
        snapshot = str(cursor.fetchone()[0])
        options = ["--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}", f"--file={file}"]
        _run([_program("pg_dump"), *options, _place()])
        return rows()


def _load_postgres(file: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "database.sql"
        # Comments are those of extensions, which may belong to somebody else.
        options = ["--no-owner", "--no-privileges", "--no-comments", f"--file={script}"]
        _run([_program("pg_restore"), *options, str(file)])
        with connection.cursor() as cursor:
            cursor.execute("SELECT name FROM pg_settings")
            leave_out_unknown_settings(script, {str(name) for (name,) in cursor.fetchall()})
            tables = [connection.ops.quote_name(each) for each in connection.introspection.table_names(cursor)]
        connection.close()
        drop = f"DROP TABLE {', '.join(tables)} CASCADE" if tables else "SELECT 1"
        quiet = ["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--output=/dev/null"]
        _run([_program("psql"), *quiet, f"--command={drop}", f"--file={script}", _place()])
        _run([_program("psql"), "--no-psqlrc", "--quiet", "--command=ANALYZE", _place()])


def leave_out_unknown_settings(script: Path, known: set[str]) -> None:
    """Make comments of the lines that set what the server does not know: pg_restore may be newer than it."""
    with script.open("r+b") as file:
        for _line in range(SETTINGS_LINES):
            begin = file.tell()
            setting = re.match(rb"SET (\w+) =", file.readline())
            if setting and setting[1].decode() not in known:
                end = file.tell()
                file.seek(begin)
                file.write(b"--")
                file.seek(end)


def _place() -> str:
    """Which database and how to connect to it, as these programs take it: of several hosts the one that takes writes.

    The password goes through the environment.
    """
    ours = connection.get_connection_params()
    # `options` are those of the web process: a time limit for a single statement, for one.
    named = {option.keyword.decode() for option in psycopg.pq.Conninfo.get_defaults()} - {"password", "options"}
    return f"--dbname={make_conninfo('', **{name: value for name, value in ours.items() if name in named})}"


def _program(name: str) -> str:
    """Where that program of PostgreSQL is: the newest that Debian's packages installed, else the one in PATH."""
    installed = [path for path in Path("/usr/lib/postgresql").glob(f"*/bin/{name}") if path.parts[-3].isdecimal()]
    newest = max(installed, key=lambda path: int(path.parts[-3]), default=None)
    found = str(newest) if newest else shutil.which(name)
    if found is None:
        raise Failed(
            _("%(program)s is missing on this machine. Install PostgreSQL's client programs.") % {"program": name}
        )
    return found


def _run(command: list[str]) -> None:
    environment: dict[str, Any] = dict(os.environ)
    # Nothing of the web process' options, and no time limit for a single statement.
    environment.pop("PGOPTIONS", None)
    if password := settings.DATABASES["default"]["PASSWORD"]:
        environment["PGPASSWORD"] = str(password)
    done = subprocess.run(command, env=environment, capture_output=True, text=True)  # noqa: S603
    if done.returncode:
        lines = [line for line in done.stderr.strip().splitlines() if line]
        raise Failed(
            _("%(program)s failed: %(reason)s")
            % {"program": Path(command[0]).name, "reason": lines[0] if lines else done.returncode}
        )


def database_bytes() -> int:
    """How large the database is, in bytes. Raises DatabaseError or OSError."""
    if connection.vendor == "sqlite":
        return sum(file.stat().st_size for file in (_path(), _path().with_name(_path().name + "-wal")) if file.exists())
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])
