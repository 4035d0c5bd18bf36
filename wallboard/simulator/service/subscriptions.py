"""Subscriptions: who is notified of what and until when, kept in memory as long as the service runs."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count

from wallboard.simulator.dialect.switches import Dialect
from wallboard.simulator.messages.publisher import Kind
from wallboard.simulator.service.clock import ServiceClock

MAX_EXPIRES_IN = 604_800


@dataclass(frozen=True, slots=True)
class SubscriptionRequest:
    """What a create request contains; two equal requests of one owner mean the same subscription."""

    owner: str
    post_uri: str
    kinds: tuple[Kind, ...]
    users: frozenset[str]


@dataclass(eq=False)
class Subscription:
    """One subscribed endpoint."""

    id: int
    request: SubscriptionRequest
    expires: float
    renewed: float
    is_ready: bool = False

    def wants(self, kind: Kind, users: Iterable[str | None]) -> bool:
        """Whether a message of this kind about these users is for this subscriber."""
        if kind not in self.request.kinds or not self.is_ready:
            return False
        return not self.request.users or any(user in self.request.users for user in users)


class Subscriptions:
    """All live subscriptions; one that has expired is gone as if deleted."""

    def __init__(self, clock: ServiceClock, dialect: Dialect) -> None:
        self._clock, self._dialect = clock, dialect
        self._by_id: dict[int, Subscription] = {}
        # Not from 1: clients that outlive a restart must not find other subscriptions under their ids.
        self._ids = count(100_000 + secrets.randbelow(800_000))

    def create_or_renew(self, request: SubscriptionRequest, expires_in: int) -> tuple[Subscription, bool]:
        """The subscription of this request and whether it is new; the same request renews it, mostly under its id."""
        now, renewal = self._clock.time(), self._dialect.renewal
        known = next((each for each in self.live() if each.request == request), None)
        if known is None or renewal == "second":
            subscription = Subscription(next(self._ids), request, now + expires_in, now)
            self._by_id[subscription.id] = subscription
            return subscription, True
        known.expires, known.renewed = now + expires_in, now
        if renewal == "new_id":
            self.renumber(known)
        return known, False

    def renumber(self, subscription: Subscription) -> None:
        """Give a subscription another id; its old one is gone."""
        self.remove(subscription)
        subscription.id = next(self._ids)
        self._by_id[subscription.id] = subscription

    def find(self, subscription_id: str, owner: str) -> Subscription | None:
        """The owner's subscription of this id; somebody else's does not exist for them."""
        if not (subscription_id.isascii() and subscription_id.isdigit() and len(subscription_id) < 16):
            return None
        found = self._by_id.get(int(subscription_id))
        return found if found and found.request.owner == owner and self.is_live(found) else None

    def is_live(self, subscription: Subscription) -> bool:
        return subscription.id in self._by_id and not self._has_ended(subscription)

    def _has_ended(self, subscription: Subscription) -> bool:
        """Expired, or deleted without a word where the dialect lets none live long."""
        now, life = self._clock.time(), self._dialect.subscription_life_seconds
        return subscription.expires <= now or (life > 0 and subscription.renewed + life <= now)

    def remove(self, subscription: Subscription) -> None:
        self._by_id.pop(subscription.id, None)

    def live(self) -> list[Subscription]:
        """Those that have not ended; forgets the others."""
        self._by_id = {key: value for key, value in self._by_id.items() if not self._has_ended(value)}
        return list(self._by_id.values())
