"""Calls as the document shows them: endpoints, the legs between two of them, and both kinds of messages."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime
from typing import Any, Literal

State = Literal["progressing", "ringing", "active", "ended"]
JSON = dict[str, Any]


@dataclass(slots=True)
class Endpoint:
    """One side of a call. The same caller keeps one endpoint, with one call_id, through all legs of a call."""

    id: str | None
    call_id: str
    user: str | None = None
    domain: str | None = None
    name: str = ""
    is_human: bool = True
    state: State = "progressing"

    def shown(self) -> JSON:
        return {"id": self.id, "call_id": self.call_id, "user": self.user, "domain": self.domain}


@dataclass(slots=True, eq=False)
class Leg:
    """One from and one to endpoint, from the first sign of it to its end."""

    source: Endpoint
    target: Endpoint
    on_net: bool
    time_start: datetime
    by_call_id: str | None = None
    time_answer: datetime | None = None
    time_end: datetime | None = None

    @property
    def users(self) -> tuple[str | None, str | None]:
        return self.source.user, self.target.user

    def message(self) -> JSON:
        """The call message of the document, for the leg as it is now."""
        source = self.source.shown() | {"state": self.source.state, "name": self.source.name}
        target = self.target.shown() | {"state": self.target.state, "is_human": self.target.is_human}
        return {
            "calls": {
                "on_net": self.on_net,
                "from": source,
                "to": target,
                "time_start": sample_time(self.time_start),
                "time_answer": sample_time(self.time_answer) if self.time_answer else None,
                "by_call_id": self.by_call_id,
            }
        }

    def record(self) -> JSON:
        """The call detail record of an ended leg; an unanswered one has no answer_time."""
        if self.time_end is None:
            raise ValueError("A leg that has not ended has no record.")
        start, end = self.time_start.replace(microsecond=0), self.time_end.replace(microsecond=0)
        return {
            "start_time": format_datetime(start),
            "answer_time": format_datetime(self.time_answer.replace(microsecond=0)) if self.time_answer else None,
            "end_time": format_datetime(end),
            "duration": int((end - start).total_seconds()),
            "from": self.source.shown() | {"name": self.source.name},
            "to": self.target.shown(),
        }


def sample_time(moment: datetime) -> str:
    """YYYY-MM-DD HH:MM:SS, in UTC: the document shows the form and no zone."""
    return moment.strftime("%Y-%m-%d %H:%M:%S")


@dataclass(eq=False)
class Call:
    """One caller and every leg of theirs; each change of an endpoint is told once per leg that it touches."""

    caller: Endpoint
    time_start: datetime
    stamp: Callable[[], datetime]
    tell: Callable[[Leg], None]
    legs: list[Leg] = field(default_factory=list)

    def reach(self, target: Endpoint, state: State, *, on_net: bool = False, by_call_id: str | None = None) -> Leg:
        """A new leg from the caller to this target, told at once."""
        target.state = state
        leg = Leg(self.caller, target, on_net, self.time_start, by_call_id)
        self.legs.append(leg)
        self.tell(leg)
        return leg

    def change(self, leg: Leg, state: State) -> None:
        """Move the far side of a leg; being answered makes the caller active too."""
        leg.target.state = state
        if state == "active":
            leg.time_answer = self.stamp()
            self.caller.state = "active"
        if state == "ended":
            leg.time_end = self.stamp()
        self.tell(leg)

    def drop(self, leg: Leg) -> None:
        """End one leg while the caller stays: lost a ring-all, handed on, not answered."""
        if leg.time_end is None:
            self.change(leg, "ended")

    def end(self) -> None:
        """The caller is gone: every open leg ends on both sides."""
        self.caller.state = "ended"
        for leg in self.legs:
            self.drop(leg)
