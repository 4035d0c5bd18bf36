"""The database: does it answer, is it of this release, how large, who waits, and when was it backed up."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from wallboard.operations import backups, dumps
from wallboard.operations.doctor.findings import Finding, amount, good, trouble, watch

LONG_WAIT_SECONDS = 5
LONG_TRANSACTION_SECONDS = 300
BACKED_UP_WITHIN = timedelta(hours=26)  # daily, and some slack
LARGE_LOG_BYTES = 512 * 1024 * 1024


def answers() -> Iterator[Finding]:
    """Whether it answers, and which it is."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        version = ".".join(map(str, connection.get_database_version()))
    except DatabaseError as error:
        connection.close()
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        yield trouble("Database", f"It does not answer: {reason}.", "Start it, or correct DATABASE_URL.")
        return
    oldest = connection.features.minimum_database_version
    name = f"{connection.display_name} {version}"
    if oldest and connection.get_database_version() < oldest:
        wanted = ".".join(map(str, oldest))
        yield trouble("Database", f"{name} is too old.", f"Move to {connection.display_name} {wanted} or newer.")
        return
    yield good("Database", f"{name}, {amount(dumps.database_bytes())}{_largest()}.")


def _largest() -> str:
    """The largest tables, where the database says so cheaply."""
    if connection.vendor != "postgresql":
        return ""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, pg_total_relation_size(oid) FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY 2 DESC LIMIT 3"
        )
        return "; largest: " + ", ".join(f"{name} {amount(size)}" for name, size in cursor.fetchall())


def migrations() -> Iterator[Finding]:
    """Whether the tables are those of this release."""
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing:
        first = missing[0][0]
        text = f"{len(missing)} are missing, the first {first.app_label}.{first.name}."
        yield trouble("Migrations", text, "Run `manage.py setup`.")
    elif unknown := backups.unknown_migrations(executor.loader.applied_migrations):
        text = f"The database is of a newer release: it has {unknown[0]}."
        yield trouble("Migrations", text, "Install that release; this one may damage its data.")
    else:
        yield good("Migrations", "All of this release, and no others.")


def locks() -> Iterator[Finding]:
    """Who keeps others waiting."""
    found = list(_postgres_locks() if connection.vendor == "postgresql" else _sqlite_log())
    yield from found
    if not found:
        yield good("Locks", "Nobody waits for long.")


def _postgres_locks() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid, extract(epoch FROM now() - query_start), (pg_blocking_pids(pid))[1] FROM pg_stat_activity"
            " WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0"
            " AND now() - query_start > make_interval(secs => %s) ORDER BY 2 DESC",
            [LONG_WAIT_SECONDS],
        )
        for pid, seconds, blocker in cursor.fetchall():
            yield trouble(
                "Locks",
                f"Process {pid} of PostgreSQL has waited {seconds:.0f} s for a lock that {blocker} holds.",
                f"See what {blocker} does (pg_stat_activity); SELECT pg_terminate_backend({blocker}) ends it.",
            )
        cursor.execute(
            "SELECT pid, extract(epoch FROM now() - xact_start) FROM pg_stat_activity"
            " WHERE datname = current_database() AND state LIKE 'idle in transaction%%'"
            " AND now() - xact_start > make_interval(secs => %s)",
            [LONG_TRANSACTION_SECONDS],
        )
        for pid, seconds in cursor.fetchall():
            yield watch(
                "Locks",
                f"Process {pid} of PostgreSQL has had an idle transaction open for {seconds / 60:.0f} minutes.",
                f"Tables cannot be tidied up meanwhile. SELECT pg_terminate_backend({pid}) ends it.",
            )


def _sqlite_log() -> Iterator[Finding]:
    path = Path(str(settings.DATABASES["default"]["NAME"]))
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and (size := log.stat().st_size) > LARGE_LOG_BYTES:
        yield watch(
            "Locks",
            f"SQLite's log is {amount(size)}: somebody has read for so long that it cannot be emptied.",
            "Restart web, worker and beat one after the other.",
        )


def last_backup() -> Iterator[Finding]:
    """When the latest backup in BACKUP_DIR was made."""
    advice = "Run `manage.py backup` daily, from cron or a timer, and try one with `manage.py restore DIR --drill`."
    if not settings.BACKUP_DIR:
        yield watch("Backup", "BACKUP_DIR is not set, so nobody knows whether there is one.", f"Set it. {advice}")
        return
    newest = backups.newest(Path(settings.BACKUP_DIR))
    if newest is None:
        yield trouble("Backup", f"There is none in {settings.BACKUP_DIR}.", advice)
        return
    description = backups.described(newest)
    age = datetime.now(UTC) - description.made_at
    text = f"The latest is {age.total_seconds() / 3600:.0f} hours old, {amount(description.bytes)}."
    if age > BACKED_UP_WITHIN:
        yield trouble("Backup", text, advice)
    elif backups.missing_keys(description):
        yield watch("Backup", f"{text} It was made under other TOKEN_KEYS.", "Keep those keys, or make a backup now.")
    else:
        yield good("Backup", text)
