"""`manage.py doctor` on a running installation: well as it is, and each planted fault is named for what it is."""

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import redis
from cryptography.fernet import Fernet

from tests.harness.site import Site
from wallboard.demo.processes import BASE_DIR, free_port

pytestmark = pytest.mark.timeout(300)  # several processes of Python, one after the other
Findings = dict[str, list[tuple[str, str]]]  # by title: state and words, each with its advice


def examined(site: Site, **env: str) -> tuple[int, Findings]:
    """Exit status and findings, with these settings beside the installation's own."""
    command = [sys.executable, str(BASE_DIR / "manage.py"), "doctor", "--json"]
    done = subprocess.run(command, env={**site.env, **env}, cwd=BASE_DIR, capture_output=True, text=True, timeout=60)
    assert done.stdout, done.stderr
    found: Findings = {}
    for each in json.loads(done.stdout):
        found.setdefault(each["title"], []).append((each["state"], f"{each['text']} {each['advice']}"))
    return done.returncode, found


def says(found: Findings, title: str, words: str) -> bool:
    """Whether there is trouble of that title, in words that hold these."""
    return any(state == "trouble" and words in text for state, text in found.get(title, []))


@pytest.fixture
def backup(quiet_site: Site, tmp_path: Path) -> Path:
    """The folder of a fresh backup."""
    quiet_site.manage("backup", str(tmp_path / "backups"))
    return tmp_path / "backups"


def test_a_running_installation_is_without_trouble(quiet_site: Site, backup: Path, tmp_path: Path) -> None:
    status, found = examined(quiet_site, BACKUP_DIR=str(backup), SPOOL_DIR=str(tmp_path))

    assert [(title, each) for title, all_of in found.items() for each in all_of if each[0] == "trouble"] == []
    assert status == 0
    for title in ("Database", "Migrations", "Keys", "Redis", "Processes", "Backup", "Spool", "Way in"):
        assert {state for state, _ in found[title]} == {"good"}, found[title]
    assert any(title.endswith("Provider now") for title in found)


def test_wrong_settings_are_named(quiet_site: Site, backup: Path, tmp_path: Path) -> None:
    (made,) = backup.iterdir()
    description = json.loads((made / "backup.json").read_text())
    description["made_at"] = (datetime.now(UTC) - timedelta(days=3)).isoformat()
    (made / "backup.json").write_text(json.dumps(description))
    (tmp_path / "file").write_text("")

    status, found = examined(
        quiet_site,
        TOKEN_KEYS=Fernet.generate_key().decode(),
        STATIC_ROOT=str(tmp_path / "no-static-files"),
        SPOOL_DIR=str(tmp_path / "file" / "spool"),
        SMTP_URL=f"smtp://127.0.0.1:{free_port()}",
        MAIL_FROM="wallboard@example.com",
        BACKUP_DIR=str(backup),
        PUBLIC_URL="http://wallboard.invalid.test",
    )

    assert status == 1
    assert says(found, "Keys", "TOKEN_KEYS lacks its key")
    assert says(found, "Static files", "None were collected")
    assert says(found, "Spool", "cannot be written")
    assert says(found, "Mail", "does not let us in")
    assert says(found, "Backup", "72 hours old")
    assert says(found, "Address", "is not known here")
    (asked,) = [title for title in found if title.endswith("Provider now")]
    assert says(found, asked, "TOKEN_KEYS")


def test_trouble_in_redis_and_in_the_database_is_named(quiet_site: Site) -> None:
    store = redis.Redis.from_url(quiet_site.env["REDIS_URL"])
    quiet_site.children["beat"].stop()
    quiet_site.children["worker"].stop()
    name = max(path.stem for path in (BASE_DIR / "wallboard" / "queues" / "migrations").glob("0*.py"))
    record = "from django.db import connection as c; from django.db.migrations.recorder import MigrationRecorder as M;"
    store.config_set("maxmemory-policy", "allkeys-lru")
    store.rpush("celery", *(["x"] * 1001))
    for key in store.scan_iter("*clocks*"):
        store.delete(key)
    quiet_site.manage("shell", "-c", f"{record} M(c).record_unapplied('queues', '{name}')")
    try:
        _, found = examined(quiet_site)
    finally:
        store.config_set("maxmemory-policy", "noeviction")
        store.delete("celery")
        quiet_site.manage("shell", "-c", f"{record} M(c).record_applied('queues', '{name}')")
        quiet_site.heal()

    assert says(found, "Redis", "allkeys-lru")
    assert says(found, "Tasks", "Waiting: 1,001")
    assert says(found, "Migrations", f"the first queues.{name}")
    assert says(found, "Worker", "Start the worker")


def test_what_is_away_is_named_and_stops_nothing_else(quiet_site: Site) -> None:
    _, found = examined(
        quiet_site,
        REDIS_URL=f"redis://127.0.0.1:{free_port()}/0",
        DATABASE_URL=f"postgres://nobody@127.0.0.1:{free_port()}/nothing",
        PUBLIC_URL=quiet_site.simulator.base_url,
    )

    assert says(found, "Database", "does not answer")
    assert says(found, "Redis", "does not answer")
    assert says(found, "Way in", "something else answers")
    assert found["Python"][0][0] == "good"
