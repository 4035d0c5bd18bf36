"""What the demo keeps, and when it starts anew."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from wallboard.demo import folder as demo_folder
from wallboard.demo.folder import DemoFolder


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[DemoFolder]:
    made = DemoFolder(tmp_path / "demo")
    yield made
    made.release()


def test_only_one_runs_at_a_time(folder: DemoFolder) -> None:
    assert folder.take()

    other = DemoFolder(folder.path)
    assert not other.take()
    folder.release()
    assert other.take()
    other.release()


def test_keys_are_made_once_and_kept_from_others(folder: DemoFolder) -> None:
    kept = folder.secrets()

    assert DemoFolder(folder.path).secrets() == kept
    assert (folder.path / "secrets.json").stat().st_mode & 0o077 == 0
    assert folder.path.stat().st_mode & 0o077 == 0


def test_the_database_is_kept_while_its_migrations_stand(folder: DemoFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo_folder, "migrations", lambda: {"a/0001": "one"})
    assert not folder.drop_foreign_database()
    folder.database.touch()
    monkeypatch.setattr(demo_folder, "migrations", lambda: {"a/0001": "one", "a/0002": "two"})

    assert not folder.drop_foreign_database()

    assert folder.database.exists()


@pytest.mark.parametrize("now", [{"a/0001": "changed"}, {"b/0001": "one"}])
def test_a_database_that_another_version_made_is_dropped(
    folder: DemoFolder, monkeypatch: pytest.MonkeyPatch, now: dict[str, str]
) -> None:
    monkeypatch.setattr(demo_folder, "migrations", lambda: {"a/0001": "one"})
    folder.drop_foreign_database()
    folder.database.touch()
    monkeypatch.setattr(demo_folder, "migrations", lambda: now)

    assert folder.drop_foreign_database()

    assert not folder.database.exists()


def test_a_database_of_unknown_origin_is_dropped(folder: DemoFolder) -> None:
    folder.database.touch()

    assert folder.drop_foreign_database()


def test_migrations_of_every_room_are_known() -> None:
    rooms = {Path(name).parts[-3] for name in demo_folder.migrations()}

    written = {"accounts", "queues", "calls", "contacts", "desk", "alerts", "calibration", "boards", "screens"}
    assert rooms == written | {"notifications", "reports", "forecast", "privacy", "setup", "api", "outgoing", "replay"}
