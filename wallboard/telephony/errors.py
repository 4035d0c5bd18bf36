"""What can go wrong with the provider, named by what to do next. No error's text holds a secret or an answer's body."""

from datetime import datetime


class ProviderError(Exception):
    """Any failure of a call to the provider; `kind` is a short word that may be stored and shown.

    `status` is that of the answer and `provider_time` its `Date` header, by the provider's clock and to the second
    (RFC 9110 section 6.6.1); both None where no answer came, the latter also where the header is missing or no date.
    `cause` says why no answer came: "name" (unknown in DNS), "refused", "tls" or "time", "" for anything else.
    `wait_seconds` is how long we leave the provider in peace of our own accord, None where the caller decides.
    """

    kind = "provider_error"
    wait_seconds: float | None = None
    status: int | None = None
    provider_time: datetime | None = None
    cause: str = ""


class Unreachable(ProviderError):
    """No whole answer came: try later."""

    kind = "unreachable"


class InTrouble(Unreachable):
    """Status 408, 500, 502 or 504: it is there and fails at this, which says nothing of what else it does."""

    kind = "in_trouble"


class RateLimited(ProviderError):
    """The provider asks for patience; `retry_after_seconds` is what it named, None where it named nothing readable."""

    kind = "rate_limited"

    def __init__(self, text: str, retry_after_seconds: float | None = None) -> None:
        super().__init__(text)
        self.retry_after_seconds = retry_after_seconds


class Unavailable(RateLimited):
    """Status 503: the provider cannot serve now, overloaded or in maintenance; it may name a pause as well."""

    kind = "unavailable"


class NotAuthorized(ProviderError):
    """The credentials or the token do not open this, even after a fresh token: somebody has to look at them."""

    kind = "not_authorized"


class TokenRejected(NotAuthorized):
    """Status 401 even with a fresh token. Where clocks differ, a token may be past its time there."""

    kind = "token_refused"


class Forbidden(NotAuthorized):
    """Status 403 even with a fresh token: what its grant allows does not reach so far, or the provider has a hiccup."""

    # The same kind for both: which of 401 and 403 an outdated token gets is not documented.
    kind = "token_refused"


class GrantDoubted(NotAuthorized):
    """A refresh was refused without a word about why: the sign-in may be over, or the provider has a hiccup."""

    kind = "grant_doubted"


class GrantRefused(ProviderError):
    """The code or refresh token is not good any more (RFC 6749 section 5.2): the person has to sign in again."""

    kind = "grant_refused"


class ShortLivedToken(ProviderError):
    """The provider's tokens end as soon as they are given, and it refused one: they are not asked for all the time."""

    kind = "short_lived_token"


class NotFound(ProviderError):
    """What was asked for does not exist at the provider, or no longer."""

    kind = "not_found"


class BadResponse(ProviderError):
    """An answer came and makes no sense: a redirect, an unknown status, too many bytes, or not what was asked for."""

    kind = "bad_response"


class RequestRefused(BadResponse):
    """Another status from 400 to 499: the provider will not do what is asked for as it stands."""

    kind = "request_refused"


class BadMessage(Exception):
    """A delivery that is none of the messages the provider documents."""

    kind = "bad_message"
