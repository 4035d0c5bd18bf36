"""The call floor: simpy decides who calls when; every change of a leg is reported to one listener."""

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Protocol

import simpy

from wallboard.simulator.dialect.switches import Dialect
from wallboard.simulator.floor.calls import Call, Endpoint, Leg
from wallboard.simulator.floor.company import CallProfile, Company, Person
from wallboard.simulator.floor.day import Day
from wallboard.simulator.floor.endpoints import EndpointFactory
from wallboard.simulator.floor.ground_truth import GroundTruth
from wallboard.simulator.floor.routing import Routing
from wallboard.simulator.types import Process

EPOCH = datetime.fromisoformat("2026-01-05T00:00:00+00:00")  # a Monday; a fixed one, so that a run can be repeated


class Clock(Protocol):
    """Gives the time that messages carry."""

    def now(self) -> datetime: ...


class FloorClock:
    """The floor's own time as the clients' date and time, for runs without a wall clock."""

    def __init__(self, floor: "Floor", starts_at: datetime) -> None:
        self._floor, self._starts_at = floor, starts_at

    def now(self) -> datetime:
        return self._starts_at + timedelta(seconds=self._floor.now / self._floor.speed)


class Floor:
    """Queues, people and calls in simpy's time, of which `speed` seconds pass in a second of the clients."""

    def __init__(
        self,
        company: Company,
        random: Random,
        day: Day,
        clock: Clock | None = None,
        *,
        starts_at: datetime = EPOCH,
        speed: float = 1.0,
        dialect: Dialect | None = None,
        endpoints: EndpointFactory | None = None,
    ) -> None:
        self.env = simpy.Environment()
        self.company, self.random, self.day, self.speed = company, random, day, speed
        self.clock = clock or FloorClock(self, starts_at)
        self.dialect = dialect or Dialect()
        self.endpoints = endpoints or EndpointFactory(company, self.dialect, Random())  # noqa: S311  (guards nothing)
        self.on_leg_change: Callable[[Leg], None] = lambda leg: None
        self.routing = Routing(self)
        self.truth = GroundTruth()
        self.load = 1.0

    @property
    def now(self) -> float:
        """Seconds since the floor opened."""
        return float(self.env.now)

    def call_later(self, client_seconds: float, action: Callable[[], None]) -> None:
        """Do this after so many seconds of the clients."""
        self.env.timeout(client_seconds * self.speed).callbacks.append(lambda _: action())

    def draw(self, mean_seconds: float, *, is_exact: bool = False) -> float:
        """An exponential time with this mean, or the mean itself; a mean of zero is no time at all."""
        if is_exact:
            return mean_seconds
        return self.random.expovariate(1 / mean_seconds) if mean_seconds > 0 else 0.0

    def answer_delay(self, profile: CallProfile) -> float:
        """Seconds until a ringing person picks up; some do not."""
        if profile.answer_seconds <= 0 or profile.is_exact:
            return profile.answer_seconds
        if self.random.random() < profile.unanswered_share:
            return float("inf")
        return self.random.uniform(0.4, 1.6) * profile.answer_seconds

    def new_call(self, caller: Endpoint) -> Call:
        self.truth.calls += 1
        # A lambda: the publisher takes its place as listener after the floor was built.
        return Call(caller, self.clock.now(), self.clock.now, lambda leg: self.on_leg_change(leg), self.dialect)

    def ring_person(self, call: Call, person: Person, by_call_id: str | None = None) -> Leg:
        """A leg to this person's phone; from a colleague it stays on the net."""
        target, on_net = self.endpoints.person(person), call.caller.device == "phone"
        return call.add_leg(target, "ringing", on_net=on_net, by_call_id=by_call_id)

    def release(self, person: Person, wrap_up_mean_seconds: float = 0.0) -> None:
        """The person's call is over: wrap-up first where there is any, then free for the next."""
        if wrap_up_mean_seconds > 0:
            person.start("wrapping up", self.now)
            self.env.process(self._wrap_up(person, self.draw(wrap_up_mean_seconds)))
        else:
            person.start("idle", self.now)
            self.make_available(person)

    def _wrap_up(self, person: Person, seconds: float) -> Process:
        yield self.env.timeout(seconds)
        if person.activity == "wrapping up":  # not where another call began meanwhile
            person.start("idle", self.now)
            self.make_available(person)

    def make_available(self, person: Person) -> None:
        """Offer the person to callers, unless a break was due while they were busy."""
        if person.is_break_due and person.is_free:
            person.start("on a break", self.now)
        if person.is_free:
            self.routing.serve_with(person)

    def pause(self, person: Person) -> None:
        """Away for a while: at once when free, else after the call."""
        person.is_break_due = True
        if person.is_free:
            person.start("on a break", self.now)

    def resume(self, person: Person) -> None:
        """Back from a break or for a new shift."""
        person.is_break_due = False
        if person.activity in ("on a break", "off shift"):
            person.start("idle", self.now)
            self.make_available(person)
