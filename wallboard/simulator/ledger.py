"""What was sent and what was answered, to be read back: deliveries to subscribers and requests of clients."""

from collections import deque
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import count, islice
from typing import Any

from wallboard.simulator.legs import JSON

KEPT_DELIVERIES = 20_000
KEPT_REQUESTS = 2_000
WAITING, SENT = "waiting", "sent"


@dataclass(slots=True, eq=False)
class Delivery:
    """One POST to a subscriber, from the moment it was due; times in ms since 1970 by the machine's clock."""

    number: int
    subscription: int
    post_uri: str
    kind: str
    body: bytes
    due_at: int
    sent_at: int | None = None
    answered_at: int | None = None
    status: int | None = None
    outcome: str = WAITING
    fault: str = ""

    @property
    def is_acknowledged(self) -> bool:
        return self.status in (200, 204)

    @property
    def is_pending(self) -> bool:
        """Neither answered nor given up."""
        return self.outcome in (WAITING, SENT)

    def shown(self) -> JSON:
        names = ("number", "subscription", "post_uri", "kind", "due_at", "sent_at", "answered_at", "status")
        shown: JSON = {name: getattr(self, name) for name in names}
        shown |= {"outcome": self.outcome, "fault": self.fault, "acknowledged": self.is_acknowledged}
        return shown | {"body": self.body.decode("utf-8", "replace")}


@dataclass(slots=True, frozen=True)
class Request:
    """One request of a client and what it was answered; no tokens and no secrets."""

    number: int
    at: int
    method: str
    path: str
    place: str
    status: int
    took_ms: float
    fault: str

    def shown(self) -> JSON:
        return asdict(self)


class Ledger:
    """The newest deliveries and requests; older ones fall out."""

    def __init__(self) -> None:
        self.deliveries: deque[Delivery] = deque(maxlen=KEPT_DELIVERIES)
        self.requests: deque[Request] = deque(maxlen=KEPT_REQUESTS)
        self._numbers = count(1)
        self._request_numbers = count(1)

    def due(self, **values: Any) -> Delivery:
        """Enter a delivery that is about to be made."""
        delivery = Delivery(number=next(self._numbers), **values)
        self.deliveries.append(delivery)
        return delivery

    def copy(self, delivery: Delivery) -> Delivery:
        """Enter the same message a second time."""
        return self.due(
            subscription=delivery.subscription,
            post_uri=delivery.post_uri,
            kind=delivery.kind,
            body=delivery.body,
            due_at=delivery.due_at,
            fault=delivery.fault,
        )

    def answered(self, **values: Any) -> None:
        """Enter a request that was answered."""
        self.requests.append(Request(number=next(self._request_numbers), **values))

    def newest(self, count_wanted: int) -> list[Delivery]:
        return list(islice(reversed(self.deliveries), count_wanted))

    def after(self, number: int) -> Iterator[Delivery]:
        """Deliveries entered after this one, oldest first."""
        return (delivery for delivery in self.deliveries if delivery.number > number)
