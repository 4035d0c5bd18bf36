"""`manage.py matrix`: who may open what, as a table."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from wallboard import matrix


class Command(BaseCommand):
    help = "Print every address and feed with the roles that may open it; fails where one is listed nowhere."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            lines = list(matrix.lines())
        except matrix.Unlisted as error:
            raise CommandError(str(error)) from error
        widths = [max(len(cell) for cell in column) for column in zip(*lines, strict=True)]
        for line in lines:
            self.stdout.write("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
