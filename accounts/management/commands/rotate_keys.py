"""`manage.py rotate_keys`: everything that is sealed, written anew under the newest key."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.encryption import WrongKey
from accounts.tokens import key_rotation


class Command(BaseCommand):
    help = "Re-encrypt every stored secret under the first of TOKEN_KEYS. Safe while the site runs, and safe to repeat."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            count = key_rotation.rotate_all()
        except WrongKey as error:
            raise CommandError(f"{error} Put it back behind the newest one; nothing more was changed.") from error
        self.stdout.write(f"{count} stored secrets are under the newest key now; older keys may leave TOKEN_KEYS.")
