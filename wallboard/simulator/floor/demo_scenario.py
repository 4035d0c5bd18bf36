"""The demo's morning: ten o'clock on a busy day, with a queue that is overloaded again and again."""

from collections.abc import Callable

from wallboard.simulator.floor import call_flows
from wallboard.simulator.floor.company import Queue
from wallboard.simulator.floor.floor import Floor
from wallboard.simulator.floor.traffic import random_customer
from wallboard.simulator.types import Process

FIRST_OVERLOAD_SECONDS, OVERLOAD_EVERY_SECONDS = 45.0, 360.0
SURGE_SECONDS, SURGE_CALL_EVERY_SECONDS = 80.0, 5.0
HELPERS, HELP_SECONDS = 6, 140.0
# Long enough for boards to grey: figures count for two polling intervals and a little.
OUTAGE_AT_SECONDS, OUTAGE_EVERY_SECONDS, OUTAGE_SECONDS = 210.0, 720.0, 30.0


def start(floor: Floor, on_outage: Callable[[float], None], signed_in: Callable[[], list[str]]) -> None:
    """Add the demo's events to a floor with traffic.

    `on_outage` takes the statistics away for so many seconds; `signed_in` gives the extensions of those at a desk.
    """
    floor.env.process(overloads(floor))
    floor.env.process(outages(floor, on_outage))
    floor.env.process(calls_to_signed_in(floor, signed_in))
    for queue in floor.company.queues:
        floor.env.process(early_callers(floor, queue))


def early_callers(floor: Floor, queue: Queue) -> Process:
    """At ten the phones are busy already: nobody sees an empty floor."""
    for _ in range(max(1, len(queue.people) // 2)):
        yield floor.env.timeout(floor.random.uniform(0.2, 6.0))
        floor.env.process(call_flows.queue_call(floor, queue, random_customer(floor)))


def overloads(floor: Floor) -> Process:
    """Every few minutes many call the first queue at once while some of its people are away; then others help."""
    queue = floor.company.queues[0]
    yield floor.env.timeout(FIRST_OVERLOAD_SECONDS)
    while True:
        away = queue.people[:: max(2, len(queue.people) // 3)]
        for person in away:
            floor.pause(person)
        for _ in range(int(SURGE_SECONDS / SURGE_CALL_EVERY_SECONDS)):
            floor.env.process(call_flows.queue_call(floor, queue, random_customer(floor)))
            yield floor.env.timeout(floor.random.uniform(0.5, 1.5) * SURGE_CALL_EVERY_SECONDS)
        for person in away:
            floor.resume(person)
        yield from borrowed_agents(floor, queue)
        yield floor.env.timeout(OVERLOAD_EVERY_SECONDS - SURGE_SECONDS - HELP_SECONDS)


def borrowed_agents(floor: Floor, queue: Queue) -> Process:
    """People of other queues help out for a while: the queue has more agents meanwhile, as the statistics show."""
    helpers = [person for person in floor.company.people if queue not in person.queues][:HELPERS]
    for person in helpers:
        person.queues.append(queue)
        queue.people.append(person)
        if person.is_free:
            floor.make_available(person)
    yield floor.env.timeout(HELP_SECONDS)
    for person in helpers:
        person.queues.remove(queue)
        queue.people.remove(person)


def outages(floor: Floor, on_outage: Callable[[float], None]) -> Process:
    """Now and then the statistics are away for half a minute, so that old figures can be seen to grey and heal."""
    yield floor.env.timeout(OUTAGE_AT_SECONDS)
    while True:
        on_outage(OUTAGE_SECONDS)
        yield floor.env.timeout(OUTAGE_EVERY_SECONDS)


def calls_to_signed_in(floor: Floor, signed_in: Callable[[], list[str]]) -> Process:
    """Whoever is signed in gets a call of their own about once a minute, mostly from somebody who called before."""
    while True:
        yield floor.env.timeout(floor.random.uniform(25.0, 55.0))
        extensions = signed_in() or [floor.company.people[0].extension]
        person = floor.company.person(floor.random.choice(extensions))
        if person is not None and person.is_free:
            floor.env.process(call_flows.direct_call(floor, person, floor.random.choice(floor.company.customers[:12])))
