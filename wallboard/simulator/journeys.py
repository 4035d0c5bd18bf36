"""The way of each kind of call through the floor, as simpy processes."""

from wallboard.simulator.company import Manner, Person, Queue
from wallboard.simulator.day import Steps
from wallboard.simulator.floor import Floor, Wait
from wallboard.simulator.legs import Call, Leg
from wallboard.simulator.names import Customer
from wallboard.simulator.routing import Ticket

MENU_SECONDS = 6.0
VOICEMAIL_SECONDS = 22.0


def into_queue(floor: Floor, queue: Queue, customer: Customer, *, by_menu: bool = False) -> Steps:
    """Somebody outside calls and wants this queue, some by way of the menu."""
    call = floor.new_call(floor.outsider(customer))
    if by_menu:
        menu = call.reach(floor.menu_endpoint(), "ringing")
        call.change(menu, "active")
        yield floor.env.timeout(floor.random.uniform(0.5, 1.5) * MENU_SECONDS)
        call.drop(menu)
    yield from wait_in_queue(floor, call, queue)


def wait_in_queue(floor: Floor, call: Call, queue: Queue, manner: Manner | None = None) -> Steps:
    """The queue answers with its greeting, then music until somebody takes the call or the caller gives up."""
    manner = manner or queue.manner
    leg = call.reach(floor.queue_endpoint(queue), "ringing")
    if manner.greeting_seconds > 0:
        yield floor.env.timeout(manner.greeting_seconds)
    call.change(leg, "active")
    ticket = Ticket(call, queue, manner, floor.now, floor.env.event())
    floor.routing.join(ticket)
    if manner.gives_up and not ticket.taken.triggered:
        yield ticket.taken | floor.env.timeout(floor.draw(manner.patience_seconds, is_exact=manner.is_exact))
    else:
        yield ticket.taken
    note(floor, ticket)
    if ticket.taken_by is None:
        call.caller.state = "ended"
        floor.routing.leave(ticket)
        call.end()
        return
    call.drop(leg)
    yield from talk(floor, call, ticket.taken.value, ticket.taken_by, manner)


def note(floor: Floor, ticket: Ticket) -> None:
    """Count the caller as answered or gone, with the wait, for whoever compares the floor with theory."""
    gave_up = ticket.taken_by is None
    if gave_up:
        floor.tally.gave_up += 1
    else:
        floor.tally.answered += 1
    if floor.waits is not None:
        floor.waits.append(Wait(ticket.entered, floor.now - ticket.entered, gave_up))


def talk(floor: Floor, call: Call, leg: Leg, person: Person, manner: Manner) -> Steps:
    """Talk until one side hangs up, or until the person hands the caller on to a colleague."""
    seconds = floor.draw(manner.talk_seconds, is_exact=manner.is_exact)
    colleague = pick_colleague(floor, person) if floor.random.random() < manner.transfer_share else None
    if colleague is None:
        yield floor.env.timeout(seconds)
        call.end()
        floor.release(person, manner.wrap_seconds)
        return
    yield floor.env.timeout(seconds * 0.4)
    call.drop(leg)
    floor.release(person, manner.wrap_seconds)
    yield from reach_person(floor, call, colleague, manner, by_call_id=leg.target.call_id)


def pick_colleague(floor: Floor, person: Person) -> Person | None:
    """Somebody free to talk to, if there is anybody."""
    for _ in range(6):
        other = floor.random.choice(floor.company.people)
        if other is not person and other.is_free:
            return other
    return None


def reach_person(floor: Floor, call: Call, person: Person, manner: Manner, by_call_id: str | None = None) -> Steps:
    """Ring one person; whoever is busy or does not answer has a voicemail box."""
    on_net = call.caller.user is not None
    leg = call.reach(floor.person_endpoint(person), "ringing", on_net=on_net, by_call_id=by_call_id)
    was_free = person.is_free
    if was_free:
        person.start("ringing", floor.now)
    delay = floor.answer_delay(manner) if was_free else float("inf")
    yield floor.env.timeout(min(delay, manner.ring_limit_seconds))
    if delay > manner.ring_limit_seconds:
        call.drop(leg)
        if was_free:
            floor.release(person)
        yield from leave_message(floor, call, person, leg.target.call_id)
        return
    person.start("talking", floor.now)
    call.change(leg, "active")
    yield from talk(floor, call, leg, person, manner)


def leave_message(floor: Floor, call: Call, person: Person, by_call_id: str) -> Steps:
    """The voicemail box answers; half of the callers say something."""
    box = call.reach(floor.voicemail_endpoint(person), "ringing", by_call_id=by_call_id)
    call.change(box, "active")
    yield floor.env.timeout(floor.draw(VOICEMAIL_SECONDS) if floor.random.random() < 0.5 else 3.0)
    call.end()


def to_person(floor: Floor, person: Person, customer: Customer) -> Steps:
    """Somebody outside calls a person's own number."""
    call = floor.new_call(floor.outsider(customer))
    yield from reach_person(floor, call, person, Manner())


def between_people(floor: Floor, person: Person, other: Person) -> Steps:
    """One colleague calls another, device to device."""
    call = floor.new_call(floor.person_endpoint(person))
    person.start("talking", floor.now)
    manner = Manner(talk_seconds=60.0, transfer_share=0.0)
    yield from reach_person(floor, call, other, manner)
    floor.release(person)


def outgoing(floor: Floor, person: Person, customer: Customer) -> Steps:
    """A person calls somebody outside: dialling, ringing there, then a talk or no answer."""
    call = floor.new_call(floor.person_endpoint(person))
    person.start("talking", floor.now)
    leg = call.reach(floor.outsider(customer), "progressing")
    yield floor.env.timeout(floor.random.uniform(1.0, 3.0))
    call.change(leg, "ringing")
    yield floor.env.timeout(floor.random.uniform(3.0, 14.0))
    if floor.random.random() < 0.75:
        call.change(leg, "active")
        yield floor.env.timeout(floor.draw(Manner().talk_seconds))
    call.end()
    floor.release(person, Manner().wrap_seconds)
