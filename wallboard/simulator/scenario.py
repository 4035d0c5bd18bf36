"""The demo's morning: ten o'clock on a busy day, with a queue that gets into trouble again and again."""

from collections.abc import Callable

from wallboard.simulator import journeys
from wallboard.simulator.company import Queue
from wallboard.simulator.day import Steps
from wallboard.simulator.faults import Faults
from wallboard.simulator.floor import Floor
from wallboard.simulator.life import some_customer

FIRST_TROUBLE_SECONDS, TROUBLE_EVERY_SECONDS = 45.0, 360.0
SURGE_SECONDS, SURGE_CALL_EVERY_SECONDS = 80.0, 5.0
HELPERS, HELP_SECONDS = 6, 140.0
OUTAGE_AT_SECONDS, OUTAGE_EVERY_SECONDS, OUTAGE_SECONDS = 210.0, 720.0, 30.0


def play(floor: Floor, faults: Faults, signed_in: Callable[[], list[str]]) -> None:
    """Add the demo's events to a living floor; `signed_in` gives the extensions of people at a desk page."""
    floor.env.process(trouble(floor))
    floor.env.process(outages(floor, faults))
    floor.env.process(calls_for_viewers(floor, signed_in))
    for queue in floor.company.queues:
        floor.env.process(early_callers(floor, queue))


def early_callers(floor: Floor, queue: Queue) -> Steps:
    """At ten the phones are busy already: nobody sees an empty floor."""
    for _ in range(max(1, len(queue.people) // 2)):
        yield floor.env.timeout(floor.random.uniform(0.2, 6.0))
        floor.env.process(journeys.into_queue(floor, queue, some_customer(floor)))


def trouble(floor: Floor) -> Steps:
    """Every few minutes many call the first queue at once while some of its people are away; then others help."""
    queue = floor.company.queues[0]
    yield floor.env.timeout(FIRST_TROUBLE_SECONDS)
    while True:
        away = queue.people[:: max(2, len(queue.people) // 3)]
        for person in away:
            floor.pause(person)
        for _ in range(int(SURGE_SECONDS / SURGE_CALL_EVERY_SECONDS)):
            floor.env.process(journeys.into_queue(floor, queue, some_customer(floor)))
            yield floor.env.timeout(floor.random.uniform(0.5, 1.5) * SURGE_CALL_EVERY_SECONDS)
        for person in away:
            floor.resume(person)
        yield from all_hands(floor, queue)
        yield floor.env.timeout(TROUBLE_EVERY_SECONDS - SURGE_SECONDS - HELP_SECONDS)


def all_hands(floor: Floor, queue: Queue) -> Steps:
    """People of other queues help out for a while: the queue has more agents meanwhile, as the statistics show."""
    helpers = [person for person in floor.company.people if queue not in person.queues][:HELPERS]
    for person in helpers:
        person.queues.append(queue)
        queue.people.append(person)
        if person.is_free:
            floor.freed(person)
    yield floor.env.timeout(HELP_SECONDS)
    for person in helpers:
        person.queues.remove(queue)
        queue.people.remove(person)


def outages(floor: Floor, faults: Faults) -> Steps:
    """Now and then the statistics are away for half a minute, so that old figures can be seen to grey and heal."""
    yield floor.env.timeout(OUTAGE_AT_SECONDS)
    while True:
        faults.add({"at": "stats", "do": "status", "status": 503, "for_seconds": OUTAGE_SECONDS})
        yield floor.env.timeout(OUTAGE_EVERY_SECONDS)


def calls_for_viewers(floor: Floor, signed_in: Callable[[], list[str]]) -> Steps:
    """Whoever is signed in gets a call of their own about once a minute, mostly from somebody who called before."""
    while True:
        yield floor.env.timeout(floor.random.uniform(25.0, 55.0))
        extensions = signed_in() or [floor.company.people[0].extension]
        person = floor.company.person(floor.random.choice(extensions))
        if person is not None and person.is_free:
            floor.env.process(journeys.to_person(floor, person, floor.random.choice(floor.company.customers[:12])))
