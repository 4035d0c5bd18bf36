"""Work that costs little more for many than for one: who comes within a moment of the first is taken along.

No thread of its own: the first to come waits for the others, and does it for all of them in his.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

log = logging.getLogger(__name__)
T = TypeVar("T")
R = TypeVar("R")


class _Place(Generic[T, R]):
    def __init__(self, item: T) -> None:
        self.item = item
        self.answer: R | None = None
        self.is_over = threading.Event()


class Together(Generic[T, R]):
    """`work` answers for each of several, in their order; a None says that this one has to be done by itself."""

    def __init__(self, work: Callable[[Sequence[T]], Sequence[R | None]], gather_seconds: float) -> None:
        self._work, self._gather_seconds = work, gather_seconds
        self._lock = threading.Lock()
        self._waiting: list[_Place[T, R]] = []

    def ask(self, item: T) -> R | None:
        """The answer for this one, which others may have been asked along with. None where nobody came meanwhile, where
        the work broke off, whoever was the cause, and where it says so."""
        place = _Place[T, R](item)
        with self._lock:
            self._waiting.append(place)
            is_first = len(self._waiting) == 1
        if not is_first:
            place.is_over.wait()
            return place.answer
        time.sleep(self._gather_seconds)
        with self._lock:
            places, self._waiting = self._waiting, []
        try:
            if len(places) > 1:
                for each, answer in zip(places, self._work([each.item for each in places]), strict=True):
                    each.answer = answer
        except Exception as error:
            # One of them may be the cause: each finds out by himself, and tells of it.
            log.warning("%d together failed (%s); each goes on by itself", len(places), type(error).__name__)
        finally:
            for each in places:
                each.is_over.set()
        return place.answer
