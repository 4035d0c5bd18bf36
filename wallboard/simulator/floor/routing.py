"""Who gets the next call of a queue: callers wait in order, people ring by the queue's strategy."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from simpy import Event, Interrupt

from wallboard.simulator.floor.calls import Call, Leg
from wallboard.simulator.floor.company import CallProfile, Person, Queue
from wallboard.simulator.floor.ground_truth import QueueCall
from wallboard.simulator.types import Process

if TYPE_CHECKING:
    from simpy import Process as RunningProcess

    from wallboard.simulator.floor.floor import Floor


@dataclass(eq=False)
class WaitingCall:
    """A caller's place in a queue; `answer` is who took the call, with their leg; `answered` fires then."""

    call: Call
    queue: Queue
    profile: CallProfile
    queue_call: QueueCall
    answered: Event
    ringing: dict[Person, Leg] = field(default_factory=dict)
    ring_round: "RunningProcess | None" = None
    answer: tuple[Person, Leg] | None = None


class Routing:
    """Brings the callers of all queues and the free people together."""

    def __init__(self, floor: "Floor") -> None:
        self._floor = floor
        self._choose: dict[str, Callable[[list[Person]], list[Person]]] = {
            "ring all": lambda free: free,
            "longest idle": lambda free: [min(free, key=lambda person: person.since)],
        }

    def enter(self, waiting: WaitingCall) -> None:
        """The caller waits from now on."""
        waiting.queue.waiting.append(waiting)
        self.offer(waiting.queue)

    def leave(self, waiting: WaitingCall) -> None:
        """The caller gave up or was answered: nobody rings for this call any more."""
        waiting.queue.waiting.remove(waiting)
        if waiting.ring_round is not None and waiting.ring_round.is_alive:
            waiting.ring_round.interrupt()
        self._stop_ringing(waiting)

    def offer(self, queue: Queue) -> None:
        """Ring free people for callers that nobody rings for yet, first come first served."""
        for waiting in queue.waiting:
            if waiting.ringing:
                continue
            free = [person for person in queue.people if person.is_free]
            if not free:
                return
            self._ring(waiting, self._choose[queue.strategy](free))

    def serve_with(self, person: Person) -> None:
        """Somebody can take a call again: the queue whose first caller waits longest is served first."""
        queues = [queue for queue in person.queues if queue.waiting]
        for queue in sorted(queues, key=lambda queue: queue.waiting[0].queue_call.entered):
            if not person.is_free:
                return
            self.offer(queue)

    def _ring(self, waiting: WaitingCall, people: list[Person]) -> None:
        for person in people:
            person.start("ringing", self._floor.now)
            waiting.ringing[person] = self._floor.ring_person(waiting.call, person)
        waiting.ring_round = self._floor.env.process(self._ring_round(waiting))

    def _ring_round(self, waiting: WaitingCall) -> Process:
        """Ring until the quickest answers or the ring limit passes; then the next round or the conversation."""
        limit = waiting.profile.ring_limit_seconds
        delays = {person: self._floor.answer_delay(waiting.profile) for person in waiting.ringing}
        quickest = min(delays, key=lambda person: delays[person])
        try:
            yield self._floor.env.timeout(min(delays[quickest], limit))
        except Interrupt:
            return
        if delays[quickest] <= limit:
            self._answer(waiting, quickest)
        else:
            self._stop_ringing(waiting)
            self.offer(waiting.queue)

    def _answer(self, waiting: WaitingCall, person: Person) -> None:
        leg = waiting.ringing.pop(person)
        person.start("talking", self._floor.now)
        waiting.call.change_state(leg, "active")
        waiting.answer = person, leg
        self._floor.truth.leave_queue(waiting.queue_call, self._floor.now, person.extension)
        waiting.answered.succeed()
        # This is the round itself, which leave() must not interrupt.
        waiting.ring_round = None
        self.leave(waiting)

    def _stop_ringing(self, waiting: WaitingCall) -> None:
        """End the legs that nobody answered; all of these people are free before any of them is offered a call."""
        stopped, waiting.ringing = waiting.ringing, {}
        for person, leg in stopped.items():
            waiting.call.end_leg(leg)
            person.start("idle", self._floor.now)
        for person in stopped:
            self._floor.make_available(person)
