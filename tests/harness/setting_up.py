"""`manage.py setup` for test installations: what is slow happens once in a run, the others begin on copies of it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from unittest import mock

import django
from django.core.management import call_command

from wallboard.demo.processes import BASE_DIR

SQLITE = "sqlite:///"


def set_up(env: Mapping[str, str]) -> None:
    """Prepare the installation of that environment: on a copy of a migrated SQLite file, and of collected static files.

    `wallboard/management/commands/setup.py` is what runs all the same; tests/test_setup.py looks at it.
    """
    prepared, static = prepared_folder(), Path(env["STATIC_ROOT"])
    if env["DATABASE_URL"].startswith(SQLITE):
        migrate(env)
    if (prepared / "static").exists():
        shutil.copytree(prepared / "static", static, dirs_exist_ok=True)
        run("-m", "tests.harness.setting_up", env=env)
    else:
        run("manage.py", "setup", env=env)
        shutil.copytree(static, prepared / "static")


def migrate(env: Mapping[str, str]) -> None:
    """Migrate the database of that environment: on SQLite it becomes a copy of one that was migrated before."""
    if not env["DATABASE_URL"].startswith(SQLITE):
        run("manage.py", "migrate", "-v0", env=env)
        return
    migrated = prepared_folder() / "migrated.sqlite3"
    if not migrated.exists():
        run("manage.py", "migrate", "-v0", env={**env, "DATABASE_URL": f"{SQLITE}{migrated}"})
    shutil.copyfile(migrated, env["DATABASE_URL"].removeprefix(SQLITE))


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
