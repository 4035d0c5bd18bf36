"""A migration that finds a table locked lets all others go on, and is done when it is free: a real PostgreSQL."""

import subprocess
import sys
import time
from collections.abc import Iterator

import psycopg
import pytest

from tests.harness import postgres
from tests.harness.environment import SETTINGS
from tests.harness.site import bare_environment
from tests.harness.threads import Threads
from wallboard.demo.processes import BASE_DIR
from wallboard.migrating import LOCK_SECONDS, PAUSE_SECONDS

pytestmark = [pytest.mark.one_database, pytest.mark.timeout(240)]
BEFORE = ("accounts", "0018")  # the next one adds columns to the companies
LOOK = "SELECT count(*) FROM accounts_domain"
COLUMNS = "SELECT count(*) FROM information_schema.columns WHERE table_name = 'accounts_domain'"


@pytest.fixture
def url() -> Iterator[str]:
    """A database that lacks migrations."""
    with postgres.running_postgres(postgres.programs_or_skip(), "fsync=off") as running:
        manage(running, "migrate", "-v0", *BEFORE)
        yield running


def command(*arguments: str) -> list[str]:
    return [sys.executable, str(BASE_DIR / "manage.py"), *arguments]


def environment(url: str) -> dict[str, str]:
    kept = {name: SETTINGS[name] for name in ("SECRET_KEY", "TOKEN_KEYS", "REDIS_URL", "STATIC_ROOT")}
    return bare_environment(DATABASE_URL=url, PUBLIC_URL="http://localhost:8000", **kept)


def manage(url: str, *arguments: str) -> None:
    """Run manage.py there, which must do."""
    done = subprocess.run(command(*arguments), env=environment(url), cwd=BASE_DIR, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


class Visitor(Threads):
    """Reads the table again and again, and knows how long it ever had to wait."""

    def __init__(self, url: str) -> None:
        super().__init__(self._visit)
        self._url = url
        self.longest, self.count = 0.0, 0

    def _visit(self) -> None:
        with psycopg.connect(self._url, autocommit=True) as connection:
            while not self.is_over.wait(0.02):
                began = time.monotonic()
                connection.execute(LOOK)
                self.longest, self.count = max(self.longest, time.monotonic() - began), self.count + 1


def waits_for_lock(connection: "psycopg.Connection[tuple[int]]") -> bool:
    """Whether somebody waits for a lock on a table."""
    row = connection.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchone()
    return row is not None and row[0] > 0


def test_others_go_on_while_a_migration_waits_for_a_table(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as watching, psycopg.connect(url) as long_query, Visitor(url) as visitor:
        row = watching.execute(COLUMNS).fetchone()
        long_query.execute(LOOK)  # and its transaction stays open
        upgrade = subprocess.Popen(
            command("setup", "--no-static"),
            env=environment(url),
            cwd=BASE_DIR,
            stdout=subprocess.PIPE,
            stderr=-2,
            text=True,
        )
        for _ in range(2):  # it comes back to ask again
            while not waits_for_lock(watching):
                assert upgrade.poll() is None, upgrade.communicate()[0]
                time.sleep(0.02)
            while waits_for_lock(watching):
                time.sleep(0.02)
        seen = visitor.count
        time.sleep(PAUSE_SECONDS[0] / 2)
        assert visitor.count > seen
        long_query.rollback()
        told, _ = upgrade.communicate(timeout=120)

        assert upgrade.returncode == 0, told
        assert "waits for a lock" in told
        now = watching.execute(COLUMNS).fetchone()
    assert row is not None
    assert now is not None
    assert now[0] > row[0]
    assert visitor.longest < LOCK_SECONDS + 3  # and some for a busy machine
