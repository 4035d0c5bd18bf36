"""What was sent to subscribers and what they answered, to be read back."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count, islice
from time import time
from typing import Any

from wallboard.simulator.types import JSON

MOST_DELIVERIES = 20_000
WAITING, SENT = "waiting", "sent"


def now_ms() -> int:
    """Milliseconds since 1970 by the machine's clock."""
    return int(time() * 1000)


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

    def as_json(self) -> JSON:
        """The entry as /control/deliveries shows it."""
        names = ("number", "subscription", "post_uri", "kind", "due_at", "sent_at", "answered_at", "status")
        entry: JSON = {name: getattr(self, name) for name in names}
        entry |= {"outcome": self.outcome, "fault": self.fault, "acknowledged": self.is_acknowledged}
        return entry | {"body": self.body.decode("utf-8", "replace")}


class DeliveryLog:
    """The newest deliveries; older ones fall out."""

    def __init__(self) -> None:
        self._deliveries: deque[Delivery] = deque(maxlen=MOST_DELIVERIES)
        self._numbers = count(1)

    def add(self, **values: Any) -> Delivery:
        """Enter a delivery that is about to be made."""
        delivery = Delivery(number=next(self._numbers), due_at=now_ms(), **values)
        self._deliveries.append(delivery)
        return delivery

    def add_copy(self, delivery: Delivery) -> Delivery:
        """Enter the same message once more."""
        copy = replace(
            delivery, number=next(self._numbers), sent_at=None, answered_at=None, status=None, outcome=WAITING
        )
        self._deliveries.append(copy)
        return copy

    def newest(self, most: int) -> list[Delivery]:
        return list(islice(reversed(self._deliveries), most))

    def after(self, number: int) -> Iterator[Delivery]:
        """Deliveries entered after this one, oldest first."""
        return (delivery for delivery in self._deliveries if delivery.number > number)
