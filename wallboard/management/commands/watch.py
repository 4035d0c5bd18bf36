"""`manage.py watch`: is the installation itself in trouble? From cron or a timer; works with the web process down."""

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core.management.base import CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.companies import public_address
from accounts.languages.commands import TranslatedCommand
from wallboard.notifications import mail_servers
from wallboard.notifications.channels import email
from wallboard.notifications.channels.outcomes import NotSent
from wallboard.notifications.messages import Message
from wallboard.operations import problems
from wallboard.operations.problems import Problem

WELL, TROUBLE, NOT_MAILED = 0, 1, 2
REMIND_SECONDS = 6 * 3600
NOBODY, EVERYBODY = "", "*"  # in place of an operator's address
HIDDEN_BY = {  # what cannot be looked at while this is wrong (operations/problems.py)
    "redis": ("worker", "beat"),
    "database": ("web", "spool", "worker", "beat", "backup"),
    "worker": ("beat",),
}
Told = dict[str, float]  # a problem's key -> when the operators were told of it, seconds since 1970


class Command(TranslatedCommand):
    help = gettext_noop(
        "Look at disks, backups, Redis, the database, worker, beat and web; mail OPERATOR_MAIL what is new, what is "
        "over, and every six hours what lasts. Exit status: 0 all well, 1 trouble, 2 a mail could not be sent."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--state", type=Path, default=settings.BASE_DIR / ".watch.json", help=_("where it remembers")
        )
        parser.add_argument("--patience", type=float, default=20.0, help=_("seconds before a second look at trouble"))

    def handle(self, *args: Any, state: Path, patience: float, **options: Any) -> None:
        """Look, look again, tell each operator what changed since they were told."""
        found, told, now = lasting_problems(patience), remembered(state), time.time()
        after: dict[str, Told] = {}
        printed: dict[str, None] = {}
        is_mailed = True
        for address in settings.OPERATOR_MAIL or [NOBODY]:
            before = told.get(address, told.get(EVERYBODY, {}))
            news = News(found, before, now)
            printed |= dict.fromkeys(news.lines)
            # Who could not be told is told by the next run, and nobody else a second time.
            is_told = not news.lines or address == NOBODY or self._mail(address, news)
            after[address] = news.after if is_told else before
            is_mailed = is_mailed and is_told
        for line in printed:
            self.stdout.write(line)
        remember(state, after)
        sys.exit(NOT_MAILED if not is_mailed else TROUBLE if found else WELL)

    def _mail(self, address: str, news: "News") -> bool:
        """Send it to an operator; whether it went out."""
        server = mail_servers.of_installation()
        if server is None:
            self.stderr.write(_("OPERATOR_MAIL is set and SMTP_URL is not: nobody was told."))
            return False
        text, url = "\n".join(news.lines), f"{public_address.url()}/setup/"
        try:
            email.send_through(server, address, Message(uuid4().hex, news.title, text, url, is_resolved=not news.found))
        except NotSent as error:
            self.stderr.write(_("Not mailed to %(address)s: %(reason)s") % {"address": address, "reason": error})
            return False
        return True


class News:
    """What somebody has to hear who was told so much before; `after` is what they were told then."""

    def __init__(self, found: Sequence[Problem], told: Told, now: float) -> None:
        self.found = found
        due = [each for each in found if now - told.get(each.key, 0.0) >= REMIND_SECONDS or told[each.key] > now]
        unseen = {key for key in told if is_hidden(key, found)}
        over = sorted(told.keys() - {each.key for each in found} - unseen)
        self.lines = [str(each) for each in due] + [_("Over: %(problem)s.") % {"problem": key} for key in over]
        self.title = (
            f"Wallboard: {due[0].text.partition(':')[0].rstrip('.')}" if due else _("Wallboard: all well again")
        )
        if not due and (found or unseen):
            self.title = _("Wallboard: something is well again")
        fresh = {each.key for each in due}
        self.after = {each.key: now if each.key in fresh else told[each.key] for each in found}
        self.after |= {key: told[key] for key in unseen}


def is_hidden(key: str, found: Sequence[Problem]) -> bool:
    """Whether nobody can say how this stands, because something deeper is wrong: then it is not over."""
    return any(key in HIDDEN_BY.get(each.key, ()) for each in found)


def lasting_problems(patience: float) -> list[Problem]:
    """What is wrong at two looks: a process that is being restarted is no trouble."""
    first = problems.current()
    if not first:
        return []
    time.sleep(patience)
    keys = {each.key for each in first}
    return [each for each in problems.current() if each.key in keys]


def remembered(state: Path) -> dict[str, Told]:
    """What each operator was told and what is not over yet; nothing where that cannot be read."""
    try:
        stored = json.loads(state.read_text())
        if all(isinstance(at, float) for at in stored.values()):  # as the release before wrote it
            return {EVERYBODY: stored}
        return {who: {str(key): float(at) for key, at in told.items()} for who, told in stored.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def remember(state: Path, told: dict[str, Told]) -> None:
    """Keep it for the next run, whole or not at all."""
    new = state.with_suffix(".new")
    try:
        new.write_text(json.dumps(told))
        new.replace(state)
    except OSError as error:
        text = _("%(file)s cannot be written (%(reason)s): the next run tells all of it again.")
        sys.stderr.write(f"{text % {'file': state, 'reason': error.strerror}}\n")
