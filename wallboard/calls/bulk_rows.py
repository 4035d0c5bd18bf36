"""Many rows of one table at once, for the few statements that every batch of deliveries runs.

Django works out anew how each statement reads and prepares each field of each row by itself, which costs several times
what PostgreSQL needs to do it. Here a statement is worded once per process, and all new rows travel as one JSON text.
On SQLite it is Django's own way after all. Fields are called by their column's attribute, as `domain_id`.
"""

from collections.abc import Mapping, Sequence
from functools import cache, reduce
from operator import attrgetter, or_
from typing import Any, TypeVar

import msgspec
from django.db import connection, models

M = TypeVar("M", bound=models.Model)
Conditions = tuple[tuple[str, bool], ...]  # (name, whether the value is None)


class TableShape:
    """The fields of a model, and the statement that takes rows of it; by the `unique` ones a row is known again."""

    def __init__(self, model: type[models.Model], unique: tuple[str, ...] = ()) -> None:
        self._quote = connection.ops.quote_name
        self._table = self._quote(model._meta.db_table)
        self._columns = {field.attname: str(field.column) for field in model._meta.concrete_fields}
        self.names = list(self._columns)
        # Without the first column, the id: new rows have none yet.
        of_row, self._unique = attrgetter(*self.names[1:]), unique
        # Of a single column attrgetter gives the bare value.
        self._values = of_row if len(self.names) > 2 else lambda row: (of_row(row),)
        self.statement = self._insertion(self.names[1:], unique)

    def key(self, row: models.Model) -> tuple[Any, ...]:
        """By which a row is known again."""
        return tuple(getattr(row, name) for name in self._unique)

    def _list(self, names: Sequence[str]) -> str:
        return ", ".join(self._quote(self._columns[name]) for name in names)

    def _insertion(self, names: Sequence[str], unique: tuple[str, ...]) -> str:
        columns = self._list(names)
        rows = f"SELECT {columns} FROM json_populate_recordset(NULL::{self._table}, %s)"  # noqa: S608  (names of ours)
        statement = f"INSERT INTO {self._table} ({columns}) {rows}"
        if not unique:
            return statement
        fresh = [self._list([name]) for name in names if name not in unique]
        changes = ", ".join(f"{column} = EXCLUDED.{column}" for column in fresh)
        return (
            f"{statement} ON CONFLICT ({self._list(unique)}) DO UPDATE SET {changes} RETURNING id, {self._list(unique)}"
        )

    def selection(self, alternatives: tuple[Conditions, ...]) -> str:
        """The statement that reads rows under any of these conditions."""

        def condition(name: str, is_null: bool) -> str:
            column = self._list([name.removesuffix("__in")])
            return (
                f"{column} IS NULL" if is_null else f"{column} = ANY(%s)" if name.endswith("__in") else f"{column} = %s"
            )

        wanted = " OR ".join(f"({' AND '.join(condition(*each) for each in all_of)})" for all_of in alternatives)
        # Placeholders only for values; tables and columns come from the models.
        return f"SELECT {self._list(self.names)} FROM {self._table} WHERE {wanted}"  # noqa: S608  (names of ours)

    def as_json(self, rows: Sequence[models.Model]) -> str:
        """All rows as one text."""
        columns, values = [self._columns[name] for name in self.names[1:]], self._values
        return msgspec.json.encode([dict(zip(columns, values(row), strict=True)) for row in rows]).decode()


shape_of = cache(TableShape)
selection_of = cache(TableShape.selection)


def insert(rows: Sequence[models.Model]) -> None:
    """Add these rows, all of one model; they do not get their ids. Raises what a single insert would."""
    if not rows:
        return
    if connection.vendor != "postgresql":
        # SQLite has no json_populate_recordset, and no network between us and it to save.
        type(rows[0])._default_manager.bulk_create(rows)
        return
    shape = shape_of(type(rows[0]))
    with connection.cursor() as cursor:
        cursor.execute(shape.statement, [shape.as_json(rows)])


def upsert(rows: Sequence[models.Model], unique: tuple[str, ...]) -> None:
    """Add these rows, all of one model, or make those with the same unique fields equal to them; all get their ids."""
    if not rows:
        return
    shape = shape_of(type(rows[0]), unique)
    if connection.vendor != "postgresql":
        others = [name for name in shape.names[1:] if name not in unique]
        manager = type(rows[0])._default_manager
        manager.bulk_create(rows, update_conflicts=True, unique_fields=unique, update_fields=others)
        return
    with connection.cursor() as cursor:
        cursor.execute(shape.statement, [shape.as_json(rows)])
        ids: dict[tuple[Any, ...], int] = {tuple(key): pk for pk, *key in cursor.fetchall()}
    for row in rows:
        row.pk = ids[shape.key(row)]
        # As Django's own bulk_create does, else a later save() would insert the row again.
        row._state.adding = False


def select(model: type[M], *alternatives: Mapping[str, Any]) -> list[M]:
    """The rows to which all conditions of any set apply: name → value (None is null), or `name__in` → values."""
    if connection.vendor != "postgresql":
        return list(model._default_manager.filter(reduce(or_, (models.Q(**all_of) for all_of in alternatives))))
    shape = shape_of(model)
    statement = selection_of(
        shape, tuple(tuple((name, value is None) for name, value in all_of.items()) for all_of in alternatives)
    )
    values = [
        list(value) if name.endswith("__in") else value
        for all_of in alternatives
        for name, value in all_of.items()
        if value is not None
    ]
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        # Raw values of the columns: right only for models whose fields need no converter.
        return [model.from_db(connection.alias, shape.names, row) for row in cursor.fetchall()]
