"""A small floor without a wall clock that remembers what it reported."""

from random import Random
from typing import Any

from wallboard.simulator.floor import call_flows
from wallboard.simulator.floor.calls import Leg
from wallboard.simulator.floor.company import CallProfile, Person, build
from wallboard.simulator.floor.day import Day
from wallboard.simulator.floor.floor import Floor
from wallboard.simulator.floor.names import Customer
from wallboard.simulator.messages.call_messages import call_message
from wallboard.simulator.types import Process

CALLER = Customer("+442079460012", "Tara Brandt")
EXACT = CallProfile(
    talk_seconds=60.0,
    wrap_up_seconds=0.0,
    patience_seconds=30.0,
    answer_seconds=5.0,
    transfer_share=0.0,
    unanswered_share=0.0,
    is_exact=True,
)


class SmallFloor:
    """A small floor at rest, every message it leads to, and the time of each."""

    def __init__(self, people: int = 4, queues: int = 1, profile: CallProfile = EXACT, seed: int = 1) -> None:
        self.messages: list[tuple[float, dict[str, Any]]] = []
        company = build(Random(seed), people, queues)
        for queue in company.queues:
            queue.profile, queue.strategy = profile, "longest idle"
        self.floor = Floor(company, Random(seed), Day())
        self.floor.on_leg_change = self._changed
        self.queue, self.people = company.queues[0] if queues else None, company.people

    def _changed(self, leg: Leg) -> None:
        self.messages.append((self.floor.now, call_message(leg, self.floor.dialect)["calls"]))

    def run(self, *calls: Process, until: float = 10_000) -> None:
        for call in calls:
            self.floor.env.process(call)
        self.floor.env.run(until=until)

    def of(self, user: str | None) -> list[tuple[float, str, str]]:
        """When, from state, to state of the legs that reach this user."""
        return [
            (at, call["from"]["state"], call["to"]["state"]) for at, call in self.messages if call["to"]["user"] == user
        ]


def queue_call(small: SmallFloor, **more: Any) -> Process:
    assert small.queue is not None
    return call_flows.queue_call(small.floor, small.queue, CALLER, **more)


def activities(small: SmallFloor) -> list[str]:
    return [str(person.activity) for person in small.people]


def make_busy(people: list[Person]) -> None:
    for person in people:
        person.start("talking", 0)
