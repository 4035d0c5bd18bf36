"""New migrations run beside the release that is out there: every kind of statement that does not, and those that do."""

from typing import Any

import pytest
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import models
from django.db.migrations import Migration, operations
from django.db.migrations.loader import MigrationLoader
from django.db.models.functions import Now

from tests.harness import migrations, released
from wallboard.demo.processes import BASE_DIR

NUMBER = models.IntegerField()
BAD: dict[str, tuple[str, Any, str]] = {
    "no default": (
        "calls",
        operations.AddField("leg", "new", models.IntegerField(default=0)),
        "inserts of the release",
    ),
    "calculated": ("calls", operations.AddField("leg", "new", models.DateTimeField(db_default=Now())), "calculated"),
    "an index with it": (
        "calls",
        operations.AddField("leg", "new", models.IntegerField(null=True, db_index=True)),
        "locks",
    ),
    "a column goes": ("calls", operations.RemoveField("leg", "from_number"), "still uses it"),
    "a column moves": ("calls", operations.RenameField("leg", "from_number", "caller"), "still uses it"),
    "a table goes": ("setup", operations.DeleteModel("Brand"), "still uses it"),
    "a table moves": ("setup", operations.RenameModel("Brand", "Look"), "still uses it"),
    "a table's name": ("setup", operations.AlterModelTable("Brand", "looks"), "still uses it"),
    "type": ("calls", operations.AlterField("leg", "from_number", models.TextField(null=True)), ""),
    "another type": ("calls", operations.AlterField("leg", "from_number", models.IntegerField()), "type of calls.leg"),
    "shorter": (
        "calls",
        operations.AlterField("leg", "from_number", models.CharField(max_length=2)),
        "type of calls.leg",
    ),
    "no nulls": ("calls", operations.AlterField("leg", "ringing_at", models.DateTimeField()), "forbids nulls"),
    "unique": ("calls", operations.AlterField("leg", "from_number", models.TextField(unique=True)), "adds an index"),
    "no default any more": (
        "accounts",
        operations.AlterField("domain", "clock", models.CharField(max_length=2)),
        "takes the default",
    ),
    "index": ("calls", operations.AddIndex("leg", models.Index(fields=["to_user"], name="x")), "AddIndexConcurrently"),
    "constraint": (
        "setup",
        operations.AddConstraint("brand", models.UniqueConstraint(fields=["colour"], name="x")),
        "every row at once",
    ),
    "check": (
        "setup",
        operations.AddConstraint("brand", models.CheckConstraint(condition=models.Q(colour=""), name="x")),
        "every row at once",
    ),
    "unique together": ("setup", operations.AlterUniqueTogether("brand", {("colour", "direction")}), "every row"),
    "rows": ("setup", operations.RunPython(operations.RunPython.noop), "in one transaction"),
    "raw": ("setup", operations.RunSQL("SELECT 1"), "nobody has said"),
}
GOOD: dict[str, tuple[str, Any]] = {
    "nullable": ("calls", operations.AddField("leg", "new", models.IntegerField(null=True))),
    "default": ("calls", operations.AddField("leg", "new", models.IntegerField(default=0, db_default=0))),
    "wider": ("calls", operations.AlterField("leg", "from_number", models.CharField(max_length=2000))),
    "help": (
        "setup",
        operations.AlterField("brand", "colour", models.CharField(max_length=7, blank=True, help_text="x")),
    ),
    "concurrently": ("calls", AddIndexConcurrently("leg", models.Index(fields=["to_user"], name="x"))),
    "small": ("setup", operations.AddIndex("brand", models.Index(fields=["colour"], name="x"))),
    "less": ("accounts", operations.RemoveConstraint("person", "one_person_per_extension")),
    "state alone": ("setup", operations.SeparateDatabaseAndState(state_operations=[operations.DeleteModel("Brand")])),
}


def found(app: str, *done: Any, is_atomic: bool = True) -> list[str]:
    """What is wrong with a migration that does this to the tables of the release that runs."""
    state = MigrationLoader(None).project_state(list(released.MIGRATIONS.items()))
    kind = type("Next", (Migration,), {"operations": list(done), "atomic": is_atomic})
    return list(migrations.findings(kind("9999_next", app), state, set()))


@pytest.mark.parametrize("what", BAD)
def test_what_the_running_release_cannot_bear_is_found(what: str) -> None:
    app, operation, words = BAD[what]

    told = found(app, operation)

    if words:
        assert words in " ".join(told)
        assert len(told) == 1
    database = operations.SeparateDatabaseAndState(database_operations=[operation], state_operations=[operation])
    assert found(app, database) == told


@pytest.mark.parametrize("what", GOOD)
def test_what_it_can_bear_is_fine(what: str) -> None:
    app, operation = GOOD[what]

    assert found(app, operation) == []


def test_tables_that_no_release_knows_may_be_changed() -> None:
    key = ("id", models.BigAutoField(primary_key=True))
    made = operations.CreateModel("New", [key, ("number", models.IntegerField())])

    assert (
        found("calls", made, operations.AddField("new", "other", NUMBER), operations.RemoveField("new", "number")) == []
    )


def test_rows_may_be_changed_piece_by_piece() -> None:
    assert found("calls", operations.RunPython(operations.RunPython.noop), is_atomic=False) == []


def test_the_new_migrations_of_this_release_are_fine(capsys: pytest.CaptureFixture[str]) -> None:
    assert migrations.main() == 0, capsys.readouterr().out


def test_an_exception_is_named_and_goes_when_it_is_needed_no_more(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(released.MIGRATIONS, "calls", "0001_initial")
    assert migrations.main([]) == 1
    lines = capsys.readouterr().out.splitlines()
    (first, *_) = lines
    migration, _, words = first.partition(" ")
    app, name = migration.split(".")

    migrations.main([(app, name, words)])

    assert first not in capsys.readouterr().out.splitlines()
    assert migrations.main([("calls", "0001_initial", "x")]) == 1
    assert "nothing to except there any more" in capsys.readouterr().out


def test_every_app_of_ours_is_released() -> None:
    ours = {path.parent.parent.name for path in BASE_DIR.glob("wallboard/*/migrations/0001_*.py")} | {"accounts"}

    assert ours >= set(released.MIGRATIONS)
    assert "python -m tests.harness.migrations" in (BASE_DIR / "Makefile").read_text()
