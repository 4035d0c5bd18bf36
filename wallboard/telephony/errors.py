"""What can go wrong with the provider, named by what to do next. No error's text holds a secret or an answer's body."""


class ProviderError(Exception):
    """Any failure of a call to the provider; `kind` is a short word that may be stored and shown."""

    kind = "provider_error"


class Unreachable(ProviderError):
    """No whole answer came, or the provider is in trouble itself: try later."""

    kind = "unreachable"


class RateLimited(ProviderError):
    """The provider asks for patience; `retry_after_seconds` is what it named, None where it named nothing readable."""

    kind = "rate_limited"

    def __init__(self, text: str, retry_after_seconds: float | None = None) -> None:
        super().__init__(text)
        self.retry_after_seconds = retry_after_seconds


class NotAuthorized(ProviderError):
    """The credentials or the token do not open this, even after a fresh token: somebody has to look at them."""

    kind = "not_authorized"


class GrantDoubted(NotAuthorized):
    """A refresh was refused without a word about why: the sign-in may be over, or the provider has a hiccup."""

    kind = "grant_doubted"


class GrantRefused(ProviderError):
    """The code or refresh token is not good any more (RFC 6749 section 5.2): the person has to sign in again."""

    kind = "grant_refused"


class NotFound(ProviderError):
    """What was asked for does not exist at the provider, or no longer."""

    kind = "not_found"


class BadResponse(ProviderError):
    """An answer came and makes no sense: a redirect, an unknown status, too many bytes, or not what was asked for."""

    kind = "bad_response"


class BadMessage(Exception):
    """A delivery that is none of the messages the provider documents."""

    kind = "bad_message"
