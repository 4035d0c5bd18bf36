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
from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.models.base import ModelState

from accounts.statements.pipeline import Question
from accounts.statements.planned import answer, answers

M = TypeVar("M", bound=models.Model)
R = TypeVar("R", bound=models.Model)
Conditions = tuple[tuple[str, bool], ...]  # (name, whether the value is None)
Unique = tuple[str, ...]  # the fields by which a row is known again


class TableShape:
    """The fields of a model, and the statement that takes rows of it; by the `unique` ones a row is known again.

    Rows that are `numbered` have their ids already.
    """

    def __init__(self, model: type[models.Model], unique: Unique = (), *, is_numbered: bool = False) -> None:
        self._quote = connection.ops.quote_name
        self.table = self._quote(model._meta.db_table)
        self._columns = {field.attname: str(field.column) for field in model._meta.concrete_fields}
        self.names = list(self._columns)
        fields = model._meta.concrete_fields
        # PostgreSQL itself hands JSON over as what it means.
        self.converters = {
            field.attname: field.from_db_value
            for field in fields
            if hasattr(field, "from_db_value") and not isinstance(field, models.JSONField)
        }
        # The first column is the id.
        self._written = self.names if is_numbered else self.names[1:]
        of_row, self._unique = attrgetter(*self._written), unique
        # Of a single column attrgetter gives the bare value.
        self._values = of_row if len(self._written) > 1 else lambda row: (of_row(row),)
        self.statement = self._insertion(self._written, unique)
        # Its name is looked for once, not for each id.
        sequence = f"(SELECT pg_get_serial_sequence('{self.table}', 'id')::regclass AS name OFFSET 0) AS sequence"
        numbers = f"{sequence}, generate_series(1, %s::int)"
        self.numbering = f"SELECT nextval(sequence.name) FROM {numbers}"  # noqa: S608  (names of ours)

    def key(self, row: models.Model) -> tuple[Any, ...]:
        """By which a row is known again."""
        return tuple(getattr(row, name) for name in self._unique)

    def _list(self, names: Sequence[str]) -> str:
        return ", ".join(self._quote(self._columns[name]) for name in names)

    def qualified(self, names: Sequence[str]) -> str:
        """These fields as a list of columns, each with its table."""
        return ", ".join(f"{self.table}.{self._list([name])}" for name in names)

    def _insertion(self, names: Sequence[str], unique: Unique) -> str:
        columns = self._list(names)
        rows = f"SELECT {columns} FROM json_populate_recordset(NULL::{self.table}, %s)"  # noqa: S608  (names of ours)
        statement = f"INSERT INTO {self.table} ({columns}) {rows}"
        if not unique:
            return statement
        fresh = [self._list([name]) for name in self.names[1:] if name not in unique]
        changes = ", ".join(f"{column} = EXCLUDED.{column}" for column in fresh)
        return (
            f"{statement} ON CONFLICT ({self._list(unique)}) DO UPDATE SET {changes} RETURNING id, {self._list(unique)}"
        )

    def selection(
        self, alternatives: tuple[Conditions, ...], names: tuple[str, ...] = (), beside: tuple[str, str] = ("", "")
    ) -> str:
        """The statement that reads rows under any of these conditions: these fields of them, or all.

        `beside` are columns of another table, and how it is joined.
        """

        def condition(name: str, is_null: bool) -> str:
            column = self.qualified([name.removesuffix("__in")])
            return (
                f"{column} IS NULL" if is_null else f"{column} = ANY(%s)" if name.endswith("__in") else f"{column} = %s"
            )

        wanted = " OR ".join(f"({' AND '.join(condition(*each) for each in all_of)})" for all_of in alternatives)
        # Placeholders only for values; tables and columns come from the models.
        columns = self.qualified(names or self.names)
        others, join = beside
        return f"SELECT {columns}{others} FROM {self.table}{join} WHERE {wanted}"  # noqa: S608  (names of ours)

    def as_json(self, rows: Sequence[models.Model]) -> str:
        """All rows as one text."""
        columns, values = [self._columns[name] for name in self._written], self._values
        return msgspec.json.encode([dict(zip(columns, values(row), strict=True)) for row in rows]).decode()

    def as_text(self, rows: Sequence[Mapping[str, Any]]) -> str:
        """The same of values by name."""
        columns = self._columns
        return msgspec.json.encode([{columns[name]: value for name, value in row.items()} for row in rows]).decode()

    def made(self, model: type[M], rows: Iterable[Sequence[Any]]) -> list[M]:
        """Rows as objects, as Django's from_db makes them; past its __init__, which costs as much as all the rest."""
        # Once: to ask which connection this thread has costs as much as a row.
        own = connections[DEFAULT_DB_ALIAS]
        names, converters, made = self.names, self.converters.items(), []
        for values in rows:
            row = model.__new__(model)
            state = row._state = ModelState()
            state.adding, state.db = False, DEFAULT_DB_ALIAS
            fields = row.__dict__
            fields.update(zip(names, values, strict=True))
            for name, convert in converters:
                fields[name] = convert(fields[name], None, own)
            made.append(row)
        return made


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
        answer(*worded_insertion(model, rows))


def worded_insertion(model: type[models.Model], rows: Sequence[Mapping[str, Any]]) -> Question:
    """The same as a statement and its value."""
    shape = shape_of(model)
    return shape.statement, [shape.as_text(rows)]


def relate(row: models.Model, name: str, other: models.Model | None) -> None:
    """As setting that attribute does, past Django's questions in which database both lie."""
    setattr(row, f"{name}_id", None if other is None else other.pk)
    row._state.fields_cache[name] = other


def upsert(rows: Sequence[models.Model], unique: Unique) -> None:
    """Add these rows, all of one model, or make those with the same unique fields equal to them; all get their ids."""
    upsert_all((rows, unique))


