"""`manage.py setup` for test installations: what is slow happens once in a run, the others begin on copies of it."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from unittest import mock
from urllib.parse import urlsplit, urlunsplit

import django
import psycopg
from django.core.management import call_command
from psycopg import sql

from wallboard.demo.processes import BASE_DIR

SQLITE = "sqlite:///"
TEMPLATE = "wallboard_migrated"


def set_up(env: Mapping[str, str]) -> None:
    """Prepare the installation of that environment: on a copy of a migrated database, and of collected static files.

    `wallboard/management/commands/setup.py` is what runs all the same; tests/test_setup.py looks at it.
    """
    prepared, static = prepared_folder(), Path(env["STATIC_ROOT"])
    migrate(env)
    if (prepared / "static").exists():
        shutil.copytree(prepared / "static", static, dirs_exist_ok=True)
        run("-m", "tests.harness.setting_up", env=env)
    else:
        run("manage.py", "setup", env=env)
        shutil.copytree(static, prepared / "static")


def migrate(env: Mapping[str, str]) -> None:
    """Migrate the empty database of that environment: it becomes a copy of one that was migrated before."""
    if not env["DATABASE_URL"].startswith(SQLITE):
        migrate_postgres(env)
        return
    shutil.copyfile(migrated_file(env), env["DATABASE_URL"].removeprefix(SQLITE))


def migrated_file(env: Mapping[str, str]) -> Path:
    """A migrated SQLite file, kept from run to run for as long as no migration changes."""
    kept = BASE_DIR / ".pytest_cache" / "migrated"
    kept.mkdir(parents=True, exist_ok=True)
    migrated = kept / f"{hash_of_migrations()}.sqlite3"
    with (kept / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # parts of the suite that start together need it made once
        if not migrated.exists():
            for outdated in kept.glob("*.sqlite3"):
                outdated.unlink()
            new = prepared_folder() / "new.sqlite3"
            run("manage.py", "migrate", "-v0", env={**env, "DATABASE_URL": f"{SQLITE}{new}"})
            shutil.move(new, migrated)
    return migrated


def hash_of_migrations() -> str:
    """A hash of everything that says what a migrated database looks like."""
    ours = [path for app in ("accounts", "wallboard") for path in (BASE_DIR / app).rglob("migrations/*.py")]
    found = hashlib.sha256(django.__version__.encode())
    for path in sorted([*ours, BASE_DIR / "wallboard" / "moved_models.py"]):
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def migrate_postgres(env: Mapping[str, str]) -> None:
    """The same on PostgreSQL, whose server keeps the migrated database as a template."""
    url = urlsplit(env["DATABASE_URL"])
    database, template = sql.Identifier(url.path[1:]), sql.Identifier(TEMPLATE)
    with psycopg.connect(urlunsplit(url._replace(path="/postgres")), autocommit=True) as server:
        if not server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [TEMPLATE]).fetchone():
            server.execute(sql.SQL("CREATE DATABASE {}").format(template))
            run(
                "manage.py",
                "migrate",
                "-v0",
                env={**env, "DATABASE_URL": urlunsplit(url._replace(path=f"/{TEMPLATE}"))},
            )
        server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(database))
        server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(database, template))


def prepared_folder() -> Path:
    """Where this run keeps what installations are copied from."""
    from tests.harness.environment import SCRATCH  # not in the process that `main` runs in: it sets its own settings

    prepared = SCRATCH / "prepared"
    prepared.mkdir(parents=True, exist_ok=True)
    return prepared


def run(*arguments: str, env: Mapping[str, str]) -> None:
    """Run Python so in that environment; fails with its output when it fails."""
    command = [sys.executable, *arguments]
    done = subprocess.run(command, env=dict(env), cwd=BASE_DIR, capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, f"{' '.join(arguments)}\n{done.stdout}\n{done.stderr}"


def main() -> None:
    """All of `setup` but collecting the static files, which are there."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wallboard.settings")
    django.setup()
    from wallboard.management.commands.setup import Command

    with mock.patch.object(Command, "_collect"):
        call_command("setup")


if __name__ == "__main__":
    main()
