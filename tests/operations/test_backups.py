"""A backup is written whole or not at all, and checked before anything is restored from it."""

import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from tests.harness.commands import Commands
from tests.harness.database import own_database
from tests.harness.setting_up import migrate
from tests.harness.site import bare_environment

COMPANY = (
    "from accounts.models import Domain; from accounts.encryption import sealed;"
    "Domain.objects.create(slug='acme', name='Acme', base_url='https://p.example', client_secret=sealed('s'))"
)
NAME = "from accounts.models import Domain; print(*Domain.objects.values_list('name', flat=True))"


class Installation:
    """A database with a company, and nothing that runs."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self.env = bare_environment(
            SECRET_KEY=os.environ["SECRET_KEY"],
            TOKEN_KEYS=os.environ["TOKEN_KEYS"],
            PUBLIC_URL="http://127.0.0.1:8000",
            REDIS_URL="redis://127.0.0.1:1/0",
            DATABASE_URL=database_url or f"sqlite:///{folder / 'site.sqlite3'}",
            STATIC_ROOT=str(folder / "static"),
        )
        migrate(self.env)
        self.commands = Commands(self.env)

    def manage(self, *arguments: str) -> tuple[int, str]:
        """Exit status and all that was said."""
        return told(self.commands, *arguments)


def told(commands: Commands, *arguments: str) -> tuple[int, str]:
    done = commands.run(*arguments)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    with own_database() as url:
        running = Installation(tmp_path_factory.mktemp("site"), url)
        assert running.manage("shell", "-c", COMPANY)[0] == 0
        yield running
        running.commands.stop()


@pytest.fixture(scope="module")
def original(installation: Installation, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A good backup; tests spoil copies of it."""
    folder = tmp_path_factory.mktemp("backups")
    assert installation.manage("backup", str(folder))[0] == 0
    (made,) = folder.iterdir()
    return made


@pytest.fixture
def backup(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(original, tmp_path / original.name))


def describe(backup: Path, **changes: object) -> None:
    """Change what the backup says of itself."""
    file = backup / "backup.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **changes}))


def test_it_replaces_only_where_that_is_said_and_brings_everything_back(
    installation: Installation, backup: Path
) -> None:
    installation.manage("shell", "-c", "from accounts.models import Domain; Domain.objects.update(name='Other')")
    status, said = installation.manage("restore", str(backup))
    assert (status, "--replace" in said) == (1, True)
    assert installation.manage("shell", "-c", NAME)[1].split()[-1] == "Other"

    status, said = installation.manage("restore", str(backup), "--replace")

    assert (status, "Every secret opens" in said) == (0, True), said
    assert installation.manage("shell", "-c", NAME)[1].split()[-1] == "Acme"


def test_only_its_owner_reads_it_and_it_holds_no_key(installation: Installation, original: Path) -> None:
    assert original.stat().st_mode & 0o077 == 0
    said = (original / "backup.json").read_text()
    assert not any(key in said for key in installation.env["TOKEN_KEYS"].split(","))


