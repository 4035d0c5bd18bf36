"""What requests of the API must carry: a bearer token and the version of the endpoint."""

from random import Random

from aiohttp import web

from wallboard.simulator.dialect.switches import Dialect
from wallboard.simulator.service.errors import ApiError, bad_token
from wallboard.simulator.service.oauth.tokens import Claims, Tokens

STATISTICS_VERSION, SUBSCRIPTIONS_VERSION = "1.4.0", "1.2.0"


def media_type(version: str) -> str:
    return f"application/vnd.service.v{version}+json"


def bearer_token(request: web.Request) -> str:
    """The token of the Authorization header; empty where there is none."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


class Authentication:
    """Says whom a request acts for, or refuses it as the dialect does."""

    def __init__(self, tokens: Tokens, dialect: Dialect, dialect_random: Random) -> None:
        self._tokens, self._dialect, self._random = tokens, dialect, dialect_random

    def claims(self, request: web.Request, version: str) -> Claims:
        """What the token stands for; 401 without a good one, 406 without the version of this endpoint."""
        token, dialect = bearer_token(request), self._dialect
        if not token:
            raise bad_token("")
        claims = self._tokens.verify(token, "access")
        if claims is None:
            raise bad_token("The access token is unknown, expired or revoked.", int(dialect.expired_token_status))
        if dialect.good_token_refusal_share > 0 and self._random.random() < dialect.good_token_refusal_share:
            raise bad_token("The access token is not accepted now.", int(dialect.good_token_refusal_status))
        if dialect.version_check == "strict":
            _check_version(request, version)
        return claims


def _check_version(request: web.Request, version: str) -> None:
    accepted = [part.partition(";")[0].strip().lower() for part in request.headers.get("Accept", "").split(",")]
    if media_type(version) not in accepted:
        raise ApiError(406, "not_acceptable", f"Send Accept: {media_type(version)}")
