"""One call on request: who calls whom, how long it rings, whether anybody answers."""

import re
from dataclasses import dataclass

from wallboard.simulator.floor.call_flows import wait_in_queue
from wallboard.simulator.floor.calls import Call, Endpoint
from wallboard.simulator.floor.company import CallProfile, Person
from wallboard.simulator.floor.floor import Floor
from wallboard.simulator.floor.names import WITHHELD, Customer
from wallboard.simulator.types import Process

EXTERNAL_NUMBER = re.compile(r"\+?[0-9 ]{6,}")


@dataclass(frozen=True, slots=True)
class CallRequest:
    """An ordinary call: from outside to an extension or a queue (`to_user`), or dialled by one of our extensions
    (`from_user`, `to_number`). Seconds of the clients; from outside, no number means withheld."""

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


def placed_call(floor: Floor, request: CallRequest) -> tuple[Process, Endpoint]:
    """The process that makes the call, and its caller; LookupError for an unknown extension or queue."""
    if request.from_user:
        return _dialled_call(floor, request)
    person = floor.company.person(request.to_user)
    if person is not None and floor.endpoints.happens(floor.dialect.forwarded_share):
        caller = floor.endpoints.forwarded(person, request.customer)
        target = floor.endpoints.external(floor.company.customers[0])
        return _outbound(floor, floor.new_call(caller), target, request), caller
    caller = floor.endpoints.external(request.customer)
    return _inbound(floor, caller, request.to_user, request), caller


def _inbound(floor: Floor, caller: Endpoint, user: str, request: CallRequest) -> Process:
    """A call to a person or a queue of the company."""
    person, queue = floor.company.person(user), floor.company.queue(user)
    if person is not None:
        return _ring_directly(floor, floor.new_call(caller), person, request)
    if queue is not None:
        return wait_in_queue(floor, floor.new_call(caller), queue, _profile(floor, request))
    raise LookupError(f"There is neither a person nor a queue {user[:40]}.")


def _profile(floor: Floor, request: CallRequest) -> CallProfile:
    """A queue call exactly as requested."""
    ring_seconds = request.ring_seconds * floor.speed
    return CallProfile(
        talk_seconds=request.talk_seconds * floor.speed,
        patience_seconds=ring_seconds,
        answer_seconds=ring_seconds if request.answer else float("inf"),
        ring_limit_seconds=max(20.0 * floor.speed, ring_seconds),  # never ends before the ringing that was asked for
        wrap_up_seconds=0.0,
        greeting_seconds=0.0,
        transfer_share=0.0,
        can_abandon=not request.answer,
        is_exact=True,
    )


def _dialled_call(floor: Floor, request: CallRequest) -> tuple[Process, Endpoint]:
    """Somebody of ours dials: a colleague, a queue, a number outside, or digits that lead nowhere."""
    person = floor.company.person(request.from_user)
    if person is None:
        raise LookupError(f"There is no person {request.from_user[:40]}.")
    caller, dialled = floor.endpoints.person(person), request.to_number
    if floor.company.person(dialled) or floor.company.queue(dialled):
        return _inbound(floor, caller, dialled, request), caller
    call = floor.new_call(caller)
    if EXTERNAL_NUMBER.fullmatch(dialled):
        return _outbound(floor, call, floor.endpoints.external(Customer(dialled, "")), request), caller
    return _unassigned(floor, call, floor.endpoints.unassigned(dialled), request), caller


def _outbound(floor: Floor, call: Call, target: Endpoint, request: CallRequest) -> Process:
    """Dialling, ringing outside, then a talk or no answer."""
    leg = call.add_leg(target, "progressing")
    yield floor.env.timeout(request.ring_seconds * floor.speed / 2)
    call.change_state(leg, "ringing")
    yield floor.env.timeout(request.ring_seconds * floor.speed / 2)
    if request.answer:
        call.change_state(leg, "active")
        yield floor.env.timeout(request.talk_seconds * floor.speed)
    call.hang_up()


def _unassigned(floor: Floor, call: Call, target: Endpoint, request: CallRequest) -> Process:
    """No phone has that number: the caller hears so and hangs up."""
    call.add_leg(target, "progressing", on_net=True)
    yield floor.env.timeout(request.ring_seconds * floor.speed)
    call.hang_up()


def _ring_directly(floor: Floor, call: Call, person: Person, request: CallRequest) -> Process:
    """Ring the person's phone at once, also beside another call, then talk or go away unanswered."""
    was_free = person.is_free
    leg = floor.ring_person(call, person)
    if was_free:
        person.start("ringing", floor.now)
    yield floor.env.timeout(request.ring_seconds * floor.speed)
    if request.answer:
        if was_free:
            person.start("talking", floor.now)
        call.change_state(leg, "active")
        yield floor.env.timeout(request.talk_seconds * floor.speed)
    call.hang_up()
    if was_free:
        floor.release(person)
