"""What makes the floor live: who calls how often, breaks and shifts."""

from wallboard.simulator import journeys
from wallboard.simulator.company import Person, Queue
from wallboard.simulator.day import Steps
from wallboard.simulator.floor import Floor
from wallboard.simulator.names import WITHHELD, Customer

MENU_SHARE = 0.3
WITHHELD_SHARE = 0.05
BREAK_EVERY_SECONDS = 5400.0
BREAK_SECONDS = 420.0
NOBODY_SPECIAL = [Customer("+442079460000", "A caller")]
# Calls besides those of the queues, per person and busy hour.
DIRECT_PER_HOUR, OUTGOING_PER_HOUR, INTERNAL_PER_HOUR = 0.9, 1.2, 0.6


def open_floor(floor: Floor) -> None:
    """Start everything that goes on by itself."""
    for queue in floor.company.queues:
        floor.env.process(queue_arrivals(floor, queue))
    for person in floor.company.people:
        floor.env.process(shift(floor, person))
    floor.env.process(other_calls(floor))


def some_customer(floor: Floor) -> Customer:
    """Mostly the same few callers, seldom the others, sometimes a withheld number."""
    if floor.random.random() < WITHHELD_SHARE:
        return WITHHELD
    customers = floor.company.customers
    return customers[int(len(customers) * floor.random.random() ** 2)]


def pauses(floor: Floor, per_hour_at_peak: float) -> float:
    """Seconds until the next of events that come this often at the busiest rate of 1.25 times the base."""
    return floor.draw(3600 / (per_hour_at_peak * 1.25))


def comes_now(floor: Floor) -> bool:
    """Whether an event drawn at the peak rate really comes at this hour and load."""
    return floor.random.random() * 1.25 < floor.day.busy(floor.now) * min(floor.load, 1.0)


def queue_arrivals(floor: Floor, queue: Queue) -> Steps:
    """Callers of one queue, more or fewer by the hour of the day."""
    if queue.calls_per_hour <= 0:
        return
    while True:
        yield floor.env.timeout(pauses(floor, queue.calls_per_hour * max(floor.load, 1.0)))
        if comes_now(floor):
            by_menu = floor.random.random() < MENU_SHARE
            floor.env.process(journeys.into_queue(floor, queue, some_customer(floor), by_menu=by_menu))


def other_calls(floor: Floor) -> Steps:
    """Direct, outgoing and internal calls of all people."""
    rates = (DIRECT_PER_HOUR, OUTGOING_PER_HOUR, INTERNAL_PER_HOUR)
    per_hour = sum(rates) * max(len(floor.company.people), 1)
    while True:
        yield floor.env.timeout(pauses(floor, per_hour * max(floor.load, 1.0)))
        if comes_now(floor):
            kind = floor.random.choices(("direct", "outgoing", "internal"), rates)[0]
            _place(floor, kind)


def _place(floor: Floor, kind: str) -> None:
    person = floor.random.choice(floor.company.people)
    if kind == "direct":
        floor.env.process(journeys.to_person(floor, person, some_customer(floor)))
    elif person.is_free and kind == "outgoing":
        customer = floor.random.choice(floor.company.customers)
        floor.env.process(journeys.outgoing(floor, person, customer))
    elif person.is_free and (other := journeys.pick_colleague(floor, person)):
        floor.env.process(journeys.between_people(floor, person, other))


def shift(floor: Floor, person: Person) -> Steps:
    """Come in, work with breaks, go home; a day that stands still has breaks only."""
    while True:
        if floor.day.goes_on and not _is_on_shift(floor, person):
            floor.pause(person)
            while not _is_on_shift(floor, person):
                if person.doing == "on a break":
                    person.start("off shift", floor.now)
                yield floor.env.timeout(min(600.0, floor.day.seconds_until(person.shift_start_hour, floor.now) + 1))
            floor.resume(person)
        until_break = floor.random.uniform(0.1, 1.9) * BREAK_EVERY_SECONDS
        until_home = floor.day.seconds_until(person.shift_end_hour, floor.now) if floor.day.goes_on else until_break + 1
        yield floor.env.timeout(min(until_break, until_home))
        if until_home <= until_break:
            continue
        floor.pause(person)
        yield floor.env.timeout(floor.random.uniform(0.5, 1.5) * BREAK_SECONDS)
        floor.resume(person)


def _is_on_shift(floor: Floor, person: Person) -> bool:
    return person.shift_start_hour <= floor.day.hour(floor.now) < person.shift_end_hour
