"""One call to order: who calls whom, how long it rings, whether anybody answers."""

import re
from dataclasses import dataclass

from wallboard.simulator.company import DOMAIN, Manner, Person
from wallboard.simulator.day import Steps
from wallboard.simulator.floor import Floor
from wallboard.simulator.journeys import wait_in_queue
from wallboard.simulator.legs import Call, Endpoint
from wallboard.simulator.names import WITHHELD, Customer

OUTSIDE = re.compile(r"\+?[0-9 ]{6,}")


@dataclass(frozen=True, slots=True)
class Errand:
    """An ordinary call: from outside to an extension or a queue (`to_user`), or dialled by one of our extensions
    (`from_user`, `to_number`). Seconds by the wall clock; from outside, no number means withheld."""

    from_number: str
    to_user: str
    name: str
    from_user: str
    to_number: str
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
    if errand.from_user:
        return _dialled_call(floor, errand, pace)
    caller = floor.outsider(errand.customer)
    return _inward(floor, caller, errand.to_user, errand, pace), caller


def _inward(floor: Floor, caller: Endpoint, wanted: str, errand: Errand, pace: float) -> Steps:
    """A call to a person or a queue of the company."""
    person, queue = floor.company.person(wanted), floor.company.queue(wanted)
    if person is None and queue is None:
        raise LookupError(f"There is neither a person nor a queue {wanted[:40]}.")
    call = floor.new_call(caller)
    if person is not None:
        return _ring_directly(floor, call, person, errand, pace)
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
    return wait_in_queue(floor, call, queue, manner)


def _dialled_call(floor: Floor, errand: Errand, pace: float) -> tuple[Steps, Endpoint]:
    """Somebody of ours dials: a colleague, a queue, a number outside, or digits that lead nowhere."""
    person = floor.company.person(errand.from_user)
    if person is None:
        raise LookupError(f"There is no person {errand.from_user[:40]}.")
    caller, wanted = floor.person_endpoint(person), errand.to_number
    if floor.company.person(wanted) or floor.company.queue(wanted):
        return _inward(floor, caller, wanted, errand, pace), caller
    call = floor.new_call(caller)
    if OUTSIDE.fullmatch(wanted):
        return _outward(floor, call, floor.outsider(Customer(wanted, "")), errand, pace), caller
    return _to_nowhere(floor, call, Endpoint(wanted, floor.call_id(), domain=DOMAIN), errand, pace), caller


def _outward(floor: Floor, call: Call, target: Endpoint, errand: Errand, pace: float) -> Steps:
    """Dialling, ringing outside, then a talk or no answer."""
    leg = call.reach(target, "progressing")
    yield floor.env.timeout(errand.ring_seconds * pace / 2)
    call.change(leg, "ringing")
    yield floor.env.timeout(errand.ring_seconds * pace / 2)
    if errand.answer:
        call.change(leg, "active")
        yield floor.env.timeout(errand.talk_seconds * pace)
    call.end()


def _to_nowhere(floor: Floor, call: Call, target: Endpoint, errand: Errand, pace: float) -> Steps:
    """No phone has that number: the caller hears so and hangs up."""
    call.reach(target, "progressing", on_net=True)
    yield floor.env.timeout(errand.ring_seconds * pace)
    call.end()


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
