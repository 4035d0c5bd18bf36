"""`manage.py unlock`: whoever was locked out of the admin site may try again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from accounts import attempts


class Command(BaseCommand):
    help = "Forget wrong passwords at the admin site, of one address or of all. `changepassword` sets a new password."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", nargs="?", default="")

    def handle(self, *args: Any, **options: Any) -> None:
        count = attempts.unlock(options["address"])
        self.stdout.write(f"{count} wrong passwords are forgotten.")
