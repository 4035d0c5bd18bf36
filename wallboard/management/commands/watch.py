"""`manage.py watch`: is the installation itself in trouble? From cron or a timer; works with the web process down."""

import json
import sys
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from wallboard.notifications import mail_servers
from wallboard.notifications.channels import email
from wallboard.notifications.channels.outcomes import NotSent
from wallboard.notifications.messages import Message
from wallboard.operations import problems
from wallboard.operations.problems import Problem

WELL, TROUBLE, NOT_MAILED = 0, 1, 2
REMIND_SECONDS = 6 * 3600
Told = dict[str, float]  # a problem's key -> when the operators were told of it, seconds since 1970


class Command(BaseCommand):
    help = (
        "Look at disks, Redis, the database, worker, beat and web; mail OPERATOR_MAIL what is new, what is over, and "
        "every six hours what lasts. Exit status: 0 all well, 1 trouble, 2 a mail could not be sent."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--state", type=Path, default=settings.BASE_DIR / ".watch.json", help="where it remembers")
        parser.add_argument("--patience", type=float, default=20.0, help="seconds before a second look at trouble")

    def handle(self, *args: Any, state: Path, patience: float, **options: Any) -> None:
        """Look, look again, tell what changed."""
        found = lasting_problems(patience)
        told, now = remembered(state), time.time()
        due = [each for each in found if now - told.get(each.key, 0.0) >= REMIND_SECONDS or told[each.key] > now]
        over = sorted(told.keys() - {each.key for each in found})
        lines = [each.text for each in due] + [f"Over: {key}." for key in over]
        for line in lines:
            self.stdout.write(line)
        is_mailed = not lines or self._mail(found, due, lines)
        if is_mailed:
            fresh = {each.key for each in due}
            remember(state, {each.key: now if each.key in fresh else told[each.key] for each in found})
        sys.exit(NOT_MAILED if not is_mailed else TROUBLE if found else WELL)

    def _mail(self, found: list[Problem], due: list[Problem], lines: list[str]) -> bool:
        """Send it to every operator; True where all of it went out, and where nobody is to get mail."""
        if not settings.OPERATOR_MAIL:
            return True
        server = mail_servers.of_installation()
        if server is None:
            self.stderr.write("OPERATOR_MAIL is set and SMTP_URL is not: nobody was told.")
            return False
        title = f"Wallboard: {due[0].text.partition(':')[0]}" if due else "Wallboard: all well again"
        if not due and found:
            title = "Wallboard: something is well again"
        message = Message(uuid4().hex, title, "\n".join(lines), f"{settings.PUBLIC_URL}/setup/", is_resolved=not found)
        is_sent = True
        for address in settings.OPERATOR_MAIL:
            try:
                email.send_through(server, address, message)
            except NotSent as error:
                self.stderr.write(f"Not mailed to {address}: {error}")
                is_sent = False
        return is_sent


def lasting_problems(patience: float) -> list[Problem]:
    """What is wrong at two looks: a process that is being restarted is no trouble."""
    first = problems.current()
    if not first:
        return []
    time.sleep(patience)
    keys = {each.key for each in first}
    return [each for each in problems.current() if each.key in keys]


def remembered(state: Path) -> Told:
    """What the operators were told and what is not over yet; nothing where that cannot be read."""
    try:
        stored = json.loads(state.read_text())
        return {str(key): float(at) for key, at in stored.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def remember(state: Path, told: Told) -> None:
    """Keep it for the next run, whole or not at all."""
    new = state.with_suffix(".new")
    try:
        new.write_text(json.dumps(told))
        new.replace(state)
    except OSError as error:
        sys.stderr.write(f"{state} cannot be written ({error.strerror}): the next run tells all of it again.\n")
