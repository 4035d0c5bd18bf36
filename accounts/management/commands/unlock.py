"""`manage.py unlock`: whoever was locked out of the admin site may try again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from accounts.signin import password_throttle


class Command(BaseCommand):
    help = "Forget wrong passwords at the admin site: of an address, a user, or all. `changepassword` sets a new one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("whom", nargs="?", default="", help="an address or the name of a user; nothing is all")

    def handle(self, *args: Any, **options: Any) -> None:
        count = password_throttle.unlock(options["whom"])
        self.stdout.write(f"{count} wrong passwords are forgotten.")
