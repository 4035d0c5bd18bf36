"""`make check`: whether new migrations can run while the release before goes on serving.

Its processes read and write the tables during the migration, after it, and once more where somebody goes back by one
release. So a new migration takes nothing away that the old program uses, asks nothing of rows that it writes, and holds
no lock on a table of calls or figures for long. Read from the operations, without a database; what changes the state
alone never matters.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import django
from django.db.migrations import Migration, operations
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models.expressions import Value

from tests.harness import released

# Named with the reason for which it does no harm all the same: (app, migration, words of the finding).
EXCEPTIONS: dict[tuple[str, str, str], str] = {}
# Rows by the million, or written with every event: no statement may lock these for as long as it takes to read them.
LARGE = {
    *("calls.leg", "calls.delivery", "calls.record", "queues.reading", "queues.sample", "accounts.auditentry"),
    *("notifications.delivery", "alerts.alert", "alerts.alertevent", "desk.note", "contacts.contactword"),
}
HARMLESS = (
    operations.CreateModel,
    operations.AlterModelOptions,
    operations.AlterModelManagers,
    operations.AlterModelTableComment,
    operations.AlterOrderWithRespectTo,
    operations.RemoveIndex,
    operations.RenameIndex,
    operations.RemoveConstraint,
)
GONE = (
    operations.DeleteModel,
    operations.RenameModel,
    operations.AlterModelTable,
    operations.RenameField,
    operations.RemoveField,
)
STRICTER = (operations.AddConstraint, operations.AlterUniqueTogether)
CONCURRENT = ("AddIndexConcurrently", "RemoveIndexConcurrently", "ValidateConstraint")
AnyField = Any  # fields of any kind, as migrations hold them


def findings(migration: Migration, before: ProjectState, created: set[str]) -> Iterator[str]:
    """What is wrong with a migration.

    `before` becomes the state after it; `created` are the tables that no release knows, which it is free to change.
    """
    for operation in migration.operations:
        yield from _of(operation, migration, before, created)
        if isinstance(operation, operations.CreateModel):
            created.add(f"{migration.app_label}.{operation.name_lower}")
        operation.state_forwards(migration.app_label, before)


def _of(operation: Operation, migration: Migration, before: ProjectState, created: set[str]) -> Iterator[str]:
    if isinstance(operation, operations.SeparateDatabaseAndState):
        for each in operation.database_operations:
            yield from _of(each, migration, before, created)
        return
    name = str(getattr(operation, "model_name", None) or getattr(operation, "name", None) or "").lower()
    table = f"{migration.app_label}.{name}"
    if table in created or isinstance(operation, HARMLESS) or type(operation).__name__ in CONCURRENT:
        return
    if isinstance(operation, operations.AddField):
        yield from _of_new_field(operation.field, table, operation.name)
    elif isinstance(operation, operations.AlterField):
        old = before.models[migration.app_label, name].fields[operation.name]
        yield from _of_changed_field(old, operation.field, table, operation.name)
    elif finding := _of_others(operation, table, migration.atomic):
        yield f"{type(operation).__name__} of {table}: {finding}"


def _of_others(operation: Operation, table: str, is_atomic: bool) -> str:
    """What is wrong with an operation that is about no single column; "" for nothing."""
    if isinstance(operation, operations.RunPython):
        return "changes rows in one transaction, and holds its locks until the last of them" if is_atomic else ""
    if isinstance(operation, GONE):
        return "the release that runs still uses it"
    if isinstance(operation, STRICTER):
        return "looks at every row at once, and refuses what the release that runs may write"
    if isinstance(operation, operations.AddIndex):
        return "locks writers out; AddIndexConcurrently does not" if table in LARGE else ""
    return "nobody has said whether that is safe"


def _of_new_field(field: AnyField, table: str, name: str) -> Iterator[str]:
    if field.many_to_many:
        return
    if not field.null and not field.has_db_default():
        yield f"adds {table}.{name} without a default of the database: inserts of the release that runs fail"
    if field.has_db_default() and not isinstance(field._db_default_expression, Value):
        yield f"adds {table}.{name} with a calculated default: writes the whole table anew"
    if table in LARGE and (field.db_index or field.unique):
        yield f"adds {table}.{name} with an index: locks writers out; add it afterwards, with AddIndexConcurrently"


def _of_changed_field(old: AnyField, new: AnyField, table: str, name: str) -> Iterator[str]:
    if not _is_wider(old, new):
        yield f"changes the type of {table}.{name}: writes the whole table anew"
    if old.null and not new.null:
        yield f"forbids nulls in {table}.{name}: the release that runs may write them, and every row is looked at"
    if old.has_db_default() and not new.has_db_default() and not new.null:
        yield f"takes the default of {table}.{name} away: inserts of the release that runs may fail"
    if (new.unique and not old.unique) or (table in LARGE and new.db_index and not old.db_index):
        yield f"adds an index on {table}.{name}: locks writers out"


def _is_wider(old: AnyField, new: AnyField) -> bool:
    """Whether the column stays as it is, or becomes a longer text: that changes no row."""
    before, after = _type(old), _type(new)
    if before == after:
        return True
    if not (before.startswith("varchar") and after.startswith(("varchar", "text"))):
        return False
    return after == "text" or (new.max_length or sys.maxsize) >= (old.max_length or sys.maxsize)


def _type(field: AnyField) -> str:
    from django.db.backends.postgresql.base import DatabaseWrapper  # below: it needs the settings

    kind = field.__class__
    if field.remote_field is not None:
        return f"relation to {str(field.remote_field.model).lower()}"
    return str(kind.db_type(field, DatabaseWrapper({"NAME": "", "OPTIONS": {}})))  # it connects nowhere


def new_migrations(loader: MigrationLoader) -> Iterator[tuple[Migration, ProjectState]]:
    """Each migration of ours that no release knows, in the order in which they run, with the state before it."""
    last = [(app, name) for app, name in released.MIGRATIONS.items() if (app, name) in loader.graph.nodes]
    known = {each for node in last for each in loader.graph.forwards_plan(node)}
    plan: list[tuple[str, str]] = []
    for leaf in loader.graph.leaf_nodes():
        plan += [each for each in loader.graph.forwards_plan(leaf) if each not in plan]
    ours = [each for each in plan if loader.graph.nodes[each].__module__.split(".")[0] in ("accounts", "wallboard")]
    state = loader.project_state([each for each in plan if each not in ours or each in known])
    for each in ours:
        if each not in known:
            yield loader.graph.nodes[each], state


def main(excepted: Iterable[tuple[str, str, str]] = EXCEPTIONS) -> int:
    """Print what is wrong; 1 where anything is."""
    loader = MigrationLoader(None)
    created: set[str] = set()
    wrong, unused, count = [], set(excepted), 0
    for migration, state in new_migrations(loader):
        count += 1
        for finding in findings(migration, state, created):
            known = {
                each for each in excepted if each[:2] == (migration.app_label, migration.name) and each[2] in finding
            }
            unused -= known
            if not known:
                wrong.append(f"{migration.app_label}.{migration.name} {finding}")
    wrong += [f"{app}.{name}: nothing to except there any more ({words})" for app, name, words in sorted(unused)]
    print("\n".join([*wrong, f"New migrations beside the release that runs: {len(wrong)} findings in {count}."]))
    return int(bool(wrong))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wallboard.settings")
    django.setup()
    sys.exit(main())
