"""Live call queue statistics: one entry for each queue, as the dialect has it."""

from collections import deque
from collections.abc import Iterable

from wallboard.simulator.floor.company import Activity, Person, Queue
from wallboard.simulator.floor.floor import Floor
from wallboard.simulator.messages.queue_waits import queue_waits
from wallboard.simulator.types import JSON

SECONDS_PER_UNIT = {"s": 1.0, "ms": 0.001, "min": 60.0}
SAMPLE_SECONDS = 1.0
AVAILABLE: dict[str, tuple[Activity, ...]] = {
    "not_in_call": ("idle", "ringing"),
    "idle": ("idle",),
    "signed_in": ("idle", "ringing", "talking", "wrapping up"),
}
SIGNED_OFF: tuple[Activity, ...] = ("on a break", "off shift")


class QueueStatistics:
    """The figures of a floor's queues; waits are seconds of the clients."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._samples: deque[tuple[float, list[JSON]]] = deque()
        self._is_sampling = False

    def entries(self) -> list[JSON]:
        """One entry per queue, as old as the dialect wants them."""
        if self._lag <= 0:
            return self._current()
        if not self._is_sampling:
            self._sample()
        self._forget_old_samples()
        return self._samples[0][1]

    @property
    def _lag(self) -> float:
        """In seconds of the floor."""
        return self._floor.dialect.statistics_lag_seconds * self._floor.speed

    def _sample(self) -> None:
        """Remember the figures every second, as long as the dialect wants old ones."""
        self._is_sampling = self._lag > 0
        if not self._is_sampling:
            self._samples.clear()
            return
        self._samples.append((self._floor.now, self._current()))
        self._forget_old_samples()
        self._floor.call_later(SAMPLE_SECONDS, self._sample)

    def _forget_old_samples(self) -> None:
        """The newest sample that is old enough is the oldest that is needed."""
        while len(self._samples) > 1 and self._samples[1][0] <= self._floor.now - self._lag:
            self._samples.popleft()

    def _current(self) -> list[JSON]:
        dialect = self._floor.dialect
        waits = {scope: queue_waits(self._floor, scope) for scope in {dialect.avg_wait_of, dialect.max_wait_of}}
        return [
            self._entry(queue, waits[dialect.avg_wait_of][queue.number], waits[dialect.max_wait_of][queue.number])
            for queue in self._floor.company.queues
        ]

    def _entry(self, queue: Queue, averaged: list[float], compared: list[float]) -> JSON:
        is_text = self._floor.dialect.queue_id_type == "string"
        return {
            "queue": queue.number if is_text else int(queue.number),
            "calls_waiting": len(queue.waiting),
            "avg_wait": self._in_unit(sum(averaged) / len(averaged) if averaged else 0.0),
            "max_wait": self._in_unit(max(compared, default=0.0)),
            **self._agents(queue.people),
        }

    def _agents(self, people: Iterable[Person]) -> dict[str, int]:
        dialect = self._floor.dialect
        activities = [person.activity for person in people]
        available = sum(map(activities.count, AVAILABLE[dialect.available_agents]))
        signed_off = sum(map(activities.count, SIGNED_OFF))
        uncounted = 0 if dialect.signed_off_agents == "unavailable" else signed_off
        return {
            "num_agents": len(activities) - (uncounted if dialect.signed_off_agents == "excluded" else 0),
            "available_agents": available,
            "unavailable_agents": len(activities) - available - uncounted,
        }

    def _in_unit(self, seconds: float) -> int:
        # The API document shows whole numbers only.
        return int(seconds / SECONDS_PER_UNIT[self._floor.dialect.wait_unit])