def test_damage_is_found_before_anything_is_touched(installation: Installation, backup: Path) -> None:
    (file,) = (each for each in backup.iterdir() if each.name.startswith("database."))
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)

    status, said = installation.manage("restore", str(backup), "--replace")

    assert (status, "it is damaged" in said) == (1, True), said
    assert "Acme" in installation.manage("shell", "-c", NAME)[1]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"migrations": [["queues", "9999_of_the_future"]]}, "of a newer release, which has queues.9999_of_the_future"),
        ({"vendor": "oracle"}, "The backup is of oracle"),
        ({"format": 2}, "format 2"),
        ({"file": "../../elsewhere"}, "The backup is of"),
        ({"tables": "many"}, "cannot be read"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_reason(
    installation: Installation, backup: Path, changes: dict[str, object], says: str
) -> None:
    describe(backup, **changes)

    status, said = installation.manage("restore", str(backup), "--replace")

    assert (status, says in said, "Traceback" in said) == (1, True, False), said


@pytest.fixture
def small_site(tmp_path: Path) -> Iterator[Installation]:
    """In a file of SQLite, whatever other tests have."""
    running = Installation(tmp_path, f"sqlite:///{tmp_path / 'site.sqlite3'}")
    yield running
    running.commands.stop()


@pytest.mark.parametrize(("seek", "count"), [(0, 100), (100, 3996)], ids=["header", "list of tables"])
def test_a_damaged_file_of_sqlite_is_replaced_unless_others_have_it_open(
    small_site: Installation, tmp_path: Path, seek: int, count: int
) -> None:
    file, backups = tmp_path / "site.sqlite3", str(tmp_path / "backups")
    assert small_site.manage("shell", "-c", COMPANY)[0] == 0
    assert small_site.manage("backup", backups)[0] == 0
    with closing(sqlite3.connect(file)) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("UPDATE accounts_domain SET name = 'Later'")
        other.commit()
        # By another process: this one would lose its locks of a file that it opens and closes.
        spoil = ["dd", "if=/dev/zero", f"of={file}", "bs=1", f"seek={seek}", f"count={count}", "conv=notrunc"]
        subprocess.run(spoil, check=True, capture_output=True)
        status, said = small_site.manage("restore", backups, "--replace")
        assert (status, "have the database open" in said) == (1, True), said

    status, said = small_site.manage("restore", backups)
    assert (status, "--replace" in said) == (1, True), said
    status, said = small_site.manage("restore", backups, "--replace")

    assert (status, "Every secret opens" in said) == (0, True), said
    assert small_site.manage("shell", "-c", NAME)[1].split()[-1] == "Acme"


def test_a_file_of_sqlite_stays_whose_it_was(small_site: Installation, tmp_path: Path) -> None:
    file, backups = tmp_path / "site.sqlite3", str(tmp_path / "backups")
    owner = 65534 if os.geteuid() == 0 else os.geteuid()  # only root gives files away
    assert small_site.manage("backup", backups)[0] == 0
    os.chown(file, owner, -1)
    file.chmod(0o640)

    status, said = small_site.manage("restore", backups, "--replace")

    found = file.stat()
    assert (status, found.st_uid, found.st_mode & 0o777) == (0, owner, 0o640), said


def test_without_its_keys_it_is_refused(installation: Installation, backup: Path) -> None:
    commands = Commands(installation.env | {"TOKEN_KEYS": Fernet.generate_key().decode()})

    status, said = told(commands, "restore", str(backup), "--drill")
    commands.stop()

    assert (status, "TOKEN_KEYS lacks 1 of the keys" in said) == (1, True), said


def test_rows_that_are_missing_afterwards_are_told(installation: Installation, backup: Path) -> None:
    tables = json.loads((backup / "backup.json").read_text())["tables"]
    describe(backup, tables={**tables, "accounts_domain": 2})

    status, said = installation.manage("restore", str(backup), "--drill")

    assert (status, "accounts_domain has 1 rows of 2" in said) == (1, True), said


def test_the_newest_is_taken_and_old_ones_are_deleted(installation: Installation, tmp_path: Path) -> None:
    (tmp_path / "wallboard-broken-off").mkdir()  # no backup, so nothing to delete
    for _ in range(3):
        status, said = installation.manage("backup", str(tmp_path), "--keep", "2")
        assert status == 0, said
    kept = sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("wallboard-2"))

    assert (len(kept), said.count("Deleted")) == (2, 1)
    assert (tmp_path / "wallboard-broken-off").exists()
    assert installation.manage("restore", str(tmp_path), "--drill")[0] == 0


def test_a_folder_that_cannot_be_written_is_named(installation: Installation, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    status, said = installation.manage("backup", str(tmp_path / "file"))

    assert (status, "No backup was made" in said, "Traceback" in said) == (1, True, False), said
    assert "Name a folder" in installation.manage("backup")[1]
