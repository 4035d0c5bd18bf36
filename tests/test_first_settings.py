"""`manage.py setup` on a machine of which nothing is known: what it makes up, writes down, and never overwrites."""

import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from dotenv import dotenv_values

from tests.harness.environment import SETTINGS
from tests.harness.setting_up import migrate
from tests.harness.site import bare_environment
from wallboard import first_settings
from wallboard.__main__ import lend_settings
from wallboard.demo.processes import BASE_DIR

LENT = {name: SETTINGS[name] for name in first_settings.NAMES}


def run(folder: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """What `manage.py setup` does but for collecting files, with settings and a database in this folder.

    tests/flows/test_first_run_browser.py runs the command itself.
    """
    return manage(folder, "setup", "--no-static", *arguments, **env)


def manage(folder: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """A command with settings and a database in this folder."""
    settings = {
        "WALLBOARD_ENV_FILE": str(folder / "env"),
        "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
        "STATIC_ROOT": str(folder / "static"),
        **env,
    }
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command, env=bare_environment(**settings), cwd=BASE_DIR, capture_output=True, text=True, timeout=180
    )


def test_a_machine_without_settings_gets_them_and_an_address_to_begin_at(tmp_path: Path) -> None:
    migrate(bare_environment(**LENT, DATABASE_URL=f"sqlite:///{tmp_path / 'db.sqlite3'}"))  # a copy of it
    first = run(tmp_path, PORT="8123")
    refused = run(tmp_path, WALLBOARD_ENV_FILE=str(tmp_path / "another"))

    assert first.returncode == 0, first.stderr
    known = dotenv_values(tmp_path / "env")
    assert set(known) == set(first_settings.NAMES)
    assert known["REDIS_URL"] == "redis://127.0.0.1:6379/0"
    with sqlite3.connect(tmp_path / "db.sqlite3") as database:  # where a page can change it
        assert list(database.execute("SELECT public_url FROM accounts_installation")) == [("http://localhost:8123",)]
    assert (tmp_path / "env").stat().st_mode & 0o077 == 0
    (key,) = re.findall(r"http://localhost:8123/setup/first/([\w-]{40,})/", first.stdout)
    with sqlite3.connect(tmp_path / "db.sqlite3") as database:
        assert key not in "\n".join(database.iterdump())
    # A database of other keys: nothing is made up, and nothing written.
    assert refused.returncode == 1
    assert "holds secrets that other keys sealed" in refused.stderr
    assert not (tmp_path / "another").exists()


def test_another_address_replaces_its_line_and_keys_stay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "env"
    file.write_text("SECRET_KEY=kept\nTOKEN_KEYS=kept-too\nPUBLIC_URL=http://localhost:8000\nREDIS_URL=redis://r\n")
    for name in (*first_settings.NAMES, "PUBLIC_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WALLBOARD_ENV_FILE", str(file))
    monkeypatch.setattr(first_settings, "_lent", {})

    first_settings.prepare([])
    assert first_settings.keep() == []
    first_settings.prepare(["--url", "https://wall.example.com/"])
    assert first_settings.keep() == ["PUBLIC_URL"]

    assert file.read_text().splitlines()[:3] == [
        "SECRET_KEY=kept",
        "TOKEN_KEYS=kept-too",
        "PUBLIC_URL=https://wall.example.com",
    ]


def test_the_environment_wins_over_what_is_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WALLBOARD_ENV_FILE", str(tmp_path / "env"))

    with pytest.raises(first_settings.NotOurs, match="the environment, which wins"):
        first_settings.prepare(["--url=https://wall.example.com"])


def test_without_a_file_nothing_is_made_up(tmp_path: Path) -> None:
    refused = run(tmp_path, WALLBOARD_ENV_FILE="")

    assert refused.returncode == 1
    assert refused.stderr.startswith("Set SECRET_KEY.")


def test_a_backup_is_restored_where_nothing_but_its_keys_is_known(tmp_path: Path) -> None:
    lost, new, backups = tmp_path / "lost", tmp_path / "new", tmp_path / "backups"
    for folder in (lost, new):
        folder.mkdir()
    migrate(bare_environment(**LENT, DATABASE_URL=f"sqlite:///{lost / 'db.sqlite3'}"))
    made = manage(lost, "backup", str(backups), **LENT)
    assert made.returncode == 0, made.stderr

    without = manage(new, "restore", str(backups))
    keys = f"SECRET_KEY={LENT['SECRET_KEY']}\nTOKEN_KEYS={LENT['TOKEN_KEYS']}\n"
    (new / "env").write_text(keys)
    restored = manage(new, "restore", str(backups))

    assert (without.returncode, without.stderr.split(".")[0]) == (1, "Set SECRET_KEY")
    assert restored.returncode == 0, restored.stderr
    assert "Every secret opens." in restored.stdout
    assert (new / "env").read_text() == keys


@pytest.mark.parametrize("value", ["", " ", "changeme"])
@pytest.mark.parametrize(("arguments", "said"), [(["newkey"], ""), (["open_keys", "none"], "Nobody is there to ask")])
def test_what_makes_and_opens_keys_needs_no_settings(
    arguments: list[str], said: str, value: str, tmp_path: Path
) -> None:
    (tmp_path / "env").write_bytes(b"A=\xff\n")
    names = (*first_settings.NAMES, "PUBLIC_URL", "DATABASE_URL")
    done = manage(tmp_path, *arguments, **dict.fromkeys(names, value), WALLBOARD_LANGUAGE="en")

    assert said in done.stderr
    assert said or len(done.stdout.strip()) == 44, done.stderr


@pytest.mark.parametrize("value", ["", " "])
def test_the_demo_takes_settings_that_are_empty_for_missing(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", {"TOKEN_KEYS": value, "PUBLIC_URL": "https://wall.example.com"})

    lend_settings("demo")

    assert os.environ["TOKEN_KEYS"].strip()
    assert os.environ["PUBLIC_URL"] == "https://wall.example.com"


def test_lines_are_replaced_where_they_stand() -> None:
    text = "# keys\nSECRET_KEY=\n\nexport REDIS_URL=old\n"

    assert first_settings.merged(text, {"SECRET_KEY": "a\\1", "REDIS_URL": "new", "PUBLIC_URL": "x"}) == (
        "# keys\nSECRET_KEY=a\\1\n\nREDIS_URL=new\nPUBLIC_URL=x\n"
    )
    assert first_settings.merged("", {"A": "b"}) == "A=b\n"
