"""Statements that are worded once per process and planned once per connection, on PostgreSQL.

Django words each statement anew each time, which takes several times what PostgreSQL needs to do it. Whoever has one
that comes all the time writes it out, beside Django's own way for SQLite.
"""

import threading
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import DEFAULT_DB_ALIAS, NotSupportedError, OperationalError, connection, connections, models

from accounts.statements import pipeline
from accounts.statements.pipeline import Question, Row


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
    own = connections[DEFAULT_DB_ALIAS]
    own.ensure_connection()
    own.validate_no_broken_transaction()
    raw = own.connection
    try:
        with own.wrap_database_errors:
            return pipeline.exchange(raw, questions)
    except NotSupportedError as error:
        # A migration has changed the table: all is tried again on another connection, and each of them plans anew.
        pipeline.names_of.clear()
        raw.close()  # a pool would hand it out again
        raise OperationalError(str(error)) from error
    finally:
        if own.queries_logged:
            own.queries_log.extend({"sql": statement, "time": "0"} for statement, _ in questions)


def _key(statement: str, values: Sequence[Any]) -> Hashable:
    return statement, tuple(tuple(value) if isinstance(value, list) else value for value in values)
