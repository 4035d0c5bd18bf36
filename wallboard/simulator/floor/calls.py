"""Calls on the floor: endpoints, the legs between two of them, and the call that holds all legs of one caller."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from wallboard.simulator.dialect.switches import Dialect
from wallboard.simulator.floor.company import DOMAIN

State = Literal["progressing", "ringing", "active", "ended"]
Users = tuple[str | None, str | None]
Device = Literal["phone", "queue", "menu", "voicemail", "external", "forwarded"]


@dataclass(slots=True)
class Endpoint:
    """One side of a call. The same caller keeps one endpoint, with one call_id, through all legs of a call."""

    id: str | None
    call_id: str
    user: str | None = None
    domain: str | None = None
    name: str = ""
    device: Device = "phone"
    state: State = "progressing"

    @property
    def is_human(self) -> bool:
        return self.device in ("phone", "external", "forwarded")


@dataclass(slots=True, eq=False)
class Leg:
    """One from and one to endpoint, from the first sign of it to its end."""

    source: Endpoint
    target: Endpoint
    on_net: bool
    time_start: datetime
    from_call_id: str
    by_call_id: str | None = None
    time_answer: datetime | None = None
    time_end: datetime | None = None

    @property
    def users(self) -> Users:
        """Our users on both sides; users of other companies are nobody here."""
        source, target = (each.user if each.domain == DOMAIN else None for each in (self.source, self.target))
        return source, target


@dataclass(eq=False)
class Call:
    """One caller and every leg of theirs; each change of an endpoint is reported once per leg that it touches."""

    caller: Endpoint
    time_start: datetime
    now: Callable[[], datetime]
    on_leg_change: Callable[[Leg], None]
    dialect: Dialect = field(default_factory=Dialect)
    legs: list[Leg] = field(default_factory=list)

    def add_leg(self, target: Endpoint, state: State, *, on_net: bool = False, by_call_id: str | None = None) -> Leg:
        """A new leg from the caller to this target, reported at once."""
        target.state = state
        by_call_id = self._by_call_id(by_call_id)
        # By the API document time_start is when the caller began, so all legs of a call share it.
        leg = Leg(self.caller, target, on_net, self.time_start, self._from_call_id(), by_call_id)
        self.legs.append(leg)
        self.on_leg_change(leg)
        return leg

    def _from_call_id(self) -> str:
        is_shared = self.dialect.caller_call_id == "shared" or not self.legs
        return self.caller.call_id if is_shared else f"{self.caller.call_id}{len(self.legs):02x}"

    def _by_call_id(self, transferred_by: str | None) -> str | None:
        """The endpoint that led to a new leg, where the dialect tells."""
        if self.dialect.by_call_id == "every_leg" and transferred_by is None:
            answered = [leg for leg in self.legs if leg.time_answer or not leg.target.is_human]
            return answered[-1].target.call_id if answered else None
        return None if self.dialect.by_call_id == "never" else transferred_by

    def change_state(self, leg: Leg, state: State) -> None:
        """Move the far side of a leg; being answered makes the caller active too."""
        leg.target.state = state
        if state == "active":
            leg.time_answer = self.now()
            self.caller.state = "active"
        if state == "ended":
            leg.time_end = self.now()
        self.on_leg_change(leg)

    def end_leg(self, leg: Leg) -> None:
        """End one leg while the caller stays: lost a ring-all, transferred, not answered."""
        if leg.time_end is None:
            self.change_state(leg, "ended")

    def hang_up(self) -> None:
        """The caller is gone: every open leg ends on both sides."""
        self.caller.state = "ended"
        for leg in self.legs:
            self.end_leg(leg)
