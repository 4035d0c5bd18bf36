"""The course of each kind of call through the floor, as simpy processes."""

from wallboard.simulator.floor.calls import Call, Leg
from wallboard.simulator.floor.company import CallProfile, Person, Queue
from wallboard.simulator.floor.floor import Floor
from wallboard.simulator.floor.ground_truth import QueueCall
from wallboard.simulator.floor.names import Customer
from wallboard.simulator.floor.routing import WaitingCall
from wallboard.simulator.types import Process

MENU_SECONDS = 6.0
VOICEMAIL_SECONDS = 22.0


def queue_call(floor: Floor, queue: Queue, customer: Customer, *, by_menu: bool = False) -> Process:
    """Somebody outside calls and wants this queue, some by way of the menu."""
    call = floor.new_call(floor.endpoints.external(customer))
    if by_menu:
        menu = call.add_leg(floor.endpoints.menu(), "ringing")
        call.change_state(menu, "active")
        yield floor.env.timeout(floor.random.uniform(0.5, 1.5) * MENU_SECONDS)
        call.end_leg(menu)
    yield from wait_in_queue(floor, call, queue)


def wait_in_queue(floor: Floor, call: Call, queue: Queue, profile: CallProfile | None = None) -> Process:
    """The queue answers with its greeting, then music until somebody takes the call or the caller gives up."""
    profile = profile or queue.profile
    waiting_state = floor.dialect.queue_leg_state
    leg = call.add_leg(floor.endpoints.queue(queue), "progressing" if waiting_state == "progressing" else "ringing")
    if profile.greeting_seconds > 0:
        yield floor.env.timeout(profile.greeting_seconds)
    if waiting_state == "active":
        call.change_state(leg, "active")
    offered = QueueCall(queue.number, call.caller.call_id, floor.clock.now(), floor.now)
    waiting = WaitingCall(call, queue, profile, offered, floor.env.event())
    floor.routing.enter(waiting)
    if profile.can_abandon and not waiting.answered.triggered:
        patience = floor.draw(profile.patience_seconds, is_exact=profile.is_exact)
        yield waiting.answered | floor.env.timeout(patience)
    else:
        yield waiting.answered
    answer = waiting.answer
    if answer is None:
        floor.truth.leave_queue(offered, floor.now, None)
        # Before the phones stop ringing: their last messages must show that the caller is gone.
        call.caller.state = "ended"
        floor.routing.leave(waiting)
        call.hang_up()
        return
    call.end_leg(leg)
    person, person_leg = answer
    yield from talk(floor, call, person_leg, person, profile)


def talk(floor: Floor, call: Call, leg: Leg, person: Person, profile: CallProfile) -> Process:
    """Talk until one side hangs up, or until the person transfers the caller to a colleague."""
    seconds = floor.draw(profile.talk_seconds, is_exact=profile.is_exact)
    colleague = free_colleague(floor, person) if floor.random.random() < profile.transfer_share else None
    if colleague is None:
        yield floor.env.timeout(seconds)
        call.hang_up()
        floor.release(person, profile.wrap_up_seconds)
        return
    yield floor.env.timeout(seconds * 0.4)
    call.end_leg(leg)
    floor.release(person, profile.wrap_up_seconds)
    # The caller stays: a transfer is one more leg of the same call.
    yield from call_person(floor, call, colleague, profile, by_call_id=leg.target.call_id)


def free_colleague(floor: Floor, person: Person) -> Person | None:
    """Somebody free to talk to, if there is anybody."""
    # A few draws instead of a list of all who are free: a company may have 20,000 people.
    for _ in range(6):
        other = floor.random.choice(floor.company.people)
        if other is not person and other.is_free:
            return other
    return None


def call_person(
    floor: Floor, call: Call, person: Person, profile: CallProfile, by_call_id: str | None = None
) -> Process:
    """Ring one person; whoever is busy or does not answer has a voicemail box."""
    leg = floor.ring_person(call, person, by_call_id)
    # A phone rings beside another call too; what its person does is that call's to decide.
    was_free = person.is_free
    if was_free:
        person.start("ringing", floor.now)
    delay = floor.answer_delay(profile) if was_free else float("inf")
    yield floor.env.timeout(min(delay, profile.ring_limit_seconds))
    if delay > profile.ring_limit_seconds:
        call.end_leg(leg)
        if was_free:
            floor.release(person)
        yield from voicemail(floor, call, person, leg.target.call_id)
        return
    person.start("talking", floor.now)
    call.change_state(leg, "active")
    yield from talk(floor, call, leg, person, profile)


def voicemail(floor: Floor, call: Call, person: Person, by_call_id: str) -> Process:
    """The voicemail box answers; half of the callers say something."""
    leg = call.add_leg(floor.endpoints.voicemail(person), "ringing", by_call_id=by_call_id)
    call.change_state(leg, "active")
    yield floor.env.timeout(floor.draw(VOICEMAIL_SECONDS) if floor.random.random() < 0.5 else 3.0)
    call.hang_up()


def direct_call(floor: Floor, person: Person, customer: Customer) -> Process:
    """Somebody outside calls a person's own number; a forwarded call goes on to somebody outside."""
    if floor.endpoints.happens(floor.dialect.forwarded_share):
        call = floor.new_call(floor.endpoints.forwarded(person, customer))
        yield from ring_outside(floor, call, floor.random.choice(floor.company.customers))
        return
    call = floor.new_call(floor.endpoints.external(customer))
    yield from call_person(floor, call, person, CallProfile())


def internal_call(floor: Floor, person: Person, other: Person) -> Process:
    """One colleague calls another, device to device."""
    call = floor.new_call(floor.endpoints.person(person))
    person.start("talking", floor.now)
    profile = CallProfile(talk_seconds=60.0, transfer_share=0.0)
    yield from call_person(floor, call, other, profile)
    floor.release(person)


def outbound_call(floor: Floor, person: Person, customer: Customer) -> Process:
    """A person calls somebody outside."""
    call = floor.new_call(floor.endpoints.person(person))
    person.start("talking", floor.now)
    yield from ring_outside(floor, call, customer)
    floor.release(person, CallProfile().wrap_up_seconds)


def ring_outside(floor: Floor, call: Call, customer: Customer) -> Process:
    """Dialling, ringing outside, then a talk or no answer."""
    leg = call.add_leg(floor.endpoints.external(customer), "progressing")
    yield floor.env.timeout(floor.random.uniform(1.0, 3.0))
    call.change_state(leg, "ringing")
    yield floor.env.timeout(floor.random.uniform(3.0, 14.0))
    if floor.random.random() < 0.75:
        call.change_state(leg, "active")
        yield floor.env.timeout(floor.draw(CallProfile().talk_seconds))
    call.hang_up()
