"""The provider without its HTTP side: the floor, and what clients get to see of it."""

from collections.abc import Callable
from datetime import datetime
from random import Random

from wallboard.simulator.dialect import changes
from wallboard.simulator.dialect.switches import Dialect
from wallboard.simulator.floor import demo_scenario, traffic
from wallboard.simulator.floor.company import build
from wallboard.simulator.floor.day import Day
from wallboard.simulator.floor.endpoints import EndpointFactory
from wallboard.simulator.floor.floor import EPOCH, Clock, Floor
from wallboard.simulator.messages.publisher import Message, Publisher
from wallboard.simulator.messages.queue_statistics import QueueStatistics
from wallboard.simulator.options import Options
from wallboard.simulator.types import JSON


class Provider:
    """A company's floor with its statistics; every message for subscribers goes to `send`."""

    def __init__(
        self,
        options: Options,
        send: Callable[[Message], None],
        clock: Clock | None = None,
        *,
        starts_at: datetime = EPOCH,
        run_name: str = "",
    ) -> None:
        random, self.dialect_random = _randoms(options.seed)
        self._scenario = options.scenario
        self.dialect = Dialect()
        changes.apply(self.dialect, options.dialect)
        self.company = build(random, options.agents, options.queues)
        day = Day(options.start, stays=options.day_stays)
        endpoints = EndpointFactory(self.company, self.dialect, self.dialect_random, run_name)
        self.floor = Floor(
            self.company,
            random,
            day,
            clock,
            starts_at=starts_at,
            speed=options.speed,
            dialect=self.dialect,
            endpoints=endpoints,
        )
        self.floor.load = options.load
        self.statistics = QueueStatistics(self.floor)
        self.publisher = Publisher(self.floor, self.dialect_random, send)

    def ground_truth(self) -> JSON:
        """What really happened, whatever the dialect made of it; waits are seconds of the clients."""
        floor = self.floor
        queues = [
            floor.truth.queue_as_json(
                queue.number, [waiting.queue_call for waiting in queue.waiting], floor.now, floor.speed
            )
            for queue in self.company.queues
        ]
        people = [{"extension": person.extension, "activity": person.activity} for person in self.company.people]
        return {"now": floor.clock.now().isoformat(), "calls": floor.truth.calls, "queues": queues, "people": people}

    def start(self, on_outage: Callable[[float], None], signed_in: Callable[[], list[str]]) -> None:
        """Let the floor begin to live; the arguments are those of the demo's scenario."""
        self.statistics.entries()  # where figures are to be old, they are kept from now on
        if self._scenario != "quiet":
            traffic.start(self.floor)
        if self._scenario == "demo":
            demo_scenario.start(self.floor, on_outage, signed_in)


def _randoms(seed: int | None) -> tuple[Random, Random]:
    """What decides who calls, and what decides what the dialect does to it: the floor is the same in any dialect."""
    return Random(seed), Random(None if seed is None else f"dialect {seed}")  # noqa: S311  (guard nothing)
