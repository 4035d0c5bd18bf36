"""`manage.py setup` for test installations: what is slow happens once in a run, the others begin on copies of it."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import django
import psycopg
from psycopg import sql

from tests.harness import postgres
from wallboard.demo.processes import BASE_DIR

SQLITE = "sqlite:///"
KEPT = BASE_DIR / ".pytest_cache" / "migrated"


def set_up(env: Mapping[str, str], manage: Callable[..., object]) -> None:
    """Prepare the installation of that environment: on a copy of a migrated database, and of collected static files.

    `wallboard/management/commands/setup.py` is what runs all the same; tests/test_setup.py looks at it.
    """
    migrate(env)
    collect(env)
    manage("setup", "--no-static")


def collect(env: Mapping[str, str]) -> None:
    """The static files of that environment, copied from those that the run collected before."""
    prepared = prepared_folder()
    with alone(prepared):
        if not (prepared / "static").exists():
            run("manage.py", "collectstatic", "-v0", "--noinput", env={**env, "STATIC_ROOT": str(prepared / "new")})
            (prepared / "new").rename(prepared / "static")
    shutil.copytree(prepared / "static", env["STATIC_ROOT"], dirs_exist_ok=True)


def migrate(env: Mapping[str, str]) -> None:
    """Migrate the empty database of that environment: it becomes a copy of one that was migrated before."""
    if not env["DATABASE_URL"].startswith(SQLITE):
        migrate_postgres(env)
        return
    shutil.copyfile(migrated("sqlite3", migrated_file, env), env["DATABASE_URL"].removeprefix(SQLITE))


def migrated(kind: str, make: Callable[[Mapping[str, str], Path], None], env: Mapping[str, str]) -> Path:
    """The migrated database as a file of that kind, kept from run to run for as long as no migration changes."""
    KEPT.mkdir(parents=True, exist_ok=True)
    file = KEPT / f"{hash_of_migrations()}.{kind}"
    with alone(KEPT):  # parts of the suite that start together need it made once
        if not file.exists():
            for outdated in KEPT.glob(f"*.{kind}"):
                outdated.unlink()
            new = file.with_suffix(".new")
            new.unlink(missing_ok=True)
            make(env, new)
            new.rename(file)
    return file


def migrated_file(env: Mapping[str, str], file: Path) -> None:
    """Migrate an SQLite file there."""
    run("manage.py", "migrate", "-v0", env={**env, "DATABASE_URL": f"{SQLITE}{file}"})


def migrated_dump(env: Mapping[str, str], file: Path) -> None:
    """Migrate the empty PostgreSQL database of that environment, and write it all down."""
    run("manage.py", "migrate", "-v0", env=env)
    postgres.dump(env["DATABASE_URL"], file)


def migrate_postgres(env: Mapping[str, str]) -> None:
    """The same on PostgreSQL, where each server keeps the migrated database as a template."""
    url = urlsplit(env["DATABASE_URL"])
    database, template = url.path[1:], f"wallboard_{hash_of_migrations()}"
    beside = "template1" if database == "postgres" else "postgres"  # nobody drops the database that he is in
    with psycopg.connect(urlunsplit(url._replace(path=f"/{beside}")), autocommit=True) as server:
        if not server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [template]).fetchone():
            copy(server, database, "template0")
            dump = migrated("sql", migrated_dump, env)
            copy(server, template, "template0")
            postgres.restore(dump, urlunsplit(url._replace(path=f"/{template}")))
        copy(server, database, template)


def copy(server: "psycopg.Connection[tuple[int]]", database: str, template: str) -> None:
    """Make that database a copy of the other, whatever it was."""
    names = sql.Identifier(database), sql.Identifier(template)
    server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(names[0]))
    server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(*names))


def hash_of_migrations() -> str:
    """A hash of everything that says what a migrated database looks like."""
    ours = [path for app in ("accounts", "wallboard") for path in (BASE_DIR / app).rglob("migrations/*.py")]
    found = hashlib.sha256(django.__version__.encode())
    for path in sorted([*ours, BASE_DIR / "wallboard" / "moved_models.py"]):
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Nobody else is at that folder meanwhile."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def prepared_folder() -> Path:
    """Where this run keeps what installations are copied from: its parts share it (WALLBOARD_PREPARED)."""
    from tests.harness.environment import SCRATCH  # below: it sets the settings of whoever imports it

    prepared = Path(os.environ.get("WALLBOARD_PREPARED") or SCRATCH / "prepared")
    prepared.mkdir(parents=True, exist_ok=True)
    return prepared


def run(*arguments: str, env: Mapping[str, str]) -> None:
    """Run Python so in that environment; fails with its output when it fails."""
    command = [sys.executable, *arguments]
    done = subprocess.run(command, env=dict(env), cwd=BASE_DIR, capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, f"{' '.join(arguments)}\n{done.stdout}\n{done.stderr}"
