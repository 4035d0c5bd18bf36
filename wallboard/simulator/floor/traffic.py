"""Who calls how often, and when people come, take breaks and go home."""

from wallboard.simulator.floor import call_flows
from wallboard.simulator.floor.company import Person, Queue
from wallboard.simulator.floor.floor import Floor
from wallboard.simulator.floor.names import WITHHELD, Customer
from wallboard.simulator.types import Process

MENU_SHARE = 0.3
WITHHELD_SHARE = 0.05
BREAK_EVERY_SECONDS = 5400.0
BREAK_SECONDS = 420.0
# The busiest hour brings this much of the base rate; quieter ones leave out some of the calls drawn for it.
PEAK_RATE = 1.25
# Calls besides those of the queues, per person and busy hour.
DIRECT_PER_HOUR, OUTBOUND_PER_HOUR, INTERNAL_PER_HOUR = 0.9, 1.2, 0.6


def start(floor: Floor) -> None:
    """Start everything that goes on by itself."""
    for queue in floor.company.queues:
        floor.env.process(queue_arrivals(floor, queue))
    for person in floor.company.people:
        floor.env.process(shift(floor, person))
    floor.env.process(other_calls(floor))


def random_customer(floor: Floor) -> Customer:
    """Mostly the same few callers, seldom the others, sometimes a withheld number."""
    if floor.random.random() < WITHHELD_SHARE:
        return WITHHELD
    customers = floor.company.customers
    return customers[int(len(customers) * floor.random.random() ** 2)]


def seconds_to_next(floor: Floor, per_hour: float) -> float:
    """Seconds until the next of calls that come this often, drawn for the peak and for a load of one or more."""
    return floor.draw(3600 / (per_hour * max(floor.load, 1.0) * PEAK_RATE))


def comes_now(floor: Floor) -> bool:
    """Whether a call drawn at the peak rate really comes at this hour and load."""
    # Thinning: calls drawn at the peak rate, of which some are left out, still come at random (Poisson).
    return floor.random.random() * PEAK_RATE < floor.day.call_rate(floor.now) * min(floor.load, 1.0)


def queue_arrivals(floor: Floor, queue: Queue) -> Process:
    """Callers of one queue, more or fewer by the hour of the day."""
    if queue.calls_per_hour <= 0:
        return
    while True:
        yield floor.env.timeout(seconds_to_next(floor, queue.calls_per_hour))
        if comes_now(floor):
            by_menu = floor.random.random() < MENU_SHARE
            floor.env.process(call_flows.queue_call(floor, queue, random_customer(floor), by_menu=by_menu))


def other_calls(floor: Floor) -> Process:
    """Direct, outbound and internal calls of all people."""
    rates = (DIRECT_PER_HOUR, OUTBOUND_PER_HOUR, INTERNAL_PER_HOUR)
    per_hour = sum(rates) * max(len(floor.company.people), 1)
    while True:
        yield floor.env.timeout(seconds_to_next(floor, per_hour))
        if comes_now(floor):
            kind = floor.random.choices(("direct", "outbound", "internal"), rates)[0]
            _start_call(floor, kind)


def _start_call(floor: Floor, kind: str) -> None:
    person = floor.random.choice(floor.company.people)
    if kind == "direct":
        floor.env.process(call_flows.direct_call(floor, person, random_customer(floor)))
    elif person.is_free and kind == "outbound":
        customer = floor.random.choice(floor.company.customers)
        floor.env.process(call_flows.outbound_call(floor, person, customer))
    elif person.is_free and (other := call_flows.free_colleague(floor, person)):
        floor.env.process(call_flows.internal_call(floor, person, other))


def shift(floor: Floor, person: Person) -> Process:
    """Come in, work with breaks, go home; a day that stays at its hour has breaks only."""
    while True:
        if not floor.day.stays and not _is_on_shift(floor, person):
            yield from _off_shift(floor, person)
        until_break = floor.random.uniform(0.1, 1.9) * BREAK_EVERY_SECONDS
        until_home = until_break + 1  # nobody goes home: the break comes first
        if not floor.day.stays:
            until_home = floor.day.seconds_until(person.shift_end_hour, floor.now)
        yield floor.env.timeout(min(until_break, until_home))
        if until_home <= until_break:
            continue
        floor.pause(person)
        yield floor.env.timeout(floor.random.uniform(0.5, 1.5) * BREAK_SECONDS)
        floor.resume(person)


def _off_shift(floor: Floor, person: Person) -> Process:
    floor.pause(person)
    while not _is_on_shift(floor, person):
        if person.activity == "on a break":
            person.start("off shift", floor.now)
        yield floor.env.timeout(min(600.0, floor.day.seconds_until(person.shift_start_hour, floor.now) + 1))
    floor.resume(person)


def _is_on_shift(floor: Floor, person: Person) -> bool:
    return person.shift_start_hour <= floor.day.hour(floor.now) < person.shift_end_hour
