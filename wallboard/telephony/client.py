"""The provider's API, one method per operation."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from typing import TypeVar
from urllib.parse import quote

from wallboard.telephony import resources, transport
from wallboard.telephony.decoding import Nonsense
from wallboard.telephony.errors import BadResponse, NotAuthorized, NotFound, ProviderError, RateLimited, Unreachable
from wallboard.telephony.transport import Answer

T = TypeVar("T")
STATS_VERSION = "application/vnd.service.v1.4.0+json"
SUBSCRIPTIONS_VERSION = "application/vnd.service.v1.2.0+json"
SUBSCRIPTIONS = "/api/subscriptions/"
TROUBLE_AT_THE_PROVIDER = (408, 500, 502, 504)


class Client:
    """Calls in the name of whoever `get_token` gives tokens for. Every method raises a ProviderError, nothing else.

    `get_token(None)` gives the token in use; `get_token(rejected)` gives another one than the rejected, or raises.
    """

    def __init__(self, base_url: str, get_token: Callable[[str | None], str]) -> None:
        self._base_url = base_url.rstrip("/")
        self._get_token = get_token

    def queue_stats(self) -> resources.QueueStatsList:
        """Every queue of the domain at this moment; `.skipped` counts rows that could not be read."""
        answer = self._call("GET", "/api/call_queues/stats/live/", STATS_VERSION)
        return _understood(resources.queue_stats, answer, "queue statistics")

    def create_subscription(self, body: bytes, known_id: str = "") -> resources.SubscriptionAnswer:
        """Create the subscription that `body` (from resources.subscription_request) describes, or renew it.

        With the id of the one that is renewed, an answer without id is about that; without it BadResponse.
        """
        answer = self._call("POST", SUBSCRIPTIONS, SUBSCRIPTIONS_VERSION, body)
        read = partial(resources.renewal, known_id=known_id) if known_id else resources.subscription
        return _understood(read, answer, "subscription")

    def read_subscription(self, subscription_id: str) -> resources.SubscriptionAnswer:
        """The subscription as the provider keeps it; NotFound where it has vanished."""
        answer = self._call("GET", _path_of(subscription_id), SUBSCRIPTIONS_VERSION)
        return _understood(partial(resources.subscription, known_id=subscription_id), answer, "subscription")

    def delete_subscription(self, subscription_id: str) -> None:
        """End a subscription before its expiry; NotFound where it has ended already."""
        self._call("DELETE", _path_of(subscription_id), SUBSCRIPTIONS_VERSION)

    def _call(self, method: str, path: str, version: str, body: bytes | None = None) -> Answer:
        """A successful answer. A 401 is met with one other token and one more try, within the same time."""
        token = self._get_token(None)
        left = transport.TOTAL_SECONDS
        started = time.monotonic()
        answer = self._send(method, path, version, body, token, left)
        left -= time.monotonic() - started
        if answer.status == 401:
            answer = self._send(method, path, version, body, self._get_token(token), left)
        if not answer.is_success:
            raise refusal(answer, f"{method} {path}")
        return answer

    def _send(self, method: str, path: str, version: str, body: bytes | None, token: str, seconds: float) -> Answer:
        headers = {"Authorization": f"Bearer {token}", "Accept": version}
        if body is not None:
            headers["Content-Type"] = "application/json"
        return transport.send(method, self._base_url + path, headers, body, seconds=seconds)


def _path_of(subscription_id: str) -> str:
    return f"{SUBSCRIPTIONS}{quote(subscription_id, safe='')}/"


def _understood(read: Callable[[bytes], T], answer: Answer, what: str) -> T:
    try:
        return read(answer.body)
    except Nonsense:
        raise BadResponse(f"the answer is no {what}") from None


def refusal(answer: Answer, what: str) -> ProviderError:
    """The error that an unsuccessful answer stands for, by its status alone: error bodies are not documented."""
    told = f"{what}: status {answer.status}"
    if answer.status in (429, 503):
        return RateLimited(told, retry_after_seconds(answer.headers.get("Retry-After", "")))
    if answer.status in (401, 403):
        return NotAuthorized(told)
    if answer.status in (404, 410):
        return NotFound(told)
    if answer.status in TROUBLE_AT_THE_PROVIDER:
        return Unreachable(told)
    return BadResponse(told)


def retry_after_seconds(value: str) -> float | None:
    """What a Retry-After header asks for: seconds or a date (RFC 9110 section 10.2.3); None where it is neither."""
    value = value.strip()
    if value.isascii() and value.isdigit() and len(value) <= 9:
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return max(0.0, (moment - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError, OverflowError, IndexError):
        return None
