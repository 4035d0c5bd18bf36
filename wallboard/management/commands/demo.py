"""`manage.py demo`: the whole product on this machine, with a simulated provider. Nothing but Python is needed."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.languages.commands import TranslatedCommand
from wallboard.demo.folder import DemoFolder
from wallboard.demo.processes import BASE_DIR, HIGHEST_PORT, wait_until
from wallboard.demo.run import READY_SECONDS, CannotStart, Demo
from wallboard.demo.supervisor import Stop, Supervisor, stop_on_signals


class Command(TranslatedCommand):
    help = gettext_noop(
        "Run the wallboard with a simulated provider: Redis, simulator, web, worker and beat, until Ctrl-C."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--port", type=int, default=8000, help=_("of the pages; where it is taken, the next free one")
        )
        parser.add_argument("--folder", type=Path, default=BASE_DIR / ".demo", help=_("for keys, database and logs"))

    def handle(self, *args: Any, **options: Any) -> None:
        if not 0 <= options["port"] <= HIGHEST_PORT:
            raise CommandError(
                _("A port is a number from 1 to %(highest)s, not %(port)s.")
                % {"highest": HIGHEST_PORT, "port": options["port"]}
            )
        folder = DemoFolder(options["folder"].resolve())
        if not folder.take():
            wait_until(lambda: bool(folder.read("addresses")), READY_SECONDS)
            self.say(_("The demo is running already."))
            self.show(folder.read("addresses"))
            return
        with stop_on_signals():
            self.run(folder, options["port"])

    def run(self, folder: DemoFolder, port: int) -> None:
        """Bring everything up and keep it up until somebody asks to stop."""
        supervisor = Supervisor(folder.path, self.say)
        try:
            Demo(folder, supervisor, self.say, port).start()
            self.show(folder.read("addresses"))
            self.say(_("Logs and process ids are in %(path)s. Ctrl-C stops everything.") % {"path": folder.path})
            supervisor.run()
        except CannotStart as problem:
            raise CommandError(str(problem)) from problem
        except Stop:
            self.say(_("Stopping …"))
        finally:
            supervisor.stop()
            folder.forget("addresses")
            folder.release()
        self.say(_("Stopped. The next start goes on from what is kept."))

    def show(self, addresses: dict[str, str]) -> None:
        self.say("")
        for name, address in addresses.items():
            self.say(f"  {name:<20} {address}")
        self.say("")

    def say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
