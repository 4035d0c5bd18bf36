"""Requests of clients and what they were answered, to be read back; no tokens and no secrets."""

from collections import deque
from dataclasses import asdict, dataclass
from itertools import count

from wallboard.simulator.types import JSON

MOST_REQUESTS = 2_000


@dataclass(slots=True, frozen=True)
class RequestEntry:
    """One request; `at` in ms since 1970 by the machine's clock."""

    number: int
    at: int
    method: str
    path: str
    endpoint: str
    status: int
    took_ms: float
    fault: str


class RequestLog:
    """The newest requests of the API; older ones fall out."""

    def __init__(self) -> None:
        self._entries: deque[RequestEntry] = deque(maxlen=MOST_REQUESTS)
        self._numbers = count(1)

    def add(self, *, at: int, method: str, path: str, endpoint: str, status: int, took_ms: float, fault: str) -> None:
        """Enter a request that was answered."""
        self._entries.append(RequestEntry(next(self._numbers), at, method, path, endpoint, status, took_ms, fault))

    def newest(self, most: int) -> list[RequestEntry]:
        return list(reversed(self._entries))[:most]

    def after(self, number: int) -> list[JSON]:
        """Requests entered after this one, oldest first."""
        return [asdict(entry) for entry in self._entries if entry.number > number]
