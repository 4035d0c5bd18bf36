"""The call floor: simpy decides who calls when; every change of a leg is told to one listener."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from random import Random

import simpy

from wallboard.simulator.company import DOMAIN, MAIN_NUMBER, Company, Manner, Person, Queue
from wallboard.simulator.day import Day, Steps
from wallboard.simulator.legs import JSON, Call, Endpoint, Leg
from wallboard.simulator.names import Customer
from wallboard.simulator.routing import Routing

ORIGIN = datetime.fromisoformat("2026-01-05T00:00:00+00:00")


@dataclass(slots=True)
class Tally:
    """What happened on the floor since it started."""

    calls: int = 0
    answered: int = 0
    gave_up: int = 0


@dataclass(frozen=True, slots=True)
class Wait:
    """One caller's time in a queue, in seconds of the floor."""

    entered: float
    seconds: float
    gave_up: bool


class Floor:
    """Queues, people and calls in simpy's time; `stamp` gives the time that messages carry."""

    def __init__(
        self,
        company: Company,
        random: Random,
        day: Day,
        tell: Callable[[Leg], None] = lambda leg: None,
        stamp: Callable[[], datetime] | None = None,
    ) -> None:
        self.env = simpy.Environment()
        self.company, self.random, self.day, self.tell = company, random, day, tell
        self.stamp = stamp or (lambda: ORIGIN + timedelta(seconds=self.now))
        self.routing = Routing(self)
        self.tally = Tally()
        self.load = 1.0
        self.waits: list[Wait] | None = None
        self._run = secrets.token_hex(4)
        self._numbers = count(1)

    @property
    def now(self) -> float:
        """Seconds since the floor opened."""
        return float(self.env.now)

    def draw(self, mean_seconds: float, *, is_exact: bool = False) -> float:
        """An exponential time with this mean, or the mean itself; a mean of zero is no time at all."""
        if is_exact:
            return mean_seconds
        return self.random.expovariate(1 / mean_seconds) if mean_seconds > 0 else 0.0

    def answer_delay(self, manner: Manner) -> float:
        """Seconds until a ringing person picks up; some do not."""
        if manner.answer_seconds <= 0 or manner.is_exact:
            return manner.answer_seconds
        if self.random.random() < manner.unanswered_share:
            return float("inf")
        return self.random.uniform(0.4, 1.6) * manner.answer_seconds

    # Endpoints. Call ids differ from run to run even with the same seed: a client keeps what it saw of earlier runs.

    def call_id(self) -> str:
        return f"{self._run}{next(self._numbers):08x}"

    def outsider(self, customer: Customer) -> Endpoint:
        return Endpoint(customer.number, self.call_id(), name=customer.name)

    def person_endpoint(self, person: Person) -> Endpoint:
        return self.extension_endpoint(person.extension, person.name)

    def extension_endpoint(self, extension: str, name: str = "") -> Endpoint:
        return Endpoint(f"sip:{extension}@{DOMAIN}", self.call_id(), extension, DOMAIN, name)

    def queue_endpoint(self, queue: Queue) -> Endpoint:
        return Endpoint(f"sip:{queue.number}@{DOMAIN}", self.call_id(), queue.number, DOMAIN, is_human=False)

    def menu_endpoint(self) -> Endpoint:
        return Endpoint(MAIN_NUMBER, self.call_id(), None, DOMAIN, is_human=False)

    def voicemail_endpoint(self, person: Person) -> Endpoint:
        target = f"sip:vm-{person.extension}@{DOMAIN}"
        return Endpoint(target, self.call_id(), person.extension, DOMAIN, is_human=False)

    def new_call(self, caller: Endpoint) -> Call:
        self.tally.calls += 1
        return Call(caller, self.stamp(), self.stamp, self.tell)

    # People.

    def ring_person(self, call: Call, person: Person) -> Leg:
        return call.reach(self.person_endpoint(person), "ringing", on_net=call.caller.user is not None)

    def release(self, person: Person, wrap_mean_seconds: float = 0.0) -> None:
        """The person's call is over: wrap-up first where there is any, then free for the next."""
        if wrap_mean_seconds > 0:
            person.start("wrapping up", self.now)
            self.env.process(self._wrap(person, self.draw(wrap_mean_seconds)))
        else:
            person.start("idle", self.now)
            self.freed(person)

    def _wrap(self, person: Person, seconds: float) -> Steps:
        yield self.env.timeout(seconds)
        if person.doing == "wrapping up":
            person.start("idle", self.now)
            self.freed(person)

    def freed(self, person: Person) -> None:
        """Offer the person to callers, unless a break was due while they were busy."""
        if person.wants_break and person.is_free:
            person.start("on a break", self.now)
        if person.is_free:
            self.routing.freed(person)

    def pause(self, person: Person) -> None:
        """Away for a while: at once when free, else after the call."""
        person.wants_break = True
        if person.is_free:
            person.start("on a break", self.now)

    def resume(self, person: Person) -> None:
        person.wants_break = False
        if person.doing in ("on a break", "off shift"):
            person.start("idle", self.now)
            self.freed(person)

    # What the statistics say.

    def statistics(self, pace: float = 1.0) -> list[JSON]:
        """One entry per queue, as documented; waits as a client sees them pass, `pace` floor seconds each."""
        return [self._entry(queue, pace) for queue in self.company.queues]

    def _entry(self, queue: Queue, pace: float) -> JSON:
        waits = [(self.now - ticket.entered) / pace for ticket in queue.waiting]
        available = sum(person.is_available for person in queue.people)
        return {
            "queue": queue.number,
            "calls_waiting": len(waits),
            "avg_wait": int(sum(waits) / len(waits)) if waits else 0,
            "max_wait": int(max(waits)) if waits else 0,
            "num_agents": len(queue.people),
            "available_agents": available,
            "unavailable_agents": len(queue.people) - available,
        }
