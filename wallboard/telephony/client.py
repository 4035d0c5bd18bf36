"""The provider's API, one method per operation."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import TypeVar
from urllib.parse import quote

from wallboard.telephony import resources, transport
from wallboard.telephony.decoding import Unreadable, http_date
from wallboard.telephony.errors import (
    BadResponse,
    Forbidden,
    InTrouble,
    NotFound,
    ProviderError,
    RateLimited,
    RequestRefused,
    TokenRejected,
    Unavailable,
)
from wallboard.telephony.transport import Answer, Deadline

T = TypeVar("T")
# The API has a version for each kind of operation; what it does without this header is not documented.
STATS_VERSION = "application/vnd.service.v1.4.0+json"
SUBSCRIPTIONS_VERSION = "application/vnd.service.v1.2.0+json"
SUBSCRIPTIONS = "/api/subscriptions/"
# No error is documented, so a 403 may mean an outdated token as well.
TOKEN_REFUSED = (401, 403)
# Without 503, which may name a pause as 429 does.
TROUBLE_AT_THE_PROVIDER = (408, 500, 502, 504)


class Client:
    """Calls in the name of whoever `get_token` gives tokens for. Every method raises a ProviderError, nothing else.

    `get_token(None)` gives the token in use; `get_token(rejected)` gives another one than the rejected, the same one
    where it is not to be replaced now, or raises.
    Each method takes ten seconds at most (transport.TOTAL_SECONDS); `transport.all_within` bounds several together.
    """

    def __init__(self, base_url: str, get_token: Callable[[str | None], str]) -> None:
        self._base_url = base_url.rstrip("/")
        self._get_token = get_token
        self._answer: Answer | None = None

    @property
    def provider_time(self) -> datetime | None:
        """When the provider sent its newest answer, by its own clock; None before one, or where it did not say so."""
        return self._answer.provider_time if self._answer else None

    @property
    def clock_ahead_seconds(self) -> float | None:
        """How far the provider's clock is ahead of ours, to a second and the way of the answer; None as above."""
        moment = self.provider_time
        return (moment - self._answer.received_at).total_seconds() if moment and self._answer else None

    def queue_stats(self) -> resources.QueueStatsList:
        """Every queue of the domain at this moment; `.skipped` counts rows that could not be read."""
        answer = self._call("GET", "/api/call_queues/stats/live/", STATS_VERSION)
        return _readable(resources.queue_stats, answer, "queue statistics")

    def create_subscription(self, body: bytes, known_id: str = "") -> resources.SubscriptionAnswer:
        """Create the subscription that `body` (from resources.subscription_request) describes, or renew it.

        With the id of the one that is renewed, an answer without id is about that; else it raises BadResponse.
        """
        answer = self._call("POST", SUBSCRIPTIONS, SUBSCRIPTIONS_VERSION, body)
        read = partial(resources.renewal, known_id=known_id) if known_id else resources.subscription
        return _readable(read, answer, "subscription")

    def read_subscription(self, subscription_id: str) -> resources.SubscriptionAnswer:
        """The subscription as the provider keeps it; NotFound where it has vanished."""
        answer = self._call("GET", _path_of(subscription_id), SUBSCRIPTIONS_VERSION)
        return _readable(partial(resources.subscription, known_id=subscription_id), answer, "subscription")

    def delete_subscription(self, subscription_id: str) -> None:
        """End a subscription before its expiry; NotFound where it has ended already."""
        self._call("DELETE", _path_of(subscription_id), SUBSCRIPTIONS_VERSION)

    def _call(self, method: str, path: str, version: str, body: bytes | None = None) -> Answer:
        """A successful answer. A 401 or 403 is met with one other token and one more try, within the same time.

        Which of the two says that a token is past its time is not documented.
        Fetching a token takes its own time (the token's keeper bounds it), but no call is begun past its end.
        """
        token = self._get_token(None)
        time_left = Deadline.after(transport.TOTAL_SECONDS)
        answer = self._send(method, path, version, body, token, time_left)
        # A source that has no better token gives the same one: sending it again would be in vain.
        if answer.status in TOKEN_REFUSED and (other := self._get_token(token)) != token:
            answer = self._send(method, path, version, body, other, time_left)
        if not answer.is_success:
            raise refusal(answer, f"{method} {path}")
        return answer

    def _send(self, method: str, path: str, version: str, body: bytes | None, token: str, until: Deadline) -> Answer:
        headers = {"Authorization": f"Bearer {token}", "Accept": version}
        if body is not None:
            headers["Content-Type"] = "application/json"
        self._answer = transport.send(method, self._base_url + path, headers, body, deadline=until)
        return self._answer


def _path_of(subscription_id: str) -> str:
    # The id is the provider's text: a slash in it must not lead to another address.
    return f"{SUBSCRIPTIONS}{quote(subscription_id, safe='')}/"


def _readable(read: Callable[[bytes], T], answer: Answer, what: str) -> T:
    try:
        return read(answer.body)
    except Unreadable:
        # Without its cause: what a parser says may quote the body.
        raise attributed(BadResponse(f"the answer is no {what}"), answer) from None


def refusal(answer: Answer, what: str) -> ProviderError:
    """The error that an unsuccessful answer stands for, by its status alone: error bodies are not documented."""
    return attributed(_by_status(answer, f"{what}: status {answer.status}"), answer)


def attributed(error: ProviderError, answer: Answer) -> ProviderError:
    """The error with the status and the date of the answer that it is about."""
    error.status, error.provider_time = answer.status, answer.provider_time
    return error


def _by_status(answer: Answer, text: str) -> ProviderError:
    if answer.status in (429, 503):
        asks_for_patience = RateLimited if answer.status == 429 else Unavailable
        return asks_for_patience(text, retry_after_seconds(answer.headers.get("Retry-After", "")))
    if answer.status == 401:
        return TokenRejected(text)
    if answer.status == 403:
        return Forbidden(text)
    if answer.status in (404, 410):
        return NotFound(text)
    if answer.status in TROUBLE_AT_THE_PROVIDER:
        return InTrouble(text)
    return RequestRefused(text) if 400 <= answer.status < 500 else BadResponse(text)


def retry_after_seconds(value: str) -> float | None:
    """What a Retry-After header asks for: seconds or a date (RFC 9110 section 10.2.3); None where it is neither."""
    value = value.strip()
    # Nine digits are thirty years; enough of them are infinity to float().
    if value.isascii() and value.isdigit() and len(value) <= 9:
        return float(value)
    moment = http_date(value)
    return None if moment is None else max(0.0, (moment - datetime.now(UTC)).total_seconds())
