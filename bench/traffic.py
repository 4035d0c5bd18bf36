"""Call events as the provider posts them, so many calls at a time, in the order of their lives."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count

LIFE = ("ringing", "active", "ended")
FIRST_EXTENSION = 100


def life_of(number: int, at_once: int) -> tuple[int, str]:
    """Which call the event of that number is about, and what it says."""
    step = number // at_once % len(LIFE)
    return number // (at_once * len(LIFE)) * at_once + number % at_once, LIFE[step]


def call_id(call: int, run: str = "") -> str:
    """The id of a call, as it also stands in the news of it; calls of another run are others."""
    return f"{run}-{call:07}"


def events(at_once: int, extensions: int, run: str = "") -> Iterator[bytes]:
    """The bodies of events 0, 1, 2 …: every call rings, is answered and ends, to one of so many extensions."""
    began = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S}"  # of a call that began long ago it is looked up what it is
    for number in count():
        call, state = life_of(number, at_once)
        name, extension = call_id(call, run), str(FIRST_EXTENSION + 1 + call % extensions)
        source = {"id": f"+1555{call % 10_000_000:07}", "call_id": name, "state": state, "name": "Ana Lima"}
        target = {"id": extension, "user": extension, "call_id": f"{name}-leg", "state": state}
        told = {"on_net": False, "from": source, "to": target, "time_start": began}
        yield json.dumps({"calls": told}).encode()
