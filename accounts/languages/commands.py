"""The language of commands: whoever runs one reads it in their own, and what programs read stays English."""

import os
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext

from accounts.languages import choosing

SHELL = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first of them that is set counts, as for every program
OF_NOBODY = ("c", "posix")  # as machines without a choice have it


class TranslatedCommand(BaseCommand):
    """A command whose texts are translated; `help` is marked with gettext_noop. With --json it speaks English."""

    def create_parser(self, prog_name: str, subcommand: str, **options: Any) -> Any:
        with choosing.speaking(of_shell()):
            self.help = gettext(self.help) if self.help else ""
            return super().create_parser(prog_name, subcommand, **options)

    def execute(self, *args: Any, **options: Any) -> str | None:
        is_for_programs = bool(options.get("json"))
        language = "en" if is_for_programs else of_shell() or choosing.of_only_company()
        with choosing.speaking(language):
            _check(options)
            return super().execute(*args, **options)


def _check(options: dict[str, Any]) -> None:
    """Raises CommandError for what no database takes: NUL, and bytes of the shell that are no UTF-8."""
    for value in options.values():
        if isinstance(value, str) and value != _clean(value):
            raise CommandError(
                gettext("%(argument)s holds characters that cannot be stored. Type it anew.")
                % {"argument": ascii(value)}
            )


def _clean(text: str) -> str:
    """What of a text a database takes."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def of_shell() -> str:
    """What WALLBOARD_LANGUAGE or the shell asks for and there is a catalogue of; "" for no choice."""
    if settings.COMMAND_LANGUAGE:
        return str(settings.COMMAND_LANGUAGE)
    locale = next(filter(None, (os.environ.get(name, "") for name in SHELL)), "").split(".")[0].split("@")[0].lower()
    code = locale.split("_")[0]
    if not code or code in OF_NOBODY:
        return ""
    return choosing.first_offered(code)
