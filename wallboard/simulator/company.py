"""The company on the floor: its queues, its people and who serves what."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Literal

from wallboard.simulator.names import Customer, customers, person_name

if TYPE_CHECKING:
    from wallboard.simulator.routing import Ticket

DOMAIN = "haldenmoor.example"
COMPANY = "Halden & Moor"
MAIN_NUMBER = "+442079460100"
FIRST_QUEUE = 4001
QUEUE_NAMES = ("Support", "Sales", "Billing", "Returns", "Deutsch", "Deliveries")
PRODUCTS = ("Phones", "Repairs", "Orders", "Warranty", "Parts", "Trade", "Accounts", "Bookings")

Doing = Literal["idle", "ringing", "talking", "wrapping up", "on a break", "off shift"]
Strategy = Literal["ring all", "longest idle"]


@dataclass(frozen=True, slots=True)
class Manner:
    """How callers and people behave, means in seconds; the checks against theory replace it by plain assumptions."""

    talk_seconds: float = 170.0
    wrap_seconds: float = 15.0
    patience_seconds: float = 150.0
    answer_seconds: float = 5.0
    ring_limit_seconds: float = 20.0
    unanswered_share: float = 0.06
    greeting_seconds: float = 1.0
    transfer_share: float = 0.08
    gives_up: bool = True
    is_exact: bool = False  # the times are as given, not drawn


@dataclass(eq=False)
class Queue:
    number: str
    name: str
    strategy: Strategy
    manner: Manner
    calls_per_hour: float = 0.0
    people: list["Person"] = field(default_factory=list)
    waiting: list["Ticket"] = field(default_factory=list)
    is_served: bool = True


@dataclass(eq=False)
class Person:
    extension: str
    name: str
    shift_start_hour: int = 8
    shift_end_hour: int = 17
    queues: list[Queue] = field(default_factory=list)
    doing: Doing = "idle"
    since: float = 0.0
    wants_break: bool = False

    @property
    def is_free(self) -> bool:
        return self.doing == "idle"

    @property
    def is_available(self) -> bool:
        """What the statistics call available: signed in, and not yet in a call."""
        return self.doing in ("idle", "ringing")

    def start(self, doing: Doing, now: float) -> None:
        self.doing, self.since = doing, now


@dataclass(eq=False)
class Company:
    queues: list[Queue]
    people: list[Person]
    customers: list[Customer]

    def person(self, extension: str) -> Person | None:
        return self._people_by_extension.get(extension)

    def queue(self, number: str) -> Queue | None:
        return self._queues_by_number.get(number)

    def __post_init__(self) -> None:
        self._people_by_extension = {person.extension: person for person in self.people}
        self._queues_by_number = {queue.number: queue for queue in self.queues}

    def colleagues(self, but: Person, fits: Callable[[Person], bool]) -> list[Person]:
        return [person for person in self.people if person is not but and fits(person)]


def build(random: Random, people_count: int, queue_count: int, load: float = 0.72) -> Company:
    """A company of this size; `load` is the share of a shift that queue calls fill, per person."""
    queues = [_queue(index) for index in range(queue_count)]
    first = 101 if people_count <= 899 else 10001
    people = [_person(first + index, index) for index in range(people_count)]
    for index, person in enumerate(people):
        person.queues = _served(queues, index, random)
        for queue in person.queues:
            queue.people.append(person)
    for queue in queues:
        hands = sum(1 / len(person.queues) for person in queue.people)
        seconds = queue.manner.talk_seconds + queue.manner.wrap_seconds + queue.manner.answer_seconds
        queue.calls_per_hour = load * hands * 3600 / seconds
    return Company(queues, people, customers(random, 320))


def _queue(index: int) -> Queue:
    name = QUEUE_NAMES[index] if index < len(QUEUE_NAMES) else f"{PRODUCTS[index % len(PRODUCTS)]} {index // 8 + 1}"
    strategy: Strategy = "ring all" if index % 3 == 1 else "longest idle"
    return Queue(str(FIRST_QUEUE + index), name, strategy, Manner())


def _person(extension: int, index: int) -> Person:
    start = 7 + index % 4
    return Person(str(extension), person_name(index), start, start + 9)


def _served(queues: list[Queue], index: int, random: Random) -> list[Queue]:
    """One queue each in turn, the bigger queues first, and for every third person a second one."""
    if not queues:
        return []
    own = queues[_weighted(index, len(queues))]
    if index % 3 or len(queues) == 1:
        return [own]
    second = queues[(queues.index(own) + 1 + random.randrange(min(2, len(queues) - 1))) % len(queues)]
    return [own, second]


def _weighted(index: int, count: int) -> int:
    """Deal people out so that the first queues get about twice as many as the last ones."""
    deck: list[int] = [*range(count), *range((count + 1) // 2)]
    return deck[index % len(deck)]
