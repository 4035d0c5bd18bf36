"""`manage.py setup`: prepare an installation, or bring one up to date. Safe to repeat."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connection

from accounts import domains
from accounts.models import Domain, Person, User
from accounts.signin import authorize_path
from wallboard import first_settings
from wallboard.boards.default_board import ensure_default_board
from wallboard.notifications import push_keys
from wallboard.notifications.models import PushKey
from wallboard.queues.models import Target
from wallboard.setup import first_key

FIRST_TARGET = {"longest_wait_watch_seconds": 60, "longest_wait_late_seconds": 120}


class Command(BaseCommand):
    help = (
        "Make up the settings that are missing, migrate the database, collect static files, create or update the "
        "company that the environment names, and print the address at which the first administrator begins."
    )
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        # Read by first_settings.prepare, before there are settings.
        text = "where people and the provider will reach the site; kept as PUBLIC_URL in the settings file"
        parser.add_argument(first_settings.URL_OPTION, help=text)
        parser.add_argument("--no-static", action="store_true", help="leave static files as they are, as in an image")

    def handle(self, *args: Any, no_static: bool = False, **options: Any) -> None:
        self._migrate()
        self._keep_settings()
        if not no_static:
            self._collect()
        push_keys.private_key()  # browsers subscribe with its public half: it is there before the first of them
        domain = self._domain()
        if domain is None:
            self._first_steps()
            return
        board = ensure_default_board(domain)
        Target.objects.get_or_create(domain=domain, queue=None, defaults=FIRST_TARGET)
        self.stdout.write(f"Board: {settings.PUBLIC_URL}/boards/{board.slug}/")
        self._next_steps(domain, board.slug)

    def _migrate(self) -> None:
        try:
            call_command("migrate", verbosity=0, interactive=False)
        except DatabaseError as error:
            raise CommandError(f"The database of DATABASE_URL cannot be prepared: {first_line(error)}") from error
        self.stdout.write(f"Database: up to date ({connection.vendor}).")

    def _keep_settings(self) -> None:
        """Write down what was made up; not where the database holds what other keys have sealed."""
        if first_settings.is_lent("TOKEN_KEYS") and (Domain.objects.exists() or PushKey.objects.exists()):
            raise CommandError(
                "TOKEN_KEYS is set nowhere, and the database holds secrets that other keys sealed. Put those keys back "
                f"into {first_settings.env_file()}, or name the file that has them in WALLBOARD_ENV_FILE."
            )
        try:
            names = first_settings.keep()
        except OSError as error:
            raise CommandError(f"{first_settings.env_file()} cannot be written: {error.strerror}.") from error
        if names:
            self.stdout.write(f"Settings: {', '.join(names)} written to {first_settings.env_file()}.")

    def _collect(self) -> None:
        try:
            call_command("collectstatic", verbosity=0, interactive=False)
        except OSError as error:
            raise CommandError(f"STATIC_ROOT ({settings.STATIC_ROOT}) cannot be written: {error.strerror}.") from error
        self.stdout.write("Static files: collected.")

    def _domain(self) -> Domain | None:
        domain = domains.from_environment()
        if domain is None:
            self.stdout.write("Company: none yet; the PROVIDER_… settings name none.")
            return None
        self.stdout.write(f"Company: {domain}, at {domain.base_url}.")
        if authorize_path.learn(domain):
            self.stdout.write(f"Sign-in page of the provider: {domain.authorize_path}")
        ours = domain.provider_domain or "not known yet; the first calls tell it"
        self.stdout.write(f"Its domain at the provider: {ours}.")
        return domain

    def _first_steps(self) -> None:
        steps = ["Run the processes of the Procfile: web, worker, and exactly one beat."]
        if first_key.is_needed():
            steps.append(self._invitation())
        else:
            steps.append(f"Go on in the browser: {settings.PUBLIC_URL}/setup/start/")
        self._list(steps)

    def _invitation(self) -> str:
        minutes = int(first_key.VALIDITY.total_seconds() // 60)
        return (
            f"Become the first administrator: open {first_key.issue()}\n"
            f"    It works once and for {minutes} minutes; `manage.py setup` prints another one."
        )

    def _next_steps(self, domain: Domain, slug: str) -> None:
        steps = ["Run the processes of the Procfile: web, worker, and exactly one beat."]
        if not domain.login_client_id:
            steps.append("Set PROVIDER_LOGIN_CLIENT_ID and PROVIDER_LOGIN_CLIENT_SECRET so that people can sign in.")
        if not Person.objects.filter(domain=domain, role=Person.Role.ADMINISTRATOR).exists():
            steps.append("Say who administrates: `manage.py person EXTENSION --role administrator`. Or else:")
            steps.append(self._invitation())
        if not User.objects.filter(is_superuser=True).exists():
            steps.append("Make the account for the admin site: `manage.py createsuperuser`.")
        steps.append(f"For a TV: `manage.py screen {slug}` prints its address.")
        self._list(steps)

    def _list(self, steps: list[str]) -> None:
        self.stdout.write("Next:")
        for step in steps:
            self.stdout.write(f"  - {step}")


def first_line(error: Exception) -> str:
    """The part of a database's message that says what is wrong."""
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
