"""A small queue: callers with the times that they would talk and wait, answered in the order in which they came."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from heapq import heappop, heappush

Staffing = Callable[[float], int]  # how many people are at work at a second; it changes at whole five minutes


@dataclass(frozen=True, slots=True)
class Caller:
    """When a caller comes, how long their call keeps a person, and how long they would wait, in seconds."""

    entered: float
    handling: float
    patience: float


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a caller."""

    entered: float
    waited: float
    is_answered: bool


def replay(callers: Iterable[Caller], people: int | Staffing) -> list[Done]:
    """Each caller in the order in which they came; nobody is there before the first one.

    Where fewer people are at work, who talks finishes the call first.
    """
    at_work = people if callable(people) else lambda second: people
    busy: list[float] = []  # when each of those who talk will be free
    found = []
    for caller in callers:
        begin = _free_at(busy, at_work, caller)
        if begin is None:
            found.append(Done(caller.entered, caller.patience, is_answered=False))
            continue
        heappush(busy, begin + caller.handling)
        found.append(Done(caller.entered, begin - caller.entered, is_answered=True))
    return found


def _free_at(busy: list[float], at_work: Staffing, caller: Caller) -> float | None:
    """When somebody is free for this caller; None where that is after their patience. Forgets calls that are over."""
    moment = caller.entered
    until = caller.entered + caller.patience
    while True:
        while busy and busy[0] <= moment:
            heappop(busy)
        if len(busy) < at_work(moment):
            return moment
        # Somebody gets free, or somebody more comes to work.
        following = (moment // 300 + 1) * 300
        moment = min(busy[0], following) if busy else following
        if moment > until:
            return None


def longest(done: Iterable[Done]) -> float:
    """The longest wait; 0 where nobody called."""
    return max((call.waited for call in done), default=0.0)
