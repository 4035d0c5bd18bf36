"""Who gets the next call of a queue: callers wait in order, people ring in the queue's way."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from simpy import Interrupt

from wallboard.simulator.company import Manner, Person, Queue
from wallboard.simulator.day import Steps
from wallboard.simulator.legs import Call, Leg

if TYPE_CHECKING:
    from wallboard.simulator.floor import Floor


@dataclass(eq=False)
class Ticket:
    """A caller's place in a queue."""

    call: Call
    queue: Queue
    manner: Manner
    entered: float
    taken: Any
    rings: dict[Person, Leg] = field(default_factory=dict)
    round: Any = None
    taken_by: Person | None = None


class Routing:
    """Brings the callers of all queues and the free people together."""

    def __init__(self, floor: "Floor") -> None:
        self._floor = floor
        self._choose: dict[str, Callable[[list[Person]], list[Person]]] = {
            "ring all": lambda free: free,
            "longest idle": lambda free: [min(free, key=lambda person: person.since)],
        }

    def join(self, ticket: Ticket) -> None:
        ticket.queue.waiting.append(ticket)
        self.offer(ticket.queue)

    def leave(self, ticket: Ticket) -> None:
        """The caller gave up or was taken: nobody rings for this call any more."""
        ticket.queue.waiting.remove(ticket)
        if ticket.round is not None and ticket.round.is_alive:
            ticket.round.interrupt()
        self._stop_rings(ticket)

    def offer(self, queue: Queue) -> None:
        """Ring free people for callers that nobody rings for yet, first come first served."""
        if not queue.is_served:
            return
        for ticket in queue.waiting:
            if ticket.rings:
                continue
            free = [person for person in queue.people if person.is_free]
            if not free:
                return
            self._ring(ticket, self._choose[queue.strategy](free))

    def freed(self, person: Person) -> None:
        """Somebody can take a call again: the queue whose first caller waits longest is served first."""
        for queue in sorted((queue for queue in person.queues if queue.waiting), key=lambda q: q.waiting[0].entered):
            if not person.is_free:
                return
            self.offer(queue)

    def _ring(self, ticket: Ticket, people: list[Person]) -> None:
        for person in people:
            person.start("ringing", self._floor.now)
            ticket.rings[person] = self._floor.ring_person(ticket.call, person)
        ticket.round = self._floor.env.process(self._round(ticket))

    def _round(self, ticket: Ticket) -> Steps:
        """Ring until the quickest answers or the ring limit passes; then the next round or the conversation."""
        limit = ticket.manner.ring_limit_seconds
        delays = {person: self._floor.answer_delay(ticket.manner) for person in ticket.rings}
        quickest = min(delays, key=lambda person: delays[person])
        try:
            yield self._floor.env.timeout(min(delays[quickest], limit))
        except Interrupt:
            return
        if delays[quickest] <= limit:
            self._answered(ticket, quickest)
        else:
            self._stop_rings(ticket)
            self.offer(ticket.queue)

    def _answered(self, ticket: Ticket, person: Person) -> None:
        leg = ticket.rings.pop(person)
        person.start("talking", self._floor.now)
        ticket.call.change(leg, "active")
        ticket.taken_by = person
        ticket.taken.succeed(leg)
        ticket.round = None
        self.leave(ticket)

    def _stop_rings(self, ticket: Ticket) -> None:
        """End the legs that nobody took; all of these people are free before any of them is offered a call."""
        stopped, ticket.rings = ticket.rings, {}
        for person, leg in stopped.items():
            ticket.call.drop(leg)
            person.start("idle", self._floor.now)
        for person in stopped:
            self._floor.freed(person)
