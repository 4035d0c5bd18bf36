"""`manage.py doctor`: everything an operator would check, in one screen, each with what to do."""

import sys
from typing import Any

import msgspec
from django.core.management.base import CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.languages.commands import TranslatedCommand
from wallboard.operations.doctor import examination
from wallboard.operations.doctor.findings import Finding, State

WELL, TROUBLE = 0, 1
MARKS = {State.GOOD: "✓", State.WATCH: "!", State.TROUBLE: "✗"}


class Command(TranslatedCommand):
    help = gettext_noop(
        "Look at settings, keys, database, Redis, processes, the way in, mail, and every company's provider; each "
        "finding says what to do. Changes nothing. Exit status: 0 no trouble, 1 trouble."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help=_("for programs: a list of findings"))

    def handle(self, *args: Any, json: bool, **options: Any) -> None:
        """Print each finding as it comes, and how many of each kind."""
        found = []
        for finding in examination.examine():
            found.append(finding)
            if not json:
                self._print(finding)
        if json:
            self.stdout.write(msgspec.json.format(msgspec.json.encode(found)).decode())
        else:
            count = {state: sum(each.state == state for each in found) for state in State}
            self.stdout.write(
                "\n"
                + _("In trouble: %(trouble)s. To watch: %(watch)s. Good: %(good)s.")
                % {str(state): number for state, number in count.items()}
            )
        sys.exit(TROUBLE if any(each.state == State.TROUBLE for each in found) else WELL)

    def _print(self, finding: Finding) -> None:
        style = {State.GOOD: self.style.SUCCESS, State.WATCH: self.style.WARNING, State.TROUBLE: self.style.ERROR}
        self.stdout.write(f"{style[finding.state](MARKS[finding.state])} {finding.title}: {finding.text}")
        if finding.advice and finding.state != State.GOOD:
            self.stdout.write(f"    {finding.advice}")
        self.stdout.flush()
