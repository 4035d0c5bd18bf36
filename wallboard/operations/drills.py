"""A restore for practice: into a database of its own, by the very command that would do it in earnest."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils.translation import gettext as _

from wallboard.environment import env


class Failed(Exception):
    """The backup could not be restored; the message says why."""


def run(backup: Path) -> None:
    """Restore the backup into an empty database, look at it, and delete it. Raises Failed."""
    with _database() as url:
        command = [sys.executable, "-m", "wallboard", "restore", str(backup.resolve())]
        environment = {**os.environ, "DATABASE_URL": url}
        done = subprocess.run(command, env=environment, cwd=settings.BASE_DIR, capture_output=True, text=True)  # noqa: S603
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        raise Failed(_("The drill failed. %(reason)s") % {"reason": lines[-1] if lines else done.returncode})


@contextmanager
def _database() -> Iterator[str]:
    """The URL of an empty database beside ours, gone afterwards."""
    if connection.vendor == "sqlite":
        with tempfile.TemporaryDirectory(prefix="wallboard-drill-") as folder:
            yield f"sqlite:///{Path(folder) / 'drill.sqlite3'}"
        return
    name = f"wallboard_drill_{uuid4().hex[:12]}"
    try:
        _execute(f"CREATE DATABASE {name}")
    except DatabaseError as error:
        text = _("The drill needs a database of its own, and the database's user may not create one (CREATEDB).")
        raise Failed(text) from error
    try:
        yield _url(name)
    finally:
        _execute(f"DROP DATABASE {name}")


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def _url(name: str) -> str:
    """DATABASE_URL with another database's name."""
    scheme, _colon, rest = env.str("DATABASE_URL").partition("://")
    place, _slash, ours = rest.partition("/")
    _name, mark, options = ours.partition("?")
    return f"{scheme}://{place}/{name}{mark}{options}"
