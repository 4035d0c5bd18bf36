"""`manage.py unlock`: whoever was locked out of the admin site may try again."""

from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from accounts.languages.commands import TranslatedCommand
from accounts.signin import password_throttle


class Command(TranslatedCommand):
    help = gettext_noop(
        "Forget wrong passwords at the admin site: of an address, a user, or all. `changepassword` sets a new one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("whom", nargs="?", default="", help=_("an address or the name of a user; nothing is all"))

    def handle(self, *args: Any, **options: Any) -> None:
        count = password_throttle.unlock(options["whom"])
        text = ngettext("%(count)s wrong password is forgotten.", "%(count)s wrong passwords are forgotten.", count)
        self.stdout.write(text % {"count": count})
