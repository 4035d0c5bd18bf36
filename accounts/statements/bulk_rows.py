"""Many rows of one table at once, for the few statements that every batch of deliveries runs.

Django works out anew how each statement reads and prepares each field of each row by itself, which costs several times
what PostgreSQL needs to do it. Here a statement is worded once per process and planned once per connection, all new
rows travel as one JSON text, and what is read becomes objects as it comes. On SQLite it is Django's own way after all.
Fields are called by their column's attribute, as `domain_id`.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, reduce
from operator import attrgetter, or_
from typing import Any, TypeVar

import msgspec
from django.db import connection, models
from django.db.models.base import ModelState

from accounts.statements.planned import answer

M = TypeVar("M", bound=models.Model)
Conditions = tuple[tuple[str, bool], ...]  # (name, whether the value is None)


class TableShape:
    """The fields of a model, and the statement that takes rows of it; by the `unique` ones a row is known again."""

    def __init__(self, model: type[models.Model], unique: tuple[str, ...] = ()) -> None:
        self._quote = connection.ops.quote_name
        self._table = self._quote(model._meta.db_table)
        self._columns = {field.attname: str(field.column) for field in model._meta.concrete_fields}
        self.names = list(self._columns)
        fields = model._meta.concrete_fields
        # PostgreSQL itself hands JSON over as what it means.
        self.converters = {
            field.attname: field.from_db_value
            for field in fields
            if hasattr(field, "from_db_value") and not isinstance(field, models.JSONField)
        }
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

    def selection(self, alternatives: tuple[Conditions, ...], names: tuple[str, ...] = ()) -> str:
        """The statement that reads rows under any of these conditions: these fields of them, or all."""

        def condition(name: str, is_null: bool) -> str:
            column = self._list([name.removesuffix("__in")])
            return (
                f"{column} IS NULL" if is_null else f"{column} = ANY(%s)" if name.endswith("__in") else f"{column} = %s"
            )

        wanted = " OR ".join(f"({' AND '.join(condition(*each) for each in all_of)})" for all_of in alternatives)
        # Placeholders only for values; tables and columns come from the models.
        columns = self._list(names or self.names)
        return f"SELECT {columns} FROM {self._table} WHERE {wanted}"  # noqa: S608  (names of ours)

    def as_json(self, rows: Sequence[models.Model]) -> str:
        """All rows as one text."""
        columns, values = [self._columns[name] for name in self.names[1:]], self._values
        return msgspec.json.encode([dict(zip(columns, values(row), strict=True)) for row in rows]).decode()

    def as_text(self, rows: Sequence[Mapping[str, Any]]) -> str:
        """The same of values by name."""
        columns = self._columns
        return msgspec.json.encode([{columns[name]: value for name, value in row.items()} for row in rows]).decode()

    def made(self, model: type[M], values: Sequence[Any]) -> M:
        """A row as an object, as Django's from_db makes it; past its __init__, which costs as much as all the rest."""
        row = model.__new__(model)
        row._state = ModelState()
        row._state.adding, row._state.db = False, connection.alias
        row.__dict__.update(zip(self.names, values, strict=True))
        for name, convert in self.converters.items():
            row.__dict__[name] = convert(row.__dict__[name], None, connection)
        return row


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
    answer(shape.statement, [shape.as_json(rows)])


def insert_values(model: type[models.Model], rows: Sequence[Mapping[str, Any]]) -> None:
    """The same for rows that need not be objects before: all fields of each but the id."""
    if connection.vendor != "postgresql":
        model._default_manager.bulk_create(model(**row) for row in rows)
    elif rows:
        shape = shape_of(model)
        answer(shape.statement, [shape.as_text(rows)])


def relate(row: models.Model, name: str, other: models.Model | None) -> None:
    """As setting that attribute does, past Django's questions in which database both lie."""
    setattr(row, f"{name}_id", None if other is None else other.pk)
    row._state.fields_cache[name] = other


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
    stored = answer(shape.statement, [shape.as_json(rows)])
    ids: dict[tuple[Any, ...], int] = {tuple(key): pk for pk, *key in stored}
    for row in rows:
        row.pk = ids[shape.key(row)]
        # As Django's own bulk_create does, else a later save() would insert the row again.
        row._state.adding = False


def select(model: type[M], *alternatives: Mapping[str, Any]) -> list[M]:
    """The rows to which all conditions of any set apply: name → value (None is null), or `name__in` → values."""
    if connection.vendor != "postgresql":
        return list(model._default_manager.filter(reduce(or_, (models.Q(**all_of) for all_of in alternatives))))
    shape = shape_of(model)
    return [shape.made(model, row) for row in answer(*_worded(shape, alternatives))]


def columns(model: type[models.Model], names: tuple[str, ...], all_of: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """These fields alone, of the rows to which all conditions apply: a company may have hundreds of queues."""
    if connection.vendor != "postgresql":
        return list(model._default_manager.filter(**all_of).values_list(*names))
    return answer(*_worded(shape_of(model), (all_of,), names))


def _worded(
    shape: TableShape, alternatives: Sequence[Mapping[str, Any]], names: tuple[str, ...] = ()
) -> tuple[str, list[Any]]:
    """The statement and its values."""
    conditions = tuple(tuple((name, value is None) for name, value in all_of.items()) for all_of in alternatives)
    values = [
        list(value) if name.endswith("__in") else value
        for all_of in alternatives
        for name, value in all_of.items()
        if value is not None
    ]
    return selection_of(shape, conditions, names), values


def lock(model: type[M], ids: Iterable[int]) -> list[M]:
    """The rows with these ids, ours alone until the transaction ends; always taken in one order.

    Rows that refer to them can be written meanwhile. On SQLite there is one writer anyway.
    """
    wanted = sorted(set(ids))
    if connection.vendor != "postgresql":
        return list(model._default_manager.filter(pk__in=wanted).order_by("pk"))
    shape = shape_of(model)
    statement = f"{selection_of(shape, ((('id__in', False),),))} ORDER BY id FOR NO KEY UPDATE"
    return [shape.made(model, row) for row in answer(statement, [wanted])]
