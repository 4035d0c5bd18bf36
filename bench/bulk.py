"""Many rows at once into PostgreSQL: keys and indexes go first and are built again afterwards, which is far quicker."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

KEYS = """SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE conrelid = %s::regclass AND contype IN ('p', 'u')"""
OTHERS = """SELECT conname, conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE confrelid = %s::regclass AND contype = 'f'"""
INDEXES = "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = %s"


@contextmanager
def without_indexes(cursor: Any, table: str) -> Iterator[None]:
    """The table without keys and indexes inside, and with all of them again afterwards; nothing checks its rows."""
    cursor.execute(
        "SET statement_timeout = 0; SET session_replication_role = replica; SET maintenance_work_mem = '1GB'"
    )
    keys, others = _rows(cursor, KEYS, table), _rows(cursor, OTHERS, table)
    for name, other, _told in others:
        cursor.execute(f'ALTER TABLE {other} DROP CONSTRAINT "{name}"')
    for name, _told in keys:
        cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
    indexes = _rows(cursor, INDEXES, table)
    for name, _told in indexes:
        cursor.execute(f'DROP INDEX "{name}"')
    yield
    for name, told in keys:
        cursor.execute(f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {told}')
    for _name, told in indexes:
        cursor.execute(told)
    for name, other, told in others:
        cursor.execute(f'ALTER TABLE {other} ADD CONSTRAINT "{name}" {told}')
    cursor.execute("SET session_replication_role = DEFAULT")


def _rows(cursor: Any, question: str, table: str) -> list[tuple[Any, ...]]:
    cursor.execute(question, [table])
    found: list[tuple[Any, ...]] = cursor.fetchall()
    return found
