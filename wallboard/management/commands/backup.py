"""`manage.py backup DIR`: the database in a file, checked; keys apart and sealed."""

import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.db import DatabaseError
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from accounts.languages.commands import TranslatedCommand
from wallboard.operations import backups, dumps, passphrases, sealed_keys
from wallboard.operations.sealed_keys import SHORTEST_PASSPHRASE, Keys


class Command(TranslatedCommand):
    help = gettext_noop(
        "Write a backup of the database into a new folder below DIR (default: BACKUP_DIR), while everything runs. "
        "With --keys, SECRET_KEY and TOKEN_KEYS go into a file of their own, sealed with a passphrase."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", nargs="?", type=Path, metavar="DIR")
        parser.add_argument("--keep", type=int, metavar="N", help=_("delete all but the newest N backups in DIR"))
        parser.add_argument(
            "--keys", type=Path, metavar="FILE", help=_("seal the keys into this file; keep it elsewhere")
        )
        parser.add_argument(
            "--passphrase-file", type=Path, help=_("whose first line opens the keys; asked for if absent")
        )

    def handle(self, *args: Any, folder: Path | None, keep: int | None, keys: Path | None, **options: Any) -> None:
        """Write, say what was written, and delete what is too old."""
        folder = folder or (Path(settings.BACKUP_DIR) if settings.BACKUP_DIR else None)
        if folder is None:
            raise CommandError(_("Name a folder for the backup, or set BACKUP_DIR."))
        if keep is not None and keep < 1:
            raise CommandError(_("--keep must leave at least one backup."))
        if keys is not None:
            self._seal(keys, folder, options["passphrase_file"])
        began = time.monotonic()
        try:
            made = backups.make(folder)
            deleted = backups.keep(folder, keep) if keep else []
        except (dumps.Failed, DatabaseError) as error:
            raise CommandError(_("No backup was made. %(reason)s") % {"reason": error}) from error
        except OSError as error:
            raise CommandError(
                _("No backup was made: %(file)s: %(reason)s.")
                % {"file": error.filename or folder, "reason": error.strerror}
            ) from error
        found = backups.described(made)
        rows, megabytes = sum(found.tables.values()), found.bytes / 1e6
        self.stdout.write(
            ngettext(
                "%(backup)s: %(rows)s row, %(megabytes)s MB, %(seconds)s s.",
                "%(backup)s: %(rows)s rows, %(megabytes)s MB, %(seconds)s s.",
                rows,
            )
            % {
                "backup": made,
                "rows": number_format(rows, force_grouping=True),
                "megabytes": number_format(round(megabytes, 1), 1),
                "seconds": number_format(round(time.monotonic() - began, 1), 1),
            }
        )
        for each in deleted:
            self.stdout.write(_("Deleted %(name)s.") % {"name": each.name})

    def _seal(self, file: Path, folder: Path, passphrase_file: Path | None) -> None:
        if folder.resolve() in file.resolve().parents:
            raise CommandError(_("Keep the keys elsewhere than the backups: whoever has both has every secret."))
        passphrase = passphrases.ask(passphrase_file, is_new=True, shortest=SHORTEST_PASSPHRASE)
        try:
            sealed_keys.write(file, Keys(settings.SECRET_KEY, list(settings.TOKEN_KEYS)), passphrase)
        except OSError as error:
            raise CommandError(
                _("The keys were not written: %(file)s: %(reason)s.") % {"file": file, "reason": error.strerror}
            ) from error
        self.stdout.write(_("%(file)s: the keys, sealed. `manage.py open_keys %(file)s` shows them.") % {"file": file})
