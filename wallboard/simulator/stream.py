"""A run of the floor without HTTP and without waiting: what clients would get, as a stream with a virtual clock."""

from collections import deque
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

from wallboard.simulator.floor.floor import EPOCH
from wallboard.simulator.messages.initialization import initialization_steps
from wallboard.simulator.messages.publisher import Message
from wallboard.simulator.options import Options
from wallboard.simulator.provider import Provider
from wallboard.simulator.types import JSON, Process

POLL_SECONDS = 5.0
ItemKind = Literal["initialization", "calls", "cdrs", "statistics"]


class Item(NamedTuple):
    """A message that is posted, or statistics that are polled, at a second of the run."""

    seconds: float
    kind: ItemKind
    payload: Any


class Stream:
    """One provider with one subscriber to everything, which also polls the statistics.

    The same options with a seed give the same items, call ids included. Between two items, `dialect` may be changed.
    """

    def __init__(
        self, options: Options, *, poll_seconds: float = POLL_SECONDS, starts_at: datetime | None = None
    ) -> None:
        self.starts_at = starts_at or EPOCH + timedelta(hours=options.start)
        run_name = "" if options.seed is None else f"seed{options.seed}-"
        self.provider = Provider(options, self._receive, starts_at=self.starts_at, run_name=run_name)
        self.dialect = self.provider.dialect
        self._poll_seconds = poll_seconds
        self._items: deque[Item] = deque()
        self._is_subscribed = self.dialect.events_before_ready
        self._statistics_back_at = 0.0
        floor = self.provider.floor
        floor.env.process(self._initialize())
        floor.env.process(self._poll())
        self.provider.start(self._take_statistics_away, list)

    @property
    def seconds(self) -> float:
        """Seconds since the run began, for the clients."""
        return self.provider.floor.now / self.provider.floor.speed

    def run(self, seconds: float) -> Iterator[Item]:
        """The items of so many more seconds, as they come."""
        floor = self.provider.floor
        end = floor.now + seconds * floor.speed
        while floor.env.peek() <= end:
            floor.env.step()
            while self._items:
                yield self._items.popleft()
        if floor.now < end:
            floor.env.run(until=end)

    def ground_truth(self) -> JSON:
        """What really happened until now."""
        return self.provider.ground_truth()

    def moment(self, item: Item) -> datetime:
        """When this item came, by a clock that is right."""
        return self.starts_at + timedelta(seconds=item.seconds)

    def _receive(self, message: Message) -> None:
        body = message.body(lambda users: True)
        if self._is_subscribed and not message.is_lost:
            self._add(message.kind, body)

    def _add(self, kind: ItemKind, payload: object) -> None:
        self._items.append(Item(self.seconds, kind, payload))

    def _initialize(self) -> Process:
        for seconds, body in initialization_steps(self.dialect):
            yield self.provider.floor.env.timeout(seconds * self.provider.floor.speed)
            if body is not None:
                self._add("initialization", body)
        self._is_subscribed = True

    def _poll(self) -> Process:
        floor = self.provider.floor
        while True:
            yield floor.env.timeout(self._poll_seconds * floor.speed)
            if floor.now >= self._statistics_back_at:
                self._add("statistics", self.provider.statistics.entries())

    def _take_statistics_away(self, seconds: float) -> None:
        self._statistics_back_at = self.provider.floor.now + seconds * self.provider.floor.speed
