"""One call to order: who calls whom, how long it rings, whether anybody answers."""

from dataclasses import dataclass

from wallboard.simulator.company import Manner, Person
from wallboard.simulator.day import Steps
from wallboard.simulator.floor import Floor
from wallboard.simulator.journeys import wait_in_queue
from wallboard.simulator.legs import Call, Endpoint
from wallboard.simulator.names import WITHHELD, Customer


@dataclass(frozen=True, slots=True)
class Errand:
    """An ordinary inbound call to an extension or a queue. Seconds by the wall clock; no number means withheld."""

    from_number: str
    to_user: str
    name: str
    ring_seconds: float
    talk_seconds: float
    answer: bool

    @property
    def customer(self) -> Customer:
        if not self.from_number:
            return WITHHELD
        return Customer(self.from_number, self.name or self.from_number)


def ordered_call(floor: Floor, errand: Errand, pace: float) -> tuple[Steps, Endpoint]:
    """The process that makes the call, and its caller; LookupError for an unknown extension or queue."""
    person, queue = floor.company.person(errand.to_user), floor.company.queue(errand.to_user)
    if person is None and queue is None:
        raise LookupError(f"There is neither a person nor a queue {errand.to_user[:40]}.")
    caller = floor.outsider(errand.customer)
    call = floor.new_call(caller)
    if person is not None:
        return _ring_directly(floor, call, person, errand, pace), caller
    assert queue is not None
    manner = Manner(
        talk_seconds=errand.talk_seconds * pace,
        patience_seconds=errand.ring_seconds * pace,
        answer_seconds=errand.ring_seconds * pace if errand.answer else float("inf"),
        ring_limit_seconds=max(20.0, errand.ring_seconds) * pace,
        wrap_seconds=0.0,
        greeting_seconds=0.0,
        transfer_share=0.0,
        gives_up=not errand.answer,
        is_exact=True,
    )
    return wait_in_queue(floor, call, queue, manner), caller


def _ring_directly(floor: Floor, call: Call, person: Person, errand: Errand, pace: float) -> Steps:
    """Ring the person's phone at once, also beside another call, then talk or go away unanswered."""
    is_alone = person.is_free
    leg = floor.ring_person(call, person)
    if is_alone:
        person.start("ringing", floor.now)
    yield floor.env.timeout(errand.ring_seconds * pace)
    if errand.answer:
        if is_alone:
            person.start("talking", floor.now)
        call.change(leg, "active")
        yield floor.env.timeout(errand.talk_seconds * pace)
    call.end()
    if is_alone:
        floor.release(person)
