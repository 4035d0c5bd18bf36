"""An installation of the release before keeps its data: rows in every table, then `migrate`, then all of them again."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import dj_database_url
import pytest
from django.apps import apps
from django.db import connections, models
from django.db.migrations.executor import MigrationExecutor

from accounts.encryption import SealedField
from tests.harness.database import own_database
from wallboard.queues.json_field import WholeJson

BEFORE = [
    ("accounts", "0005_known_addresses"),
    ("alerts", "0001_initial"),
    ("boards", "0005_board_time_zone"),
    ("calls", "0003_forgetting"),
    ("desk", "0003_contact_words"),
    ("queues", "0003_group"),
    ("sessions", "0001_initial"),
]
OURS = {"accounts", "alerts", "boards", "calls", "desk", "queues"}
ALIAS = "upgrade"
WHEN = datetime(2026, 5, 4, 10, 40, tzinfo=UTC)


@pytest.fixture
def before(tmp_path: Path, django_db_blocker: Any) -> Iterator[MigrationExecutor]:
    """An empty database with the tables of the release before."""
    with own_database() as url, django_db_blocker.unblock():
        place = dj_database_url.parse(url) if url else {"NAME": tmp_path / "before.sqlite3"}
        options = {
            name: value for name, value in connections["default"].settings_dict["OPTIONS"].items() if name != "pool"
        }
        connections.databases[ALIAS] = {**connections["default"].settings_dict, **place, "OPTIONS": options}
        try:
            executor = MigrationExecutor(connections[ALIAS])
            executor.migrate(BEFORE)
            yield executor
        finally:
            connections[ALIAS].close()
            del connections[ALIAS], connections.databases[ALIAS]


def filled(field: Any, old: Any) -> Any:
    """A value that a field of that kind can hold."""
    if field.is_relation:
        return row_of(old.get_model(field.related_model._meta.label), old)
    if field.choices:
        return field.choices[-1][0]
    by_kind: dict[type[models.Field[Any, Any]], Any] = {
        models.BooleanField: True,
        models.DateTimeField: WHEN,
        models.DateField: date(2026, 5, 4),
        models.IntegerField: 7,
        models.FloatField: 7.5,
        models.BinaryField: b"seven",
        models.UUIDField: UUID(int=7),
        models.JSONField: {"seven": [7]},
        WholeJson: {"seven": [7]},
        SealedField: "seven",
        models.TextField: "seven",
        models.CharField: "seven"[: field.max_length],
    }
    found = [value for kind, value in by_kind.items() if isinstance(field, kind)]
    assert found, f"no value for {field!r}"
    return found[0]


def row_of(model: Any, old: Any) -> Any:
    """The one row of this table, made where there is none yet, and before it those that it points at."""
    stored = model._default_manager.using(ALIAS)
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    return stored.first() or stored.create(**{field.name: filled(field, old) for field in fields})


def fill(old: Any) -> list[str]:
    """One row in every table of ours, which are told."""
    ours = [model for model in old.get_models(include_auto_created=True) if model._meta.app_label in OURS]
    for model in ours:
        row_of(model, old)
    return [model._meta.db_table for model in ours]


def rows(table: str) -> list[dict[str, Any]]:
    """What stands in a table, by column."""
    with connections[ALIAS].cursor() as cursor:
        cursor.execute(f'SELECT * FROM "{table}"')
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def migrate_all() -> None:
    executor = MigrationExecutor(connections[ALIAS])
    executor.migrate(executor.loader.graph.leaf_nodes())


@pytest.mark.timeout(300)
def test_every_row_of_the_release_before_is_found_again(before: MigrationExecutor) -> None:
    tables = fill(before.loader.project_state(BEFORE).apps)
    stored = {table: rows(table) for table in tables}

    migrate_all()

    now = {table: rows(table) for table in tables}
    kept = {table: [{name: row[name] for name in stored[table][0]} for row in now[table]] for table in tables}
    assert kept == stored
    models_now = {model._meta.db_table: model for model in apps.get_models(include_auto_created=True)}
    for table in tables:
        assert models_now[table]._default_manager.using(ALIAS).get().pk == stored[table][0]["id"]


def test_permissions_and_the_admins_log_go_with_a_model_that_moves(before: MigrationExecutor) -> None:
    old = before.loader.project_state([*BEFORE, ("auth", "0012_alter_user_first_name_max_length")]).apps
    types = old.get_model("contenttypes", "ContentType").objects.using(ALIAS)
    stored = types.create(app_label="boards", model="screen"), types.create(app_label="desk", model="contact")

    migrate_all()

    now = [types.get(pk=each.pk).app_label for each in stored]
    assert now == ["screens", "contacts"]
