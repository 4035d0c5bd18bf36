"""What really happened on the floor: every queue call with its wait and who answered it."""

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from wallboard.simulator.types import JSON

MOST_QUEUE_CALLS = 20_000  # bounds the memory of runs that last for weeks
Outcome = Literal["waiting", "answered", "abandoned"]


@dataclass(slots=True, eq=False)
class QueueCall:
    """One call offered to a queue; `entered` and `left` are seconds of the floor."""

    queue: str
    call_id: str
    offered_at: datetime
    entered: float
    left: float | None = None
    answered_by: str | None = None

    @property
    def outcome(self) -> Outcome:
        if self.left is None:
            return "waiting"
        return "answered" if self.answered_by else "abandoned"

    def waited(self, now: float) -> float:
        """Floor seconds in the queue so far or in all."""
        return (now if self.left is None else self.left) - self.entered

    def as_json(self, now: float, speed: float) -> JSON:
        """The call with its wait in seconds of the clients."""
        return {
            "from_call_id": self.call_id,
            "offered_at": self.offered_at.isoformat(),
            "outcome": self.outcome,
            "wait_seconds": round(self.waited(now) / speed, 3),
            "answered_by": self.answered_by,
        }


class GroundTruth:
    """Counts calls since the floor opened and keeps the newest queue calls that have left their queue."""

    def __init__(self, most_queue_calls: int = MOST_QUEUE_CALLS) -> None:
        self.calls = 0
        self.counts: Counter[tuple[str, Outcome]] = Counter()
        self.left_queue: deque[QueueCall] = deque(maxlen=most_queue_calls)

    def leave_queue(self, call: QueueCall, now: float, answered_by: str | None) -> None:
        """The caller is answered by this extension, or gave up."""
        call.left, call.answered_by = now, answered_by
        self.counts[call.queue, call.outcome] += 1
        self.left_queue.append(call)

    def total(self, outcome: Outcome) -> int:
        """Queue calls of this outcome, over all queues."""
        return sum(number for (_, each), number in self.counts.items() if each == outcome)

    def queue_as_json(self, number: str, waiting: Iterable[QueueCall], now: float, speed: float) -> JSON:
        """One queue: how many calls were offered, answered and abandoned, who waits, and each call, oldest first."""
        calls = [*(call for call in self.left_queue if call.queue == number), *waiting]
        answered, abandoned = self.counts[number, "answered"], self.counts[number, "abandoned"]
        waiting_count = sum(call.left is None for call in calls)
        return {
            "queue": number,
            "offered": answered + abandoned + waiting_count,
            "answered": answered,
            "abandoned": abandoned,
            "waiting": waiting_count,
            "calls": [call.as_json(now, speed) for call in calls],
        }
