"""Backups: a folder with the database, and a description by which it is checked before anything is restored from it."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils.translation import gettext as _

from accounts.companies import public_address
from wallboard.live.release import release
from wallboard.operations import dumps

FORMAT = 1
PREFIX = "wallboard-"
DESCRIPTION = "backup.json"
FINGERPRINT_DIGITS = 16
DUE_WITHIN = timedelta(hours=26)  # daily, and some slack


class Unusable(Exception):
    """A backup that cannot be restored here; the message says why and what to do."""


class Description(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a backup holds. `tables`: rows of each; `keys`: fingerprints of TOKEN_KEYS, newest first."""

    format: int
    made_at: datetime
    public_url: str
    release: str
    vendor: str
    file: str
    bytes: int
    sha256: str
    tables: dict[str, int]
    migrations: list[tuple[str, str]]
    keys: list[str]


def make(folder: Path) -> Path:
    """Write a backup into a folder of its own below this one; gives its path. Raises dumps.Failed and OSError.

    It appears under its name when it is whole; one that was broken off leaves nothing that looks like a backup.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    made_at = datetime.now(UTC)
    partial = Path(tempfile.mkdtemp(prefix=".partial-", dir=folder))  # for its owner alone
    try:
        file, tables = dumps.dump(partial)
        description = Description(
            format=FORMAT,
            made_at=made_at,
            public_url=public_address.url(),
            release=release(),
            vendor=connection.vendor,
            file=file.name,
            bytes=file.stat().st_size,
            sha256=digest(file),
            tables=tables,
            migrations=sorted(MigrationLoader(connection).applied_migrations),
            keys=[fingerprint(key) for key in settings.TOKEN_KEYS],
        )
        (partial / DESCRIPTION).write_bytes(msgspec.json.format(msgspec.json.encode(description)))
        whole = folder / f"{PREFIX}{made_at:%Y%m%dT%H%M%S%fZ}"
        partial.rename(whole)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return whole


def newest(folder: Path) -> Path | None:
    """The latest backup below this folder; None where there is none. Raises Unusable where it cannot be read."""
    try:
        with os.scandir(folder):  # glob finds nothing where it may not look
            return max(_below(folder), default=None)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unusable(
            _("%(file)s cannot be read: %(reason)s.") % {"file": folder, "reason": error.strerror}
        ) from error


def keep(folder: Path, number: int) -> list[Path]:
    """Delete all but the newest so many backups; gives what was deleted."""
    old = sorted(_below(folder))[:-number]
    for each in old:
        shutil.rmtree(each)
    return old


def _below(folder: Path) -> list[Path]:
    # By name, which begins with the moment: copying changes the times of files.
    return [path.parent for path in folder.glob(f"{PREFIX}*/{DESCRIPTION}")]


def described(backup: Path) -> Description:
    """What a backup says that it holds. Raises Unusable."""
    try:
        description = msgspec.json.decode((backup / DESCRIPTION).read_bytes(), type=Description)
    except FileNotFoundError as error:
        raise Unusable(
            _("%(folder)s is no backup: it has no %(file)s.") % {"folder": backup, "file": DESCRIPTION}
        ) from error
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Unusable(
            _("%(file)s cannot be read: %(reason)s. Take another backup.")
            % {"file": backup / DESCRIPTION, "reason": error}
        ) from error
    if description.format != FORMAT:
        raise Unusable(
            _("The backup has format %(format)s, and this release reads %(known)s.")
            % {"format": description.format, "known": FORMAT}
        )
    return description


def check(backup: Path) -> Description:
    """What the backup holds, when it is whole and fits this installation. Raises Unusable."""
    description = described(backup)
    if description.vendor != connection.vendor or description.file != dumps.FILES.get(description.vendor):
        raise Unusable(
            _(
                "The backup is of %(database)s, and DATABASE_URL names %(other)s. Set DATABASE_URL to "
                "an empty database of %(database)s."
            )
            % {"database": description.vendor, "other": connection.vendor}
        )
    try:
        is_whole = digest(backup / description.file) == description.sha256
    except OSError as error:
        raise Unusable(
            _("%(file)s cannot be read: %(reason)s.") % {"file": backup / description.file, "reason": error.strerror}
        ) from error
    if not is_whole:
        raise Unusable(
            _("%(file)s is not what was written: it is damaged. Take another backup.")
            % {"file": backup / description.file}
        )
    if newer := unknown_migrations(description.migrations):
        raise Unusable(
            _("The backup is of a newer release, which has %(migration)s. Install that release, then restore.")
            % {"migration": newer[0]}
        )
    if missing := missing_keys(description):
        raise Unusable(
            _(
                "TOKEN_KEYS lacks %(count)s of the keys that the backup's secrets were sealed with. "
                "Take SECRET_KEY and TOKEN_KEYS from where you keep them (`manage.py open_keys FILE`)."
            )
            % {"count": missing}
        )
    return description


def missing_keys(description: Description) -> int:
    """How many of the keys in force when the backup was made are not in TOKEN_KEYS."""
    ours = {fingerprint(key) for key in settings.TOKEN_KEYS}
    return len(set(description.keys) - ours)


def unknown_migrations(migrations: Iterable[tuple[str, str]]) -> list[str]:
    """Migrations of our own apps that this release does not have, nor names as replaced."""
    loader = MigrationLoader(None)
    known = set(loader.disk_migrations)
    for migration in loader.disk_migrations.values():
        known |= {(app, name) for app, name in migration.replaces}
    return [f"{app}.{name}" for app, name in sorted(migrations) if (app, name) not in known]


def digest(file: Path) -> str:
    """SHA-256 of a file, in hex."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def fingerprint(key: str) -> str:
    """By which a key is known again without being told: keys are random, so its digest gives nothing away."""
    return hashlib.sha256(f"wallboard key {key}".encode()).hexdigest()[:FINGERPRINT_DIGITS]
