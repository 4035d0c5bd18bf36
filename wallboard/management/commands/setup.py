"""`manage.py setup`: prepare an installation, or bring one up to date. Safe to repeat."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from accounts import domains
from accounts.models import Domain, Person, User
from accounts.signin import authorize_path
from wallboard.boards.default_board import ensure_default_board
from wallboard.notifications import push_keys
from wallboard.queues.models import Target

FIRST_TARGET = {"longest_wait_watch_seconds": 60, "longest_wait_late_seconds": 120}


class Command(BaseCommand):
    help = "Migrate the database, collect static files, and create or update the company that the environment names."
    requires_migrations_checks = False

    def handle(self, *args: Any, **options: Any) -> None:
        self._migrate()
        self._collect()
        push_keys.private_key()  # browsers subscribe with its public half: it is there before the first of them
        domain = self._domain()
        if domain is None:
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

    def _collect(self) -> None:
        try:
            call_command("collectstatic", verbosity=0, interactive=False)
        except OSError as error:
            raise CommandError(f"STATIC_ROOT ({settings.STATIC_ROOT}) cannot be written: {error.strerror}.") from error
        self.stdout.write("Static files: collected.")

    def _domain(self) -> Domain | None:
        domain = domains.from_environment()
        if domain is None:
            self.stdout.write(
                "Company: none, because PROVIDER_BASE_URL, PROVIDER_CLIENT_ID and PROVIDER_CLIENT_SECRET are not set. "
                "Set them (.env.example explains each) and run `manage.py setup` again."
            )
            return None
        self.stdout.write(f"Company: {domain}, at {domain.base_url}.")
        if authorize_path.learn(domain):
            self.stdout.write(f"Sign-in page of the provider: {domain.authorize_path}")
        ours = domain.provider_domain or "not known yet; the first calls tell it"
        self.stdout.write(f"Its domain at the provider: {ours}.")
        return domain

    def _next_steps(self, domain: Domain, slug: str) -> None:
        steps = ["Run the processes of the Procfile: web, worker, and exactly one beat."]
        if not domain.login_client_id:
            steps.append("Set PROVIDER_LOGIN_CLIENT_ID and PROVIDER_LOGIN_CLIENT_SECRET so that people can sign in.")
        if not Person.objects.filter(domain=domain, role=Person.Role.ADMINISTRATOR).exists():
            steps.append("Say who administrates: `manage.py person EXTENSION --role administrator`.")
        if not User.objects.filter(is_superuser=True).exists():
            steps.append("Make the account for the admin site: `manage.py createsuperuser`.")
        steps.append(f"For a TV: `manage.py screen {slug}` prints its address.")
        self.stdout.write("Next:")
        for step in steps:
            self.stdout.write(f"  - {step}")


def first_line(error: Exception) -> str:
    """The part of a database's message that says what is wrong."""
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
