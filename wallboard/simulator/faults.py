"""Faults asked for on the control page: which place misbehaves, how, and for how many times or how long."""

from dataclasses import dataclass, field
from itertools import count
from time import monotonic
from typing import Any

from wallboard.simulator.legs import JSON

ENDPOINTS = ("token", "authorize", "stats", "subscriptions.create", "subscriptions.read", "subscriptions.delete")
OF_ENDPOINTS = ("delay", "status", "malformed", "cut", "drip", "drop", "expired_token", "revoked_token", "vanish")
OF_DELIVERIES = ("duplicate", "late", "reorder", "lost", "wrong_types")
PLACES = ("api", "subscriptions", *ENDPOINTS, "deliveries")


class BadFault(ValueError):
    """The fault cannot be switched on as asked; the text says why."""


@dataclass(eq=False)
class Fault:
    """One way to misbehave at one place. `times` and `seconds_left` bound it; with neither it lasts until cleared."""

    number: int
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
    used: int = 0

    @property
    def is_over(self) -> bool:
        return (self.times is not None and self.used >= self.times) or (
            self.ends is not None and monotonic() >= self.ends
        )

    def fits(self, place: str, subscription: int | None, kind: str | None) -> bool:
        at_place = self.at in (place, place.split(".")[0]) or (self.at == "api" and place in ENDPOINTS)
        right_subscription = self.subscription is None or self.subscription == subscription
        return at_place and right_subscription and (self.kind is None or self.kind == kind)

    def shown(self) -> JSON:
        left = None if self.ends is None else round(max(0.0, self.ends - monotonic()), 1)
        names = ("number", "at", "do", "seconds", "status", "times", "used", "subscription", "kind")
        return {name: getattr(self, name) for name in names} | {"seconds_left": left}


class Faults:
    """The faults that are switched on, oldest first; the first that fits is applied."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self._numbers = count(1)

    def add(self, wish: JSON) -> Fault:
        """Switch one on; BadFault where the wish makes no sense."""
        at, do = wish.get("at"), wish.get("do")
        known = OF_DELIVERIES if at == "deliveries" else OF_ENDPOINTS
        if at not in PLACES:
            raise BadFault(f"at must be one of {', '.join(PLACES)}.")
        if do not in known:
            raise BadFault(f"do must be one of {', '.join(known)} at {at}.")
        lasting = _number(wish, "for_seconds")
        times = _number(wish, "times")
        fault = Fault(
            next(self._numbers),
            str(at),
            str(do),
            seconds=_number(wish, "seconds") or 1.0,
            status=_status(wish),
            body=_text(wish, "body"),
            headers=_headers(wish),
            times=int(times) if times is not None else None,
            ends=monotonic() + lasting if lasting is not None else None,
            subscription=_subscription(wish),
            kind=_text(wish, "kind"),
        )
        self._faults.append(fault)
        return fault

    def take(self, place: str, subscription: int | None = None, kind: str | None = None) -> Fault | None:
        """The fault to apply at this place now, counted as used."""
        self._faults = [fault for fault in self._faults if not fault.is_over]
        for fault in self._faults:
            if fault.fits(place, subscription, kind):
                fault.used += 1
                return fault
        return None

    def clear(self, number: int | None = None) -> None:
        """Switch one off, or all."""
        self._faults = [fault for fault in self._faults if number is not None and fault.number != number]

    def shown(self) -> list[JSON]:
        return [fault.shown() for fault in self._faults if not fault.is_over]


def _number(wish: JSON, name: str) -> float | None:
    value = wish.get(name)
    if value in (None, ""):
        return None
    try:
        number = float(str(value))
    except ValueError:
        number = -1.0
    if not 0 < number <= 1e6:
        raise BadFault(f"{name} must be a number above zero.")
    return number


def _status(wish: JSON) -> int:
    status = int(_number(wish, "status") or 503)
    if not 200 <= status <= 599:
        raise BadFault("status must lie between 200 and 599.")
    return status


def _text(wish: JSON, name: str) -> str | None:
    value = wish.get(name)
    if value is not None and not isinstance(value, str):
        raise BadFault(f"{name} must be text.")
    return value or None


def _subscription(wish: JSON) -> int | None:
    number = _number(wish, "subscription")
    return int(number) if number is not None else None


def _headers(wish: JSON) -> dict[str, str]:
    headers: Any = wish.get("headers") or {}
    if not isinstance(headers, dict):
        raise BadFault("headers must be an object of names and texts.")
    return {str(name): str(value) for name, value in headers.items()}
