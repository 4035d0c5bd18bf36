"""`manage.py restore BACKUP`: an installation as it was; with --drill, whether and how fast that would work."""

import time
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import DatabaseError
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from accounts.languages.commands import TranslatedCommand
from wallboard import migrating
from wallboard.operations import backups, drills, dumps, restoring


class Command(TranslatedCommand):
    help = gettext_noop(
        "Check a backup and put it in place of the database, migrated to this release. BACKUP is a backup's folder, or "
        "one with backups, of which the newest is taken. Stop web, worker and beat first."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("backup", type=Path)
        parser.add_argument("--replace", action="store_true", help=_("although the database holds a company already"))
        parser.add_argument(
            "--drill", action="store_true", help=_("into a database of its own that is deleted afterwards")
        )

    def handle(self, *args: Any, backup: Path, replace: bool, drill: bool, **options: Any) -> None:
        """Check, load, migrate, and look whether all of it is there."""
        if not (backup / backups.DESCRIPTION).exists():
            backup = backups.newest(backup) or backup
        began = time.monotonic()
        try:
            description = backups.check(backup)
            if drill:
                drills.run(backup)
            else:
                restoring.refuse_if_used(is_replaced=replace)
                dumps.load(backup / description.file)
                restoring.compare(description)
                migrating.migrate()
                restoring.open_secrets()
        except (backups.Unusable, dumps.Failed, restoring.Refused, drills.Failed) as refusal:
            raise CommandError(str(refusal)) from refusal
        except DatabaseError as error:
            raise CommandError(
                _("The database of DATABASE_URL does not answer or is not writable: %(reason)s") % {"reason": error}
            ) from error
        rows, seconds = sum(description.tables.values()), time.monotonic() - began
        values = {
            "made": f"{description.made_at:%Y-%m-%d %H:%M} UTC",
            "rows": number_format(rows, force_grouping=True),
            "seconds": number_format(round(seconds, 1), 1),
        }
        if drill:
            self.stdout.write(
                ngettext(
                    "The backup of %(made)s can be restored: %(rows)s row in %(seconds)s s. Nothing changed.",
                    "The backup of %(made)s can be restored: %(rows)s rows in %(seconds)s s. Nothing changed.",
                    rows,
                )
                % values
            )
            return
        self.stdout.write(
            ngettext(
                "Restored as of %(made)s: %(rows)s row in %(seconds)s s. Every secret opens.",
                "Restored as of %(made)s: %(rows)s rows in %(seconds)s s. Every secret opens.",
                rows,
            )
            % values
        )
        self.stdout.write(_("Next: `manage.py setup`, start web, worker and beat, then look at `manage.py doctor`."))
