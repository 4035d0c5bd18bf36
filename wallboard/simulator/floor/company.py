"""The company on the floor: its queues, its people and who serves what."""

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Literal

from wallboard.simulator.floor.names import Customer, customers, person_name

if TYPE_CHECKING:
    from wallboard.simulator.floor.routing import WaitingCall

DOMAIN = "haldenmoor.example"
COMPANY = "Halden & Moor"
MAIN_NUMBER = "+442079460100"
FIRST_QUEUE = 4001
QUEUE_NAMES = ("Support", "Sales", "Billing", "Returns", "Deutsch", "Deliveries")
PRODUCTS = ("Phones", "Repairs", "Orders", "Warranty", "Parts", "Trade", "Accounts", "Bookings")

Activity = Literal["idle", "ringing", "talking", "wrapping up", "on a break", "off shift"]
Strategy = Literal["ring all", "longest idle"]


@dataclass(frozen=True, slots=True)
class CallProfile:
    """How callers and people behave, means in seconds; the comparison with theory replaces it by plain assumptions."""

    talk_seconds: float = 170.0
    wrap_up_seconds: float = 15.0
    patience_seconds: float = 150.0
    answer_seconds: float = 5.0
    ring_limit_seconds: float = 20.0
    unanswered_share: float = 0.06
    greeting_seconds: float = 1.0
    transfer_share: float = 0.08
    can_abandon: bool = True
    is_exact: bool = False  # the times are as given, not drawn


@dataclass(eq=False)
class Queue:
    """A call queue: the people who serve it and the callers who wait in it."""

    number: str
    name: str
    strategy: Strategy
    profile: CallProfile
    calls_per_hour: float = 0.0
    people: list["Person"] = field(default_factory=list)
    waiting: list["WaitingCall"] = field(default_factory=list)


@dataclass(eq=False)
class Person:
    """Somebody with an extension, and what they are doing since when."""

    extension: str
    name: str
    shift_start_hour: int = 8
    shift_end_hour: int = 17
    queues: list[Queue] = field(default_factory=list)
    activity: Activity = "idle"
    since: float = 0.0
    is_break_due: bool = False

    @property
    def is_free(self) -> bool:
        return self.activity == "idle"

    def start(self, activity: Activity, now: float) -> None:
        """Do this from now on."""
        self.activity, self.since = activity, now


@dataclass(eq=False)
class Company:
    """Everybody and every queue, and who calls from outside."""

    queues: list[Queue]
    people: list[Person]
    customers: list[Customer]

    def __post_init__(self) -> None:
        self._people_by_extension = {person.extension: person for person in self.people}
        self._queues_by_number = {queue.number: queue for queue in self.queues}

    def person(self, extension: str) -> Person | None:
        return self._people_by_extension.get(extension)

    def queue(self, number: str) -> Queue | None:
        return self._queues_by_number.get(number)

    def renumber(self, queue: Queue, number: str) -> None:
        """Give a queue another number; its callers and people stay where they are."""
        del self._queues_by_number[queue.number]
        queue.number = number
        self._queues_by_number[number] = queue

    def other_extension(self, extension: str) -> str:
        """The extension after this one: somebody else's, where there is anybody else."""
        extensions = list(self._people_by_extension)
        index = extensions.index(extension) if extension in self._people_by_extension else -1
        return extensions[(index + 1) % len(extensions)]


def build(random: Random, people_count: int, queue_count: int, occupancy: float = 0.72) -> Company:
    """A company of this size; `occupancy` is the share of a shift that queue calls fill, per person."""
    queues = [_queue(index) for index in range(queue_count)]
    # Three digits as far as they go, then five: queues have the numbers from 4001 to 4999.
    first = 101 if people_count <= 899 else 10001
    people = [_person(first + index, index) for index in range(people_count)]
    for index, person in enumerate(people):
        person.queues = _queues_of(index, queues, random)
        for queue in person.queues:
            queue.people.append(person)
    for queue in queues:
        # Who serves two queues is half a person in each.
        full_time_people = sum(1 / len(person.queues) for person in queue.people)
        seconds = queue.profile.talk_seconds + queue.profile.wrap_up_seconds + queue.profile.answer_seconds
        queue.calls_per_hour = occupancy * full_time_people * 3600 / seconds
    return Company(queues, people, customers(random, 320))


def _queue(index: int) -> Queue:
    name = QUEUE_NAMES[index] if index < len(QUEUE_NAMES) else f"{PRODUCTS[index % len(PRODUCTS)]} {index // 8 + 1}"
    strategy: Strategy = "ring all" if index % 3 == 1 else "longest idle"
    return Queue(str(FIRST_QUEUE + index), name, strategy, CallProfile())


def _person(extension: int, index: int) -> Person:
    start = 7 + index % 4
    return Person(str(extension), person_name(index), start, start + 9)


def _queues_of(index: int, queues: list[Queue], random: Random) -> list[Queue]:
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
