"""`manage.py simulate`: the provider's service on this machine, for trials, tests and the demo."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from wallboard.simulator.options import Options

SCENARIOS = "demo: always ten in the morning, with an overloaded queue; quiet: only calls that are placed"

DIALECT_HELP = "how the provider speaks where the API document leaves it open; `--dialect help` lists the switches"


class Command(BaseCommand):
    help = "Run the telephony provider's service: its API, a living call floor, and pages that show both."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        add("--host", default="127.0.0.1", help="address to listen on; only this machine unless told otherwise")
        add("--port", type=_in_range(1, 65_535), default=9000)
        add("--agents", type=_in_range(1, 20_000), default=24, help="people on the floor")
        add("--queues", type=_in_range(1, 999), default=6)
        add("--companies", type=_in_range(0, 10_000), default=0, help="further companies, below /c/1/ and so on")
        add("--speed", type=_positive, default=1.0, help="floor seconds per second")
        add("--seed", type=int, help="the same seed gives the same run of the floor")
        add("--load", type=_not_negative, default=1.0, help="share of the usual calls; 0 is a quiet floor")
        add("--start", type=_hour, default=10.0, metavar="HH:MM", help="time of the floor's day at the start")
        add("--stay", action="store_true", help="the floor's day stays at that time, and nobody goes home")
        add("--scenario", choices=("demo", "quiet"), default="", help=SCENARIOS)
        add("--client-id", help="application of the client credentials grant")
        add("--client-secret")
        add("--login-client-id", help="application of the authorization code grant")
        add("--login-client-secret")
        add("--redirect-uri", action="append", help="registered redirect URL; can be repeated")
        add("--control", action="store_true", help="open the control page and its HTTP interface")
        add("--dialect", action="append", metavar="NAME=VALUE", help=DIALECT_HELP)

    def handle(self, *args: Any, **values: Any) -> None:
        try:
            # Here only: the command is listed, with a sentence to read, where its packages are not installed.
            from wallboard.simulator.dialect import changes
            from wallboard.simulator.service import server
        except ModuleNotFoundError as error:
            if error.name not in ("aiohttp", "simpy"):
                raise
            sentence = f"The simulator needs {error.name}: pip install -r requirements-dev.txt"
            raise CommandError(sentence) from None
        arguments = values["dialect"] or []
        if "help" in arguments:
            self.stdout.write(changes.help_text())
            return
        try:
            values["dialect"] = changes.from_arguments(arguments)
            server.run(Options.from_command_line(values), self.stdout)
        except ValueError as problem:
            raise CommandError(str(problem)) from None
        except OSError as error:
            address = f"{values['host']}:{values['port']}"
            raise CommandError(f"Cannot listen on {address}: {error.strerror or error}.") from None


def _in_range(least: int, most: int) -> Any:
    def whole(text: str) -> int:
        if not text.isdigit() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"a whole number from {least} to {most}, not {text!r}")
        return int(text)

    return whole


def _positive(text: str) -> float:
    if (value := _not_negative(text)) == 0:
        raise argparse.ArgumentTypeError("a number above zero")
    return value


def _not_negative(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1000:
        raise argparse.ArgumentTypeError(f"a number from 0 to 1000, not {text!r}")
    return value


def _hour(text: str) -> float:
    hours, _, minutes = text.partition(":")
    if not (hours.isdigit() and (minutes or "0").isdigit() and int(hours) < 24 and int(minutes or 0) < 60):
        raise argparse.ArgumentTypeError(f"a time such as 10:00, not {text!r}")
    return int(hours) + int(minutes or 0) / 60
