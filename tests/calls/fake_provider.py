"""The provider's subscription service in memory, in place of telephony's client."""

from datetime import UTC, datetime, timedelta
from itertools import count

import msgspec

from wallboard.telephony.errors import NotFound, ProviderError
from wallboard.telephony.resources import SubscriptionAnswer


class FakeProvider:
    """Remembers what it was sent. `failing` is raised by every call; `failing_for` only where the body asks for it."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.reads: list[str] = []
        self.deleted: list[str] = []
        self.live: dict[str, bytes] = {}
        self.expiries: dict[str, datetime] = {}
        self.failing: ProviderError | None = None
        self.failing_for: dict[str, ProviderError] = {}
        self.lives_for = timedelta(days=7)
        self.provider_time: datetime | None = None
        self._ids = count(1)

    def create_subscription(self, body: bytes, known_id: str = "") -> SubscriptionAnswer:
        self._maybe_fail()
        for kind, error in self.failing_for.items():
            if kind in msgspec.json.decode(body):
                raise error
        self.bodies.append(body)
        known = next((key for key, kept in self.live.items() if kept == body), None)
        subscription_id = known or str(next(self._ids))
        self.live[subscription_id] = body
        self.expiries[subscription_id] = datetime.now(UTC) + self.lives_for
        return self._answer(subscription_id)

    def read_subscription(self, subscription_id: str) -> SubscriptionAnswer:
        self.reads.append(subscription_id)
        self._maybe_fail()
        if subscription_id not in self.live:
            raise NotFound("gone")
        return self._answer(subscription_id)

    def delete_subscription(self, subscription_id: str) -> None:
        self._maybe_fail()
        self.deleted.append(subscription_id)
        if self.live.pop(subscription_id, None) is None:
            raise NotFound("gone")

    def _answer(self, subscription_id: str) -> SubscriptionAnswer:
        post_uri = msgspec.json.decode(self.live[subscription_id])["post_uri"]
        return SubscriptionAnswer(subscription_id, post_uri, self.expiries[subscription_id])

    def _maybe_fail(self) -> None:
        if self.failing is not None:
            raise self.failing


def post_uri(body: bytes) -> str:
    """The address that the body of a create asks the provider to send to."""
    return str(msgspec.json.decode(body)["post_uri"])
