"""Subscriptions: who is told what and until when, kept in memory as long as the service runs."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from typing import Literal

from wallboard.simulator.clock import Clock, iso
from wallboard.simulator.legs import JSON

Kind = Literal["calls", "cdrs"]
MAX_EXPIRES_IN = 604_800


@dataclass(frozen=True, slots=True)
class Wish:
    """What a create request asks for; two equal wishes of one owner mean the same subscription."""

    owner: str
    post_uri: str
    kinds: tuple[Kind, ...]
    users: frozenset[str]


@dataclass(eq=False)
class Subscription:
    id: int
    wish: Wish
    expires: float
    is_ready: bool = False

    def wants(self, kind: Kind, users: Iterable[str | None]) -> bool:
        """Whether a message of this kind about these users is for this subscriber."""
        if kind not in self.wish.kinds or not self.is_ready:
            return False
        return not self.wish.users or any(user in self.wish.users for user in users)

    def created(self) -> JSON:
        """The create answer: id as a string, events as one object (as a list where there are two kinds)."""
        kinds: list[JSON] = [{"type": kind} for kind in self.wish.kinds]
        return self._answer(str(self.id), kinds[0] if len(kinds) == 1 else kinds)

    def read(self) -> JSON:
        """The read answer: id as an integer, events as a list of type and user."""
        users: list[str | None] = [*sorted(self.wish.users)] or [None]
        return self._answer(self.id, [{"type": kind, "user": user} for kind in self.wish.kinds for user in users])

    def _answer(self, shown_id: str | int, events: JSON | list[JSON]) -> JSON:
        expires = iso(datetime.fromtimestamp(self.expires, UTC))
        return {"id": shown_id, "post_uri": self.wish.post_uri, "expires": expires, "events": events}


class Subscriptions:
    """All live subscriptions; one that has expired is gone as if deleted."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._by_id: dict[int, Subscription] = {}
        self._ids = count(100_000 + secrets.randbelow(800_000))

    def ask(self, wish: Wish, expires_in: int) -> tuple[Subscription, bool]:
        """The subscription for this wish and whether it is new; asking again renews it under the same id."""
        expires = self._clock.time() + expires_in
        for subscription in self.live():
            if subscription.wish == wish:
                subscription.expires = expires
                return subscription, False
        subscription = Subscription(next(self._ids), wish, expires)
        self._by_id[subscription.id] = subscription
        return subscription, True

    def find(self, subscription_id: str, owner: str) -> Subscription | None:
        """The owner's subscription of this id; somebody else's does not exist for them."""
        if not (subscription_id.isascii() and subscription_id.isdigit() and len(subscription_id) < 16):
            return None
        found = self._by_id.get(int(subscription_id))
        return found if found and found.wish.owner == owner and self.is_live(found) else None

    def is_live(self, subscription: Subscription) -> bool:
        return subscription.id in self._by_id and subscription.expires > self._clock.time()

    def remove(self, subscription: Subscription) -> None:
        self._by_id.pop(subscription.id, None)

    def live(self) -> list[Subscription]:
        """Those that have not ended; forgets the others."""
        now = self._clock.time()
        self._by_id = {key: value for key, value in self._by_id.items() if value.expires > now}
        return list(self._by_id.values())
