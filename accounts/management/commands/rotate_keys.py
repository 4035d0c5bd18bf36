"""`manage.py rotate_keys`: everything that is sealed, written anew under the newest key."""

from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from accounts.encryption import WrongKey
from accounts.languages.commands import TranslatedCommand
from accounts.tokens import key_rotation


class Command(TranslatedCommand):
    help = gettext_noop(
        "Re-encrypt every stored secret under the first of TOKEN_KEYS. Safe while the site runs, and safe to repeat."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            count = key_rotation.rotate_all()
        except WrongKey as error:
            raise CommandError(
                _("%(reason)s Put it back behind the newest one; nothing more was changed.") % {"reason": error}
            ) from error
        self.stdout.write(
            ngettext(
                "%(count)s stored secret is under the newest key now; older keys may leave TOKEN_KEYS.",
                "%(count)s stored secrets are under the newest key now; older keys may leave TOKEN_KEYS.",
                count,
            )
            % {"count": count}
        )
