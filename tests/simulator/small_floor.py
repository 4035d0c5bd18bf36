"""A small floor without a wall clock that remembers what it told."""

from random import Random
from typing import Any

from wallboard.simulator import journeys
from wallboard.simulator.company import Manner, Person, build
from wallboard.simulator.day import Day, Steps
from wallboard.simulator.floor import Floor
from wallboard.simulator.legs import Leg
from wallboard.simulator.names import Customer

CALLER = Customer("+442079460012", "Tara Brandt")
EXACT = Manner(
    talk_seconds=60.0,
    wrap_seconds=0.0,
    patience_seconds=30.0,
    answer_seconds=5.0,
    transfer_share=0.0,
    unanswered_share=0.0,
    is_exact=True,
)
Told = list[dict[str, Any]]


class Trial:
    """A small floor at rest, everything it tells, and the time of each telling."""

    def __init__(self, people: int = 4, queues: int = 1, manner: Manner = EXACT, seed: int = 1) -> None:
        self.told: list[tuple[float, dict[str, Any]]] = []
        self.legs: list[Leg] = []
        company = build(Random(seed), people, queues)
        for queue in company.queues:
            queue.manner, queue.strategy = manner, "longest idle"
        self.floor = Floor(company, Random(seed), Day(), self._tell)
        self.queue, self.people = company.queues[0] if queues else None, company.people

    def _tell(self, leg: Leg) -> None:
        self.told.append((self.floor.now, leg.message()["calls"]))
        self.legs.append(leg)

    def go(self, *journeys: Steps, until: float = 10_000) -> None:
        for steps in journeys:
            self.floor.env.process(steps)
        self.floor.env.run(until=until)

    def of(self, user: str | None) -> list[tuple[float, str, str]]:
        """When, from state, to state of the legs that reach this user."""
        return [
            (at, call["from"]["state"], call["to"]["state"]) for at, call in self.told if call["to"]["user"] == user
        ]


def into_queue(trial: Trial, **more: Any) -> Steps:
    assert trial.queue is not None
    return journeys.into_queue(trial.floor, trial.queue, CALLER, **more)


def doing(trial: Trial) -> list[str]:
    return [str(person.doing) for person in trial.people]


def make_busy(trial: Trial, people: list[Person]) -> None:
    for person in people:
        person.start("talking", 0)
