"""The database: does it answer, is it of this release, how large, who waits, and when was it backed up."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Min
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from wallboard.operations import backups, dumps
from wallboard.operations.doctor.findings import Finding, State, amount, good, trouble, watch

LONG_WAIT_SECONDS = 5
LONG_TRANSACTION_SECONDS = 300
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
        yield trouble(
            _("Database"),
            _("It does not answer: %(reason)s.") % {"reason": reason},
            _("Start it, or correct DATABASE_URL."),
        )
        return
    oldest = connection.features.minimum_database_version
    name = f"{connection.display_name} {version}"
    if oldest and connection.get_database_version() < oldest:
        wanted = ".".join(map(str, oldest))
        yield trouble(
            _("Database"),
            _("%(name)s is too old.") % {"name": name},
            _("Move to %(database)s %(wanted)s or newer.") % {"database": connection.display_name, "wanted": wanted},
        )
        return
    yield good(_("Database"), f"{name}, {amount(dumps.database_bytes())}. {_largest()}".strip())


def _largest() -> str:
    """The largest tables, where the database says so cheaply."""
    if connection.vendor != "postgresql":
        return ""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, pg_total_relation_size(oid) FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY 2 DESC LIMIT 3"
        )
        found = ", ".join(f"{name} {amount(size)}" for name, size in cursor.fetchall())
        return _("Largest tables: %(tables)s.") % {"tables": found}


def migrations() -> Iterator[Finding]:
    """Whether the tables are those of this release."""
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing:
        first = missing[0][0]
        name = f"{first.app_label}.{first.name}"
        text = _("Missing: %(count)s, the first %(migration)s.") % {"count": len(missing), "migration": name}
        yield trouble(_("Migrations"), text, _("Run `manage.py setup`."))
    elif unknown := backups.unknown_migrations(executor.loader.applied_migrations):
        text = _("The database is of a newer release: it has %(migration)s.") % {"migration": unknown[0]}
        yield trouble(_("Migrations"), text, _("Install that release; this one may damage its data."))
    else:
        yield good(_("Migrations"), _("All of this release, and no others."))


def locks() -> Iterator[Finding]:
    """Who keeps others waiting."""
    found = list(_postgres_locks() if connection.vendor == "postgresql" else _sqlite_log())
    yield from found
    if not found:
        yield good(_("Locks"), _("Nobody waits for long."))


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
                _("Locks"),
                _("Process %(pid)s of PostgreSQL has waited %(seconds)s s for a lock that %(blocker)s holds.")
                % {"pid": pid, "seconds": f"{seconds:.0f}", "blocker": blocker},
                _("See what %(blocker)s does (pg_stat_activity); SELECT pg_terminate_backend(%(blocker)s) ends it.")
                % {"blocker": blocker},
            )
        cursor.execute(
            "SELECT pid, extract(epoch FROM now() - xact_start) FROM pg_stat_activity"
            " WHERE datname = current_database() AND state LIKE 'idle in transaction%%'"
            " AND now() - xact_start > make_interval(secs => %s)",
            [LONG_TRANSACTION_SECONDS],
        )
        for pid, seconds in cursor.fetchall():
            yield watch(
                _("Locks"),
                _("Process %(pid)s of PostgreSQL has had an idle transaction open for %(minutes)s min.")
                % {"pid": pid, "minutes": f"{seconds / 60:.0f}"},
                _("Tables cannot be tidied up meanwhile. SELECT pg_terminate_backend(%(pid)s) ends it.") % {"pid": pid},
            )


def _sqlite_log() -> Iterator[Finding]:
    path = Path(str(settings.DATABASES["default"]["NAME"]))
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and (size := log.stat().st_size) > LARGE_LOG_BYTES:
        yield watch(
            _("Locks"),
            _("SQLite's log is %(size)s: somebody has read for so long that it cannot be emptied.")
            % {"size": amount(size)},
            _("Restart web, worker and beat one after the other."),
        )


def last_backup() -> Iterator[Finding]:
    """When the latest backup in BACKUP_DIR was made."""
    advice = _("Run `manage.py backup` daily, from cron or a timer, and try one with `manage.py restore DIR --drill`.")
    if not settings.BACKUP_DIR:
        yield watch(
            _("Backup"),
            _("BACKUP_DIR is not set, so nobody knows whether there is one."),
            " ".join((_("Set it."), advice)),
        )
        return
    try:
        newest = backups.newest(Path(settings.BACKUP_DIR))
        description = backups.described(newest) if newest else None
    except backups.Unusable as error:
        yield trouble(_("Backup"), str(error), advice)
        return
    if description is None:
        text = _("There is none in %(folder)s.") % {"folder": settings.BACKUP_DIR}
        yield (watch if _is_new() else trouble)(_("Backup"), text, advice)
        return
    age = datetime.now(UTC) - description.made_at
    hours = round(age.total_seconds() / 3600)
    text = ngettext(
        "The latest is %(hours)s hour old, %(size)s.", "The latest is %(hours)s hours old, %(size)s.", hours
    )
    text %= {"hours": hours, "size": amount(description.bytes)}
    if age > backups.DUE_WITHIN:
        yield trouble(_("Backup"), text, advice)
    elif backups.missing_keys(description):
        yield watch(
            _("Backup"),
            " ".join((text, _("It was made under other TOKEN_KEYS."))),
            _("Keep those keys, or make a backup now."),
        )
    else:
        yield good(_("Backup"), text)


def backup_trouble() -> list[Finding]:
    """What is wrong with the latest backup, where BACKUP_DIR is set."""
    return [each for each in last_backup() if each.state == State.TROUBLE]


def _is_new() -> bool:
    """Whether the database was set up so lately that its first backup is not due yet."""
    began = MigrationRecorder(connection).migration_qs.aggregate(Min("applied"))["applied__min"]
    return began is not None and datetime.now(UTC) - began <= backups.DUE_WITHIN
