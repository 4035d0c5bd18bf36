"""`manage.py restore BACKUP`: an installation as it was; with --drill, whether and how fast that would work."""

import time
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from wallboard.operations import backups, drills, dumps, restoring


class Command(BaseCommand):
    help = (
        "Check a backup and put it in place of the database, migrated to this release. BACKUP is a backup's folder, or "
        "one with backups, of which the newest is taken. Stop web, worker and beat first."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("backup", type=Path)
        parser.add_argument("--replace", action="store_true", help="although the database holds a company already")
        parser.add_argument(
            "--drill", action="store_true", help="into a database of its own that is deleted afterwards"
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
                call_command("migrate", verbosity=0, interactive=False)
                restoring.open_secrets()
        except (backups.Unusable, dumps.Failed, restoring.Refused, drills.Failed) as refusal:
            raise CommandError(str(refusal)) from refusal
        except DatabaseError as error:
            raise CommandError(f"The database of DATABASE_URL does not answer or is not writable: {error}") from error
        rows, seconds = sum(description.tables.values()), time.monotonic() - began
        made = f"{description.made_at:%Y-%m-%d %H:%M} UTC"
        if drill:
            self.stdout.write(
                f"The backup of {made} can be restored: {rows:,} rows in {seconds:.1f} s. Nothing changed."
            )
            return
        self.stdout.write(f"Restored as of {made}: {rows:,} rows in {seconds:.1f} s. Every secret opens.")
        self.stdout.write("Next: `manage.py setup`, start web, worker and beat, then look at `manage.py doctor`.")
