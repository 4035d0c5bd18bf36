"""A backup of PostgreSQL comes back to an ordinary role, with several hosts, and by programs newer than the server."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.harness import postgres
from tests.harness.commands import Commands
from tests.operations.test_backups import COMPANY, NAME, Installation, told
from wallboard.demo.processes import wait_until
from wallboard.operations import dumps

ROLE = "CREATE ROLE wallboard LOGIN CREATEDB"
COUNT = "from wallboard.operations import dumps; print(dumps.rows()['accounts_domain'], 'counted')"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Host and port of a server with a role that is nobody special, whose extensions are its administrator's."""
    with postgres.running_postgres(postgres.programs_or_skip()) as url:
        with psycopg.connect(url, autocommit=True) as administrator:
            administrator.execute(ROLE)
            administrator.execute("CREATE DATABASE wallboard OWNER wallboard")
        with psycopg.connect(url.replace("/postgres", "/wallboard")) as administrator:
            administrator.execute("CREATE EXTENSION pg_trgm")
        yield url.rpartition("@")[2].partition("/")[0]


@pytest.fixture(scope="module")
def installation(server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    made = Installation(tmp_path_factory.mktemp("site"), f"postgres://wallboard@{server}/wallboard")
    assert made.manage("shell", "-c", COMPANY)[0] == 0
    yield made
    made.commands.stop()


def test_it_comes_back_to_a_role_that_owns_no_extension(installation: Installation, tmp_path: Path) -> None:
    assert installation.manage("backup", str(tmp_path))[0] == 0

    status, said = installation.manage("restore", str(tmp_path), "--replace")

    assert (status, "Every secret opens" in said) == (0, True), said
    assert "Acme" in installation.manage("shell", "-c", NAME)[1]


def test_of_several_hosts_the_one_that_takes_writes_is_backed_up_and_restored(
    installation: Installation, server: str, tmp_path: Path
) -> None:
    with postgres.running_postgres(postgres.programs_or_skip(), "default_transaction_read_only=on") as url:
        with psycopg.connect(url, autocommit=True) as administrator:
            administrator.execute("SET default_transaction_read_only = off")
            administrator.execute(ROLE)
            administrator.execute("CREATE DATABASE wallboard OWNER wallboard")
        other = url.rpartition("@")[2].partition("/")[0]
        ways = (f"{other},{server}", f"{server},{other}")
        first, later = (
            Commands(installation.env | {"DATABASE_URL": f"postgres://wallboard@{hosts}/wallboard"}) for hosts in ways
        )
        said = [
            told(first, "backup", str(tmp_path)),
            told(first, "restore", str(tmp_path), "--replace"),
            told(later, "restore", str(tmp_path), "--drill"),
        ]
        first.stop()
        later.stop()

    assert [status for status, _words in said] == [0, 0, 0], said


def test_counting_takes_as_long_as_it_takes(installation: Installation, server: str) -> None:
    address = f"postgres://wallboard@{server}/wallboard"
    hasty = Commands(installation.env | {"DATABASE_URL": f"{address}?options=-c%20statement_timeout%3D500"})
    with psycopg.connect(address) as holder:
        holder.execute("LOCK TABLE accounts_domain IN ACCESS EXCLUSIVE MODE")
        threading.Thread(target=release, args=(address, holder)).start()
        status, said = told(hasty, "shell", "-c", COUNT)
    hasty.stop()

    assert (status, "1 counted" in said) == (0, True), said


def release(address: str, holder: psycopg.Connection) -> None:
    """Let the table go once somebody has waited for it for longer than a statement may take."""
    with psycopg.connect(address, autocommit=True) as watcher:
        waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        wait_until(lambda: watcher.execute(waiting).fetchone() is not None, 30)
        time.sleep(1)
    holder.commit()


def test_settings_that_the_server_does_not_know_are_left_out(tmp_path: Path) -> None:
    script = tmp_path / "database.sql"
    head = "--\n\nSET statement_timeout = 0;\nSET transaction_timeout = 0;\n"
    rows = "COPY public.notes (text) FROM stdin;\n" + "x\n" * 40 + "SET transaction_timeout = 0;\n"
    script.write_text(head + rows)

    dumps.leave_out_unknown_settings(script, {"statement_timeout"})

    assert script.read_text() == head.replace("SET tr", "--T tr") + rows
