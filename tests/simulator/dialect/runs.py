"""Runs of the floor in a dialect, without HTTP."""

from typing import Any

from wallboard.simulator.floor.placed_calls import CallRequest, placed_call
from wallboard.simulator.options import Options
from wallboard.simulator.stream import Stream

SEED = 11


def stream(**dialect: object) -> Stream:
    """The demo's load in this dialect, always the same."""
    return Stream(Options(seed=SEED, scenario="demo", dialect=dialect))


def payloads(kind: str, seconds: float = 600, **dialect: object) -> list[Any]:
    """What comes of this kind in the demo's first minutes."""
    return [item.payload for item in stream(**dialect).run(seconds) if item.kind == kind]


def calls(seconds: float = 600, **dialect: object) -> list[dict[str, Any]]:
    """The call messages of the demo's first minutes."""
    return [payload["calls"] for payload in payloads("calls", seconds, **dialect)]


class PlacedCall:
    """One call on a quiet floor, answered after 5 seconds for 20 seconds; what came of it."""

    def __init__(self, to_user: str = "4001", *, answer: bool = True, **dialect: object) -> None:
        quiet = Stream(Options(seed=SEED, scenario="quiet", agents=4, queues=1, dialect=dialect))
        self.provider = quiet.provider
        request = CallRequest("+12125550188", to_user, "Tara Brandt", "", "", 5.0, 20.0, answer)
        list(quiet.run(1))  # until the subscription is ready
        self.process, self.caller = placed_call(self.provider.floor, request)
        self.provider.floor.env.process(self.process)
        self.items = list(quiet.run(120))

    @property
    def messages(self) -> list[dict[str, Any]]:
        return [item.payload["calls"] for item in self.items if item.kind == "calls"]

    @property
    def records(self) -> list[dict[str, Any]]:
        return [record for item in self.items if item.kind == "cdrs" for record in item.payload]

    def states(self, user: str) -> list[tuple[str, str]]:
        """From state, to state of the legs that reach this user."""
        legs = [call for call in self.messages if call["to"]["user"] == user]
        return [(call["from"]["state"], call["to"]["state"]) for call in legs]
