"""`manage.py setup`: prepare an installation, or bring one up to date. Safe to repeat."""

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser
from django.db import DatabaseError, connection
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from accounts import domains
from accounts.companies import public_address
from accounts.languages.commands import TranslatedCommand
from accounts.languages.lists import listed
from accounts.models import Domain, User
from accounts.signin import authorize_path
from wallboard import first_settings, migrating
from wallboard.boards.default_board import ensure_default_board
from wallboard.notifications import push_keys
from wallboard.notifications.models import PushKey
from wallboard.queues.models import Target
from wallboard.setup import first_key

FIRST_TARGET = {"longest_wait_watch_seconds": 60, "longest_wait_late_seconds": 120}


class Command(TranslatedCommand):
    help = gettext_noop(
        "Make up the settings that are missing, migrate the database, collect static files, create or update the "
        "company that the environment names, and print the address at which the first administrator begins."
    )
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        # Read by first_settings.prepare, before there are settings.
        text = _(
            "where people and the provider reach the site; stored, or in the settings file where PUBLIC_URL is there"
        )
        parser.add_argument(first_settings.URL_OPTION, help=text)
        parser.add_argument(
            "--no-static", action="store_true", help=_("leave static files as they are, as in an image")
        )

    def handle(self, *args: Any, no_static: bool = False, url: str | None = None, **options: Any) -> None:
        self._migrate()
        self._keep_settings()
        self._keep_address(url or "")
        if not no_static:
            self._collect()
        push_keys.private_key()  # browsers subscribe with its public half: it is there before the first of them
        domain = self._domain()
        if domain is None:
            self._first_steps()
            return
        board = ensure_default_board(domain)
        Target.objects.get_or_create(domain=domain, queue=None, defaults=FIRST_TARGET)
        self.stdout.write(
            _("Board: %(address)s/boards/%(slug)s/") % {"address": public_address.url(), "slug": board.slug}
        )
        self._next_steps(domain, board.slug)

    def _migrate(self) -> None:
        try:
            migrating.migrate()
        except DatabaseError as error:
            raise CommandError(
                _("The database of DATABASE_URL cannot be prepared: %(reason)s") % {"reason": first_line(error)}
            ) from error
        self.stdout.write(_("Database: up to date (%(database)s).") % {"database": connection.vendor})

    def _keep_settings(self) -> None:
        """Write down what was made up; not where the database holds what other keys have sealed."""
        if first_settings.is_lent("TOKEN_KEYS") and (Domain.objects.exists() or PushKey.objects.exists()):
            raise CommandError(
                _(
                    "TOKEN_KEYS is set nowhere, and the database holds secrets that other keys sealed. Put "
                    "those keys back into %(file)s, or name the file that has them in WALLBOARD_ENV_FILE."
                )
                % {"file": first_settings.env_file()}
            )
        try:
            names = first_settings.keep()
        except OSError as error:
            raise CommandError(
                _("%(file)s cannot be written: %(reason)s.")
                % {"file": first_settings.env_file(), "reason": error.strerror}
            ) from error
        if names:
            self.stdout.write(
                _("Settings: %(names)s written to %(file)s.")
                % {"names": listed(names), "file": first_settings.env_file()}
            )

    def _keep_address(self, asked: str) -> None:
        """Where the environment names no address, store the one that was asked for, or that of this machine."""
        if public_address.is_fixed() or not (asked or not public_address.is_stored()):
            return
        try:
            public_address.store(public_address.checked(asked or public_address.url()))
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        told = _("Address: %(address)s; it can be changed at /setup/start/address/.")
        self.stdout.write(told % {"address": public_address.url()})

    def _collect(self) -> None:
        try:
            call_command("collectstatic", verbosity=0, interactive=False)
        except OSError as error:
            raise CommandError(
                _("STATIC_ROOT (%(folder)s) cannot be written: %(reason)s.")
                % {"folder": settings.STATIC_ROOT, "reason": error.strerror}
            ) from error
        self.stdout.write(_("Static files: collected."))

    def _domain(self) -> Domain | None:
        domain = domains.from_environment()
        if domain is None:
            self.stdout.write(_("Company: none yet; the PROVIDER_… settings name none."))
            return None
        self.stdout.write(_("Company: %(domain)s, at %(base_url)s.") % {"domain": domain, "base_url": domain.base_url})
        if authorize_path.learn(domain):
            self.stdout.write(
                _("Sign-in page of the provider: %(authorize_path)s") % {"authorize_path": domain.authorize_path}
            )
        ours = domain.provider_domain or _("not known yet; the first calls tell it")
        self.stdout.write(_("Its domain at the provider: %(domain)s.") % {"domain": ours})
        return domain

    def _first_steps(self) -> None:
        steps = [_("Run the processes of the Procfile: web, worker and beat.")]
        if first_key.is_needed():
            steps.append(self._invitation())
        else:
            steps.append(_("Go on in the browser: %(address)s/setup/start/") % {"address": public_address.url()})
        self._list(steps)

    def _invitation(self) -> str:
        minutes = int(first_key.VALIDITY.total_seconds() // 60)
        lasts = ngettext(
            "It works once and for %(minutes)s minute; `manage.py setup` prints another one.",
            "It works once and for %(minutes)s minutes; `manage.py setup` prints another one.",
            minutes,
        ) % {"minutes": minutes}
        return _("Become the first administrator: open %(address)s") % {"address": first_key.issue()} + f"\n    {lasts}"

    def _next_steps(self, domain: Domain, slug: str) -> None:
        steps = [_("Run the processes of the Procfile: web, worker and beat.")]
        if not domain.login_client_id:
            steps.append(_("Set PROVIDER_LOGIN_CLIENT_ID and PROVIDER_LOGIN_CLIENT_SECRET so that people can sign in."))
        if first_key.is_needed(domain):
            steps.append(_("Say who administrates: `manage.py person EXTENSION --role administrator`. Or else:"))
            steps.append(self._invitation())
        if not User.objects.filter(is_superuser=True).exists():
            steps.append(_("Make the account for the admin site: `manage.py createsuperuser`."))
        steps.append(_("For a TV: `manage.py screen %(slug)s` prints its address.") % {"slug": slug})
        self._list(steps)

    def _list(self, steps: list[str]) -> None:
        self.stdout.write(_("Next:"))
        for step in steps:
            self.stdout.write(f"  - {step}")


def first_line(error: Exception) -> str:
    """The part of a database's message that says what is wrong."""
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
