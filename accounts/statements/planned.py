"""Statements that are worded once per process and planned once per connection, on PostgreSQL.

Django words each statement anew each time, which takes several times what PostgreSQL needs to do it. Whoever has one
that comes all the time writes it out, beside Django's own way for SQLite.
"""

from collections.abc import Sequence
from typing import Any

from django.db import NotSupportedError, OperationalError, connection, models

PREPARE_AFTER = 5  # times that a statement came on a connection


def is_possible() -> bool:
    """Whether the database is PostgreSQL."""
    return connection.vendor == "postgresql"


def columns(model: type[models.Model], names: Sequence[str], alias: str) -> str:
    """These fields of a model as a list for SELECT, from a table that is called `alias` there."""
    found = {field.attname: field.column for field in model._meta.concrete_fields}
    return ", ".join(f'{alias}."{found[name]}"' for name in names)


def answer(statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """What PostgreSQL answers to one of these statements. Raises what Django's own cursors would."""
    import psycopg  # only where the database is PostgreSQL

    try:
        connection.ensure_connection()
        raw = connection.connection
        # Django turns it off for the sake of poolers; its own cursors never prepare.
        raw.prepare_threshold = PREPARE_AFTER
        with connection.wrap_database_errors:
            bare = psycopg.Cursor(raw)
        # Binary, since Django reads moments as text, in Python.
        bare.format = psycopg.pq.Format.BINARY
        with connection._prepare_cursor(bare) as cursor:  # type: ignore[attr-defined]
            cursor.execute(statement, values)
            return cursor.fetchall() if bare.pgresult is not None and bare.pgresult.nfields else []
    except NotSupportedError as error:
        # A migration has changed the table: a new connection, on which all is tried again, plans anew.
        raw.close()  # a pool would hand it out again
        raise OperationalError(str(error)) from error
