"""Whose request to a provider is next: places are few, and no provider that hangs may hold those of the others.

Three rules. The provider with the fewest requests under way is next. One provider never holds all places, so that there
are some left at the moment at which it stops to answer. And whoever failed lately shares at most half of them.
"""

from collections import Counter, deque
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")
MOST_OF_ONE = 0.75  # of all places, for one provider
MOST_OF_FAILING = 0.5  # for all requests together that will most likely take until their deadline
MISSES = 3  # failures in a row after which a provider counts as failing, whatever its companies did before


class Turn(NamedTuple, Generic[T]):
    """Something that waits for a place; `provider` is its host, `is_failing` how it went for this company last time."""

    provider: str
    is_failing: bool
    work: T


class Turns(Generic[T]):
    """What waits, and what is under way. Not for several threads at once: whoever has it brings a lock."""

    def __init__(self, places: int) -> None:
        self.places = places
        self._waiting: dict[tuple[str, bool], deque[Turn[T]]] = {}
        self._running = Counter[str]()
        self._failing_now = 0
        self._misses = Counter[str]()

    def add(self, turn: Turn[T]) -> None:
        """Let it wait behind what waits for the same provider already."""
        self._waiting.setdefault((turn.provider, turn.is_failing), deque()).append(turn)

    def take(self) -> Turn[T] | None:
        """The next one that has a place now, which it keeps until done(); None where none has."""
        key = min(filter(self._has_place, self._waiting), key=self._rank, default=None)
        if key is None:
            return None
        turn = self._waiting[key].popleft()
        # To the end, so that providers with as many under way take turns.
        if rest := self._waiting.pop(key):
            self._waiting[key] = rest
        turn = turn._replace(is_failing=self._is_failing(key))
        self._running[turn.provider] += 1
        self._failing_now += turn.is_failing
        return turn

    def done(self, turn: Turn[T], *, is_failure: bool) -> None:
        """Its place is free again."""
        self._running[turn.provider] -= 1
        self._failing_now -= turn.is_failing
        if self._running[turn.provider] == 0:
            del self._running[turn.provider]
        if is_failure:
            self._misses[turn.provider] += 1
        else:
            self._misses.pop(turn.provider, None)

    def _has_place(self, key: tuple[str, bool]) -> bool:
        if self._running.total() >= self.places or self._running[key[0]] >= max(1, MOST_OF_ONE * self.places):
            return False
        return not self._is_failing(key) or self._failing_now < max(1, MOST_OF_FAILING * self.places)

    def _rank(self, key: tuple[str, bool]) -> tuple[int, bool]:
        return self._running[key[0]], self._is_failing(key)

    def _is_failing(self, key: tuple[str, bool]) -> bool:
        return key[1] or self._misses[key[0]] >= MISSES
