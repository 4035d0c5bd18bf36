"""An installation of the release before keeps its data: rows in every table, then `migrate`, then all of them again."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import dj_database_url
import pytest
from django.apps import apps
from django.contrib.contenttypes.models import ContentType
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
MOVED = [("boards", "screen", "screens"), ("desk", "contact", "contacts")]
ALIAS = "upgrade"
pytestmark = pytest.mark.timeout(300)  # every migration there is
WHEN = datetime(2026, 5, 4, 10, 40, tzinfo=UTC)


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any) -> Iterator["Upgraded"]:
    """A database of the release before with a row in each table, migrated; how it was, for each test to look back."""
    with own_database() as url, django_db_blocker.unblock():
        place = dj_database_url.parse(url) if url else {"NAME": tmp_path_factory.mktemp("upgrade") / "before.sqlite3"}
        options = {
            name: value for name, value in connections["default"].settings_dict["OPTIONS"].items() if name != "pool"
        }
        connections.databases[ALIAS] = {**connections["default"].settings_dict, **place, "OPTIONS": options}
        try:
            executor = MigrationExecutor(connections[ALIAS])
            executor.migrate(BEFORE)
            yield upgrade(executor)
        finally:
            connections[ALIAS].close()
            del connections[ALIAS], connections.databases[ALIAS]


@dataclass(frozen=True)
class Upgraded:
    """What there was: the rows of each table, and the content types of models that move, in the order of MOVED."""

    rows: dict[str, list[dict[str, Any]]]
    types: list[int]


def upgrade(executor: MigrationExecutor) -> Upgraded:
    """Fill the database, and migrate all of it."""
    old = executor.loader.project_state([*BEFORE, ("auth", "0012_alter_user_first_name_max_length")]).apps
    types = old.get_model("contenttypes", "ContentType").objects.using(ALIAS)
    moved = [types.create(app_label=label, model=model).pk for label, model, _ in MOVED]
    stored = {table: rows(table) for table in fill(executor.loader.project_state(BEFORE).apps)}
    now = MigrationExecutor(connections[ALIAS])
    now.migrate(now.loader.graph.leaf_nodes())
    return Upgraded(stored, moved)


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


def test_every_row_of_the_release_before_is_found_again(upgraded: Upgraded) -> None:
    stored = upgraded.rows

    now = {table: rows(table) for table in stored}

    kept = {table: [{name: row[name] for name in stored[table][0]} for row in now[table]] for table in stored}
    assert kept == stored
    models_now = {model._meta.db_table: model for model in apps.get_models(include_auto_created=True)}
    for table in stored:
        assert models_now[table]._default_manager.using(ALIAS).get().pk == stored[table][0]["id"]


def test_permissions_and_the_admins_log_go_with_a_model_that_moves(upgraded: Upgraded) -> None:
    now = ContentType.objects.using(ALIAS).in_bulk(upgraded.types)

    assert [now[key].app_label for key in upgraded.types] == [label for _, _, label in MOVED]
