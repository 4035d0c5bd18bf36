"""How a subscription is shown to its owner, as the dialect has it."""

from datetime import UTC, datetime

from wallboard.simulator.dialect.switches import Dialect
from wallboard.simulator.floor.company import DOMAIN, Company
from wallboard.simulator.messages.times import expires_text
from wallboard.simulator.service.subscriptions import Subscription
from wallboard.simulator.types import JSON


class SubscriptionAnswers:
    """Words the answers to create and read requests."""

    def __init__(self, dialect: Dialect, company: Company) -> None:
        self._dialect, self._company = dialect, company

    def created(self, subscription: Subscription) -> JSON:
        """By the document: id as text, events as one object (a list where there are two kinds)."""
        kinds: list[JSON] = [{"type": kind} for kind in subscription.request.kinds]
        is_object = self._dialect.subscription_events != "array" and len(kinds) == 1
        return self._answer(subscription, kinds[0] if is_object else kinds, is_text=True)

    def read(self, subscription: Subscription) -> JSON:
        """By the document: id as a number, events as a list of type and user."""
        users = self._users(subscription)
        events: list[JSON] = [{"type": kind, "user": user} for kind in subscription.request.kinds for user in users]
        is_object = self._dialect.subscription_events == "object" and len(events) == 1
        return self._answer(subscription, events[0] if is_object else events, is_text=False)

    def _users(self, subscription: Subscription) -> list[str | None]:
        """Who stands in the events: one None for the whole domain, nobody where the dialect leaves them out."""
        users = sorted(subscription.request.users)
        if self._dialect.read_back_user == "empty" and any(self._is_wrong_about(user) for user in users):
            return []
        return [self._shown(user) for user in users] or [None]

    def _is_wrong_about(self, user: str) -> bool:
        return self._dialect.read_back_extension in ("", user)

    def _shown(self, user: str) -> str | None:
        if self._is_wrong_about(user):
            if self._dialect.read_back_user == "null":
                return None
            if self._dialect.read_back_user == "other":
                user = self._company.other_extension(user)
        return f"{user}@{DOMAIN}" if self._dialect.user_form == "address" else user

    def _answer(self, subscription: Subscription, events: JSON | list[JSON], *, is_text: bool) -> JSON:
        dialect = self._dialect
        if dialect.subscription_id_type != "documented":
            is_text = dialect.subscription_id_type == "string"
        expires = datetime.fromtimestamp(subscription.expires + dialect.subscription_expires_error_seconds, UTC)
        return {
            "id": str(subscription.id) if is_text else subscription.id,
            "post_uri": subscription.request.post_uri,
            "expires": expires_text(expires, dialect),
            "events": events,
        }
