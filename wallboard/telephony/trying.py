"""Does the provider take this address and these credentials? Asked for real, and the answer named by what is wrong."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum

from wallboard.telephony import oauth, transport
from wallboard.telephony.client import Client
from wallboard.telephony.errors import (
    BadResponse,
    Forbidden,
    GrantRefused,
    NotAuthorized,
    NotFound,
    ProviderError,
    RateLimited,
    TokenRejected,
    Unreachable,
)

TRY_SECONDS = 20.0
OF_THE_MOMENT = (408, 429, 500, 502, 503, 504)  # statuses that tell nothing of a request
CLOCK_SECONDS = 60.0  # from such a difference on tokens may seem over as soon as they are given


class Verdict(StrEnum):
    """What a try showed."""

    GOOD = "good"
    UNEXPLAINED = "unexplained"
    WRONG_SECRET = "wrong_secret"  # noqa: S105  (a word about one)
    NO_RIGHTS = "no_rights"
    NOT_THE_API = "not_the_api"
    NO_NAME = "no_name"
    REFUSED = "refused"
    TLS = "tls"
    TIMEOUT = "timeout"
    TROUBLE = "trouble"
    UNREACHABLE = "unreachable"
    BUSY = "busy"
    CLOCK = "clock"
    REDIRECT = "redirect"


@dataclass(frozen=True)
class Tried:
    """The verdict; `status` of the answer that decided, `clock_ahead_seconds` of the provider, None where unknown.

    `queues` are the numbers of those that the provider told of.
    """

    verdict: Verdict
    status: int | None = None
    clock_ahead_seconds: float | None = None
    queues: tuple[str, ...] = ()

    @property
    def is_clock_off(self) -> bool:
        """Whether the provider's clock and ours differ so much that it will show."""
        return abs(self.clock_ahead_seconds or 0.0) > CLOCK_SECONDS


def company(base_url: str, client_id: str, client_secret: str) -> Tried:
    """A token with these credentials, and the queues with that token."""
    with transport.all_within(TRY_SECONDS):
        try:
            token = oauth.company_token(base_url, client_id, client_secret)
            client = Client(base_url, lambda _rejected: token.access_token)
            queues = client.queue_stats()
        except ProviderError as error:
            return _judged(error)
    return Tried(Verdict.GOOD, 200, client.clock_ahead_seconds, tuple(queue.number for queue in queues))


def login(base_url: str, client_id: str, client_secret: str, redirect_uri: str) -> Tried:
    """Whether the token endpoint knows these credentials, by a code that is none, and the sign-in page the address."""
    with transport.all_within(TRY_SECONDS):
        error = _refusal_of_no_code(base_url, client_id, client_secret, redirect_uri)
        if error is not None and not isinstance(error, GrantRefused):
            # Which status a code gets that is none is not documented: another one than a secret that is none, at least.
            other = _refusal_of_no_code(base_url, client_id, secrets.token_urlsafe(16), redirect_uri)
            if not isinstance(other, NotAuthorized) or error.status in (None, other.status, *OF_THE_MOMENT):
                return _judged(error)
        path = oauth.authorize_path(base_url, client_id, redirect_uri)
        if path and oauth.refuses_redirect(base_url, client_id, redirect_uri, path=path):
            return Tried(Verdict.REDIRECT)
    return Tried(Verdict.GOOD)


def _refusal_of_no_code(base_url: str, client_id: str, client_secret: str, redirect_uri: str) -> ProviderError | None:
    """How the token endpoint refuses a code that is none."""
    try:
        oauth.exchange_code(base_url, client_id, client_secret, secrets.token_urlsafe(16), redirect_uri)
    except ProviderError as error:
        return error
    return None


def _ahead_seconds(error: ProviderError) -> float | None:
    """How far the provider's clock is ahead, from the Date header of the answer that was an error."""
    if error.provider_time is None:
        return None
    return (error.provider_time - datetime.now(UTC)).total_seconds()


def _judged(error: ProviderError) -> Tried:
    tried = Tried(_verdict(error), error.status, _ahead_seconds(error))
    if (error.status, tried.verdict) == (400, Verdict.NOT_THE_API):
        return replace(tried, verdict=Verdict.UNEXPLAINED)
    # A fresh token that is refused is most often one that is over by the other's clock.
    is_outdated = tried.verdict == Verdict.NO_RIGHTS and tried.is_clock_off
    return replace(tried, verdict=Verdict.CLOCK) if is_outdated else tried


def _verdict(error: ProviderError) -> Verdict:
    verdicts: list[tuple[type[ProviderError], Callable[[ProviderError], Verdict]]] = [
        (TokenRejected, lambda _: Verdict.NO_RIGHTS),
        (Forbidden, lambda _: Verdict.NO_RIGHTS),
        (NotAuthorized, lambda _: Verdict.WRONG_SECRET),
        (GrantRefused, lambda _: Verdict.WRONG_SECRET),
        (NotFound, lambda _: Verdict.NOT_THE_API),
        (RateLimited, lambda _: Verdict.BUSY),
        (Unreachable, _of_unreachable),
        (BadResponse, lambda _: Verdict.NOT_THE_API),
    ]
    return next((judge(error) for kind, judge in verdicts if isinstance(error, kind)), Verdict.UNREACHABLE)


def _of_unreachable(error: ProviderError) -> Verdict:
    if error.status is not None:
        return Verdict.TROUBLE
    known = {"name": Verdict.NO_NAME, "refused": Verdict.REFUSED, "tls": Verdict.TLS, "time": Verdict.TIMEOUT}
    return known.get(error.cause, Verdict.UNREACHABLE)
