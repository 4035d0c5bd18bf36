"""What is wrong with the installation itself, found without the web process: for `manage.py watch`."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Domain
from wallboard import health
from wallboard.calls.models import IntakeProof
from wallboard.calls.webhooks import spool
from wallboard.live import clocks
from wallboard.operations.doctor.database import backup_trouble
from wallboard.queues import pacing
from wallboard.queues.models import PollState

WORKER_SECONDS = 150  # it records its clock every minute
UNPOLLED = timedelta(seconds=60)  # beyond the pause that a reading has planned
UNPROVED = timedelta(seconds=60)  # a web process says every few seconds that it takes deliveries
LEAST_FREE_BYTES = 2**30
LEAST_FREE_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: by which key it is known again, a sentence, and what to do."""

    key: str
    text: str
    advice: str = ""

    def __str__(self) -> str:
        return f"{self.text} {self.advice}".strip()


def current() -> list[Problem]:
    """Everything that is wrong now, the deepest first; never raises for what it looks at."""
    found = [*disks(), *_redis()]
    try:
        found += of_database(has_redis=not any(each.key == "redis" for each in found))
        found += backups_overdue()
    except DatabaseError as error:
        connection.close()
        name = type(error).__name__
        found.append(
            Problem(
                "database",
                _("The database (DATABASE_URL) does not answer: %(kind)s.") % {"kind": name},
                _("Start it, or see its log."),
            )
        )
    return found


def disks() -> Iterator[Problem]:
    """Disks that are nearly full, each once."""
    database = settings.DATABASES["default"]
    is_file = database["ENGINE"].endswith("sqlite3")
    folders = [settings.BASE_DIR, *([Path(str(database["NAME"])).parent] if is_file else [])]
    folders += [Path(settings.SPOOL_DIR)] if settings.SPOOL_DIR else []
    known: set[int] = set()
    for folder in folders:
        try:
            disk, usage = folder.stat().st_dev, shutil.disk_usage(folder)
        except OSError as error:
            yield Problem(
                f"folder {folder}",
                _("The folder %(folder)s cannot be read: %(reason)s.") % {"folder": folder, "reason": error.strerror},
            )
            continue
        if disk in known or (usage.free >= LEAST_FREE_BYTES and usage.free >= LEAST_FREE_SHARE * usage.total):
            continue
        known.add(disk)
        free = usage.free / 2**20
        yield Problem(
            f"disk {folder}",
            _("The disk of %(folder)s is nearly full: %(free)s MB are free.")
            % {"folder": folder, "free": f"{free:.0f}"},
            _("Make room on it."),
        )


def _redis() -> Iterator[Problem]:
    if not health.redis_answers():
        yield Problem(
            "redis", _("Redis (REDIS_URL) does not answer: boards get no news."), _("Start it, or see its log.")
        )


def of_database(has_redis: bool) -> Iterator[Problem]:
    """What the database, and the marks that processes leave in it and in Redis, say about them."""
    now = timezone.now()
    proof = IntakeProof.objects.order_by("-proved_at").first()
    if proof is not None and now - proof.proved_at > UNPROVED:
        minutes = (now - proof.proved_at).total_seconds() / 60
        yield Problem(
            "web",
            _("No web process has taken deliveries for %(minutes)s min.") % {"minutes": f"{minutes:.0f}"},
            _("Start the web processes."),
        )
    if (seconds := spool.waiting_seconds()) > health.SPOOL_PATIENCE_SECONDS:
        yield Problem(
            "spool",
            _("Deliveries wait in SPOOL_DIR for %(seconds)s s and nobody applies them.")
            % {"seconds": f"{seconds:.0f}"},
        )
    if not has_redis:
        return
    has_worker = _has_worker()
    if not has_worker:
        yield Problem(
            "worker", _("No worker is running: figures stand still and no alert goes out."), _("Start the worker.")
        )
    elif any(_is_unpolled(domain) for domain in Domain.objects.filter(is_active=True)):
        text = _("A worker is running and nobody gives it work.")
        yield Problem("beat", text, _("Start beat, or see whether the worker hangs."))


def backups_overdue() -> Iterator[Problem]:
    """That the latest backup is older than it may be, cannot be read or is not there, where BACKUP_DIR is set."""
    for finding in backup_trouble():
        yield Problem("backup", f"{finding.title}: {finding.text}", finding.advice)


def _has_worker() -> bool:
    try:
        return clocks.recorded_within("worker", WORKER_SECONDS)
    except redis.RedisError:
        return True  # it went away a moment ago; the next look says so


def _is_unpolled(domain: Domain) -> bool:
    """Whether the company's queues should have been asked for by now, whatever the provider answers."""
    state = PollState.objects.filter(domain=domain).first()
    if state is None or state.tried_at is None:
        return False  # never begun: set up a moment ago
    planned = max(state.not_before or state.tried_at, state.tried_at)
    return timezone.now() - planned > UNPOLLED + timedelta(seconds=pacing.interval_seconds(domain))