def upsert_all(*tables: tuple[Sequence[models.Model], Unique]) -> None:
    """The same for rows of several models in one round trip; the later ones may refer to the earlier by id."""
    given = [each for each in tables if each[0]]
    if connection.vendor != "postgresql":
        for rows, unique in given:
            others = [name for name in shape_of(type(rows[0])).names[1:] if name not in unique]
            manager = type(rows[0])._default_manager
            manager.bulk_create(rows, update_conflicts=True, unique_fields=unique, update_fields=others)
        return
    shapes = [
        shape_of(type(rows[0]), unique, is_numbered=all(row.pk is not None for row in rows)) for rows, unique in given
    ]
    wanted = [(shape.statement, [shape.as_json(rows)]) for shape, (rows, _) in zip(shapes, given, strict=True)]
    for shape, (rows, _), stored in zip(shapes, given, answers(wanted), strict=True):
        ids: dict[tuple[Any, ...], int] = {tuple(key): pk for pk, *key in stored}
        for row in rows:
            row.pk = ids[shape.key(row)]
            # As Django's own bulk_create does, else a later save() would insert the row again.
            row._state.adding = False


def number(rows: Sequence[models.Model], at_most: int) -> None:
    """Give those that are new the ids under which they will be stored, in this transaction, so that others can refer to
    them before. At most so many are new: as many ids are taken, which may have been asked for ahead.
    """
    new = [row for row in rows if row.pk is None]
    if not new:
        return
    model = type(new[0])
    if connection.vendor == "postgresql":
        ids = [pk for (pk,) in answer(*worded_ids(model, at_most))]
    else:
        with connection.cursor() as cursor:
            # Nobody else writes as long as this transaction lasts.
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [model._meta.db_table])
            [last] = cursor.fetchone() or [0]
        ids = list(range(last + 1, last + 1 + at_most))
    for row, pk in zip(new, ids[: len(new)], strict=True):
        row.pk = pk


def worded_ids(model: type[models.Model], count: int) -> Question:
    """So many new ids, as a statement and its value."""
    return shape_of(model).numbering, [count]


def select(model: type[M], *alternatives: Mapping[str, Any]) -> list[M]:
    """The rows to which all conditions of any set apply: name → value (None is null), or `name__in` → values."""
    if connection.vendor != "postgresql":
        return list(model._default_manager.filter(reduce(or_, (models.Q(**all_of) for all_of in alternatives))))
    return shape_of(model).made(model, answer(*worded(model, alternatives)))


def select_beside(model: type[M], other: type[R], link: str, all_of: Mapping[str, Any]) -> list[tuple[M, R | None]]:
    """The rows to which all conditions apply, each with the row of `other` whose `link` is its id, if there is one."""
    if connection.vendor != "postgresql":
        found, relation = select(model, all_of), link.removesuffix("_id")
        # By the same conditions: a list of their ids may be longer than SQLite takes.
        linked = other._default_manager.filter(**{f"{relation}__{name}": value for name, value in all_of.items()})
        by_link = {getattr(row, link): row for row in linked}
        return [(row, by_link.get(row.pk)) for row in found]
    shape, beside = shape_of(model), shape_of(other)
    rows = answer(*worded_beside(model, other, link, all_of))
    width = len(shape.names)
    others = iter(beside.made(other, (row[width:] for row in rows if row[width] is not None)))
    made = shape.made(model, (row[:width] for row in rows))
    return [(each, None if row[width] is None else next(others)) for each, row in zip(made, rows, strict=True)]


def worded_beside(model: type[M], other: type[R], link: str, all_of: Mapping[str, Any]) -> Question:
    """The same as a statement and its values."""
    return worded(model, (all_of,), (), _beside(model, other, link))


@cache
def _beside(model: type[models.Model], other: type[models.Model], link: str) -> tuple[str, str]:
    """The columns of the other table, and how it is joined."""
    shape, beside = shape_of(model), shape_of(other)
    join = f" LEFT JOIN {beside.table} ON {beside.qualified([link])} = {shape.qualified(['id'])}"
    return f", {beside.qualified(beside.names)}", join


def columns(model: type[models.Model], names: tuple[str, ...], all_of: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """These fields alone, of the rows to which all conditions apply: a company may have hundreds of queues."""
    if connection.vendor != "postgresql":
        return list(model._default_manager.filter(**all_of).values_list(*names))
    return answer(*worded(model, (all_of,), names))


def worded(
    model: type[models.Model],
    alternatives: Sequence[Mapping[str, Any]],
    names: tuple[str, ...] = (),
    beside: tuple[str, str] = ("", ""),
) -> Question:
    """What select() and columns() ask, as a statement and its values; the same for the same, in whatever order."""
    conditions = tuple(tuple((name, value is None) for name, value in all_of.items()) for all_of in alternatives)
    values = [
        sorted(value) if name.endswith("__in") else value
        for all_of in alternatives
        for name, value in all_of.items()
        if value is not None
    ]
    return selection_of(shape_of(model), conditions, names, beside), values


def lock(model: type[M], ids: Iterable[int]) -> list[M]:
    """The rows with these ids, ours alone until the transaction ends; always taken in one order.

    Rows that refer to them can be written meanwhile. On SQLite there is one writer anyway.
    """
    if connection.vendor != "postgresql":
        return list(model._default_manager.filter(pk__in=ids).order_by("pk"))
    return shape_of(model).made(model, answer(*worded_lock(model, ids)))


def worded_lock(model: type[models.Model], ids: Iterable[int]) -> Question:
    """The same as a statement and its values."""
    statement, values = worded(model, ({"id__in": set(ids)},))
    return f"{statement} ORDER BY id FOR NO KEY UPDATE", values
