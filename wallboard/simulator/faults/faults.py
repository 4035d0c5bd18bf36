"""Faults that were switched on: which endpoint misbehaves, how, and for how many times or how long."""

from dataclasses import dataclass, field
from itertools import count
from time import monotonic

from wallboard.simulator.types import JSON

TOKENS = ("user", "company")  # whose token a request carries
ENDPOINTS = ("token", "authorize", "stats", "subscriptions.create", "subscriptions.read", "subscriptions.delete")
TARGETS = ("api", "subscriptions", *ENDPOINTS, "deliveries")
ENDPOINT_FAULTS = (
    *("delay", "status", "malformed", "cut", "drip", "drop"),
    *("expired_token", "revoked_token", "delete_subscription"),
)
DELIVERY_FAULTS = ("duplicate", "late", "reorder", "lost", "wrong_types")


@dataclass(eq=False)
class Fault:
    """One way to misbehave at one target. `times` and `ends` bound it; with neither it lasts until cleared."""

    at: str
    do: str
    seconds: float = 1.0
    status: int = 503
    body: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    times: int | None = None
    ends: float | None = None
    subscription: int | None = None
    kind: str | None = None
    token: str | None = None
    number: int = 0
    used: int = 0

    @property
    def is_over(self) -> bool:
        is_used_up = self.times is not None and self.used >= self.times
        return is_used_up or (self.ends is not None and monotonic() >= self.ends)

    def fits(self, target: str, subscription: int | None, kind: str | None, token: str | None) -> bool:
        """Whether it applies to this request or delivery."""
        at_target = self.at in (target, target.split(".")[0]) or (self.at == "api" and target in ENDPOINTS)
        right_subscription = self.subscription is None or self.subscription == subscription
        return at_target and right_subscription and self.kind in (None, kind) and self.token in (None, token)

    def as_json(self) -> JSON:
        """The fault as /control/faults shows it."""
        left = None if self.ends is None else round(max(0.0, self.ends - monotonic()), 1)
        names = ("number", "at", "do", "seconds", "status", "times", "used", "subscription", "kind", "token")
        return {name: getattr(self, name) for name in names} | {"seconds_left": left}


class Faults:
    """The faults that are switched on, oldest first; the first that fits is applied."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self._numbers = count(1)

    def add(self, fault: Fault) -> None:
        """Switch one on; it gets its number here."""
        fault.number = next(self._numbers)
        self._faults.append(fault)

    def take(
        self, target: str, subscription: int | None = None, kind: str | None = None, token: str | None = None
    ) -> Fault | None:
        """The fault to apply to this request or delivery, counted as used."""
        self._faults = [fault for fault in self._faults if not fault.is_over]
        for fault in self._faults:
            if fault.fits(target, subscription, kind, token):
                fault.used += 1
                return fault
        return None

    def clear(self, number: int | None = None) -> None:
        """Switch one off, or all."""
        self._faults = [fault for fault in self._faults if number is not None and fault.number != number]

    def as_json(self) -> list[JSON]:
        return [fault.as_json() for fault in self._faults if not fault.is_over]
