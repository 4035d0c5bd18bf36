"""Statements that are worded once per process and planned once per connection, on PostgreSQL.

Django words each statement anew each time, which takes several times what PostgreSQL needs to do it. Whoever has one
that comes all the time writes it out, beside Django's own way for SQLite.
"""

import threading
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import DEFAULT_DB_ALIAS, NotSupportedError, OperationalError, connection, connections, models

PREPARE_AFTER = 5  # times that a statement came on a connection
Row = tuple[Any, ...]
Question = tuple[str, Sequence[Any]]  # a statement and its values


def is_possible() -> bool:
    """Whether the database is PostgreSQL."""
    return connection.vendor == "postgresql"


def columns(model: type[models.Model], names: Sequence[str], alias: str) -> str:
    """These fields of a model as a list for SELECT, from a table that is called `alias` there."""
    found = {field.attname: field.column for field in model._meta.concrete_fields}
    return ", ".join(f'{alias}."{found[name]}"' for name in names)


class Foreseen(threading.local):
    """What this thread asked before it needed it, each answer until it is taken: as often as it was asked."""

    def __init__(self) -> None:
        self.answers: dict[Hashable, list[list[Row]]] = {}


foreseen = Foreseen()


def answer(statement: str, values: Sequence[Any]) -> list[Row]:
    """What PostgreSQL answers to one of these statements. Raises what Django's own cursors would."""
    if foreseen.answers and (found := foreseen.answers.get(_key(statement, values))):
        return found.pop()
    return answers([(statement, values)])[0]


@contextmanager
def asked_ahead(writes: Sequence[Question], questions: Sequence[Question]) -> Iterator[None]:
    """Run `writes`, then ask all that will probably be asked within, in one round trip for everything together.

    A question that comes within takes its answer where it was asked in the same words, each once; any other is asked
    then. So nothing within may ask for what it has changed before.
    """
    found = answers([*writes, *questions])[len(writes) :]
    foreseen.answers = {}
    for question, rows in zip(questions, found, strict=True):
        foreseen.answers.setdefault(_key(*question), []).append(rows)
    try:
        yield
    finally:
        foreseen.answers = {}


def answers(questions: Sequence[Question]) -> list[list[Row]]:
    """What PostgreSQL answers to each of these statements, which travel together. Raises as answer() does."""
    import psycopg  # only where the database is PostgreSQL

    own = connections[DEFAULT_DB_ALIAS]
    try:
        own.ensure_connection()
        raw = own.connection
        # Django turns it off for the sake of poolers; its own cursors never prepare.
        raw.prepare_threshold = PREPARE_AFTER
        with own.wrap_database_errors:
            if len(questions) == 1 or not psycopg.Pipeline.is_supported():
                return [_fetched(_executed(own, raw, question)) for question in questions]
            with raw.pipeline():
                cursors = [_executed(own, raw, question) for question in questions]
            return [_fetched(cursor) for cursor in cursors]
    except NotSupportedError as error:
        # A migration has changed the table: a new connection, on which all is tried again, plans anew.
        raw.close()  # a pool would hand it out again
        raise OperationalError(str(error)) from error


def _executed(own: Any, raw: Any, question: Question) -> Any:
    import psycopg

    bare = psycopg.Cursor(raw)
    # Binary, since Django reads moments as text, in Python.
    bare.format = psycopg.pq.Format.BINARY
    own._prepare_cursor(bare).execute(*question)
    return bare


def _fetched(cursor: Any) -> list[Row]:
    with cursor:
        return cursor.fetchall() if cursor.pgresult is not None and cursor.pgresult.nfields else []


def _key(statement: str, values: Sequence[Any]) -> Hashable:
    return statement, tuple(tuple(value) if isinstance(value, list) else value for value in values)
