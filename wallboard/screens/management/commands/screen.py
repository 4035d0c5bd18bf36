"""`manage.py screen BOARD [--name NAME] [--domain DOMAIN]`: print an address that a TV can open."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.languages.commands import TranslatedCommand
from wallboard.boards.models import Board
from wallboard.screens import screens


class Command(TranslatedCommand):
    help = gettext_noop(
        "Make a screen for a board and print its address, once. The screen can be revoked on the page /screens/."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("board", help=_("the board's slug, as in /boards/<slug>/"))
        parser.add_argument("--name", default="", help=_("what the screen is called, for example 'North wall'"))
        parser.add_argument("--domain", default="", help=_("the company's slug, where there are several"))

    def handle(self, *args: Any, **options: Any) -> None:
        boards = Board.objects.filter(slug=options["board"], domain__is_active=True)
        if options["domain"]:
            boards = boards.filter(domain__slug=options["domain"])
        # Two are enough to know that the slug is not.
        found = list(boards[:2])
        if not found:
            raise CommandError(
                _("There is no board “%(board)s”. Boards: %(known)s.")
                % {"board": options["board"], "known": ", ".join(slugs()) or _("none yet")}
            )
        if len(found) > 1:
            raise CommandError(_("Several companies have a board of that name; say which with --domain."))
        screen, token = screens.create(found[0], options["name"])
        self.stdout.write(screens.link(screen.domain, token))


def slugs() -> list[str]:
    """The slugs of all boards."""
    return list(Board.objects.filter(domain__is_active=True).order_by("slug").values_list("slug", flat=True))
