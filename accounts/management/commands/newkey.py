"""`manage.py newkey`: a new key for TOKEN_KEYS."""

from typing import Any

from cryptography.fernet import Fernet
from django.utils.translation import gettext_noop

from accounts.languages.commands import TranslatedCommand


class Command(TranslatedCommand):
    help = gettext_noop(
        "Print a new key for TOKEN_KEYS. Put it in front of the old ones, restart, then run rotate_keys."
    )
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(Fernet.generate_key().decode())
