"""Migrates the database while others work with it: who waits for a lock gives up soon, and tries again.

On PostgreSQL a migration that waits for a lock behind a long query holds up everybody who comes after it. So it waits a
moment only: those behind it go on, and what it has begun is rolled back until the next try.
"""

import logging
import random
import time
from collections.abc import Callable
from typing import Any

import psycopg
from django.core.management import call_command
from django.db import OperationalError, connection

log = logging.getLogger(__name__)
LOCK_SECONDS = 2  # less than the three for which a proxy or a page waits
PAUSE_SECONDS = (1.0, 4.0)
GIVE_UP_SECONDS = 300.0
SET = f"SET lock_timeout = '{LOCK_SECONDS}s'"


def migrate() -> None:
    """Bring the database up to date. Raises DatabaseError, the last try's where a lock stays taken for five minutes."""
    if connection.vendor != "postgresql":
        _migrate()
        return
    end = time.monotonic() + GIVE_UP_SECONDS
    while True:
        try:
            _migrate_patiently()
        except OperationalError as error:
            if not isinstance(error.__cause__, psycopg.errors.LockNotAvailable) or time.monotonic() > end:
                raise
            log.warning("A migration waits for a lock; it lets others go first, and tries again")
            time.sleep(random.uniform(*PAUSE_SECONDS))  # noqa: S311 (jitter, not a secret)
        else:
            return


def _migrate() -> None:
    call_command("migrate", verbosity=0, interactive=False)


def _migrate_patiently() -> None:
    with connection.cursor() as cursor:
        cursor.execute(SET)
    try:
        with connection.execute_wrapper(_let_wait):
            _migrate()
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET lock_timeout")


def _let_wait(execute: Callable[..., Any], statement: Any, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """An index that is built beside all else holds up nobody, and may wait for as long as queries take."""
    if "CONCURRENTLY" not in str(statement):
        return execute(statement, params, many, context)
    context["cursor"].cursor.execute("SET lock_timeout = 0")
    try:
        return execute(statement, params, many, context)
    finally:
        context["cursor"].cursor.execute(SET)
