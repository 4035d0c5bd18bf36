"""`manage.py open_keys FILE`: SECRET_KEY and TOKEN_KEYS out of a sealed file, for a new installation's .env."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.languages.commands import TranslatedCommand
from wallboard.operations import passphrases, sealed_keys


class Command(TranslatedCommand):
    help = gettext_noop("Print the keys that `manage.py backup --keys FILE` sealed, as lines for .env.")
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--passphrase-file", type=Path)

    def handle(self, *args: Any, file: Path, passphrase_file: Path | None, **options: Any) -> None:
        """Ask for the passphrase and print them."""
        try:
            keys = self._read(file, passphrases.to_open(passphrase_file))
        except sealed_keys.NotOpened as refusal:
            raise CommandError(str(refusal)) from refusal
        except OSError as error:
            raise CommandError(
                _("%(file)s cannot be read: %(reason)s.") % {"file": file, "reason": error.strerror}
            ) from error
        self.stdout.write(f"SECRET_KEY={keys.secret_key}\nTOKEN_KEYS={','.join(keys.token_keys)}")

    def _read(self, file: Path, tried: list[str]) -> sealed_keys.Keys:
        *others, last = tried
        for passphrase in others:
            with suppress(sealed_keys.NotOpened):
                return sealed_keys.read(file, passphrase)
        return sealed_keys.read(file, last)
