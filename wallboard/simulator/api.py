"""The endpoints that need a token: live queue statistics and subscriptions."""

import json
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web

from wallboard.simulator.company import Company
from wallboard.simulator.deliveries import Deliveries
from wallboard.simulator.floor import Floor
from wallboard.simulator.pacing import Pacer
from wallboard.simulator.refusals import Refusal, bad_token, not_found, unprocessable
from wallboard.simulator.subscriptions import MAX_EXPIRES_IN, Kind, Subscription, Subscriptions, Wish
from wallboard.simulator.tokens import Claims, Tokens

STATS_VERSION, SUBSCRIPTIONS_VERSION = "1.4.0", "1.2.0"
KINDS: tuple[Kind, ...] = ("calls", "cdrs")


def media_type(version: str) -> str:
    return f"application/vnd.service.v{version}+json"


def bearer(request: web.Request, tokens: Tokens) -> Claims:
    """Whom the request acts for; 401 without a good token."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise bad_token("")
    claims = tokens.read(token.strip(), "access")
    if claims is None:
        raise bad_token("The access token is unknown, expired or revoked.")
    return claims


def check_version(request: web.Request, version: str) -> None:
    """406 unless the Accept header names the version of this endpoint."""
    wanted = [part.partition(";")[0].strip().lower() for part in request.headers.get("Accept", "").split(",")]
    if media_type(version) not in wanted:
        raise Refusal(406, "not_acceptable", f"Send Accept: {media_type(version)}")


class StatisticsEndpoint:
    def __init__(self, floor: Floor, pacer: Pacer, tokens: Tokens) -> None:
        self._floor, self._pacer, self._tokens = floor, pacer, tokens

    async def get(self, request: web.Request) -> web.Response:
        """GET /api/call_queues/stats/live/: the queues at this moment."""
        claims = bearer(request, self._tokens)
        check_version(request, STATS_VERSION)
        if claims.user is not None:
            raise Refusal(403, "insufficient_scope", "Queue statistics are company-wide; a user's token is not enough.")
        self._pacer.catch_up()
        return web.json_response(self._floor.statistics(self._pacer.pace), status=200)


class SubscriptionEndpoints:
    def __init__(self, subscriptions: Subscriptions, deliveries: Deliveries, company: Company, tokens: Tokens) -> None:
        self._subscriptions, self._deliveries = subscriptions, deliveries
        self._company, self._tokens = company, tokens

    async def post(self, request: web.Request) -> web.Response:
        """POST /api/subscriptions/: create, or renew what was asked for in the same words before."""
        claims = bearer(request, self._tokens)
        check_version(request, SUBSCRIPTIONS_VERSION)
        if request.content_type != "application/json":
            raise Refusal(415, "unsupported_media_type", "Send the body as application/json.")
        body = decoded(await request.read())
        wish = Wish(claims.owner, post_uri(body), kinds(body), self._users(body, claims))
        subscription, is_new = self._subscriptions.ask(wish, expires_in(body))
        if is_new:
            self._deliveries.created(subscription)
        return web.json_response(subscription.created(), status=201 if is_new else 200)

    async def get(self, request: web.Request) -> web.Response:
        """GET /api/subscriptions/{id}/"""
        return web.json_response(self._found(request).read())

    async def delete(self, request: web.Request) -> web.Response:
        """DELETE /api/subscriptions/{id}/: 204 and nothing more is delivered."""
        self._subscriptions.remove(self._found(request))
        return web.Response(status=204)

    def _found(self, request: web.Request) -> Subscription:
        claims = bearer(request, self._tokens)
        check_version(request, SUBSCRIPTIONS_VERSION)
        found = self._subscriptions.find(request.match_info["id"], claims.owner)
        if found is None:
            raise not_found()
        return found

    def _users(self, body: dict[str, Any], claims: Claims) -> frozenset[str]:
        """Whom it is about; a person's own token speaks of that person alone."""
        users = frozenset(texts(body.get("user")))
        if claims.user is not None:
            if users - {claims.user}:
                raise Refusal(403, "insufficient_scope", "A user's token acts for that user alone.")
            return frozenset({claims.user})
        if unknown := sorted(user for user in users if not self._is_known(user)):
            raise unprocessable(f"There is no user {unknown[0][:40]}.")
        return users

    def _is_known(self, user: str) -> bool:
        return bool(self._company.person(user) or self._company.queue(user))


def decoded(body: bytes) -> dict[str, Any]:
    """The JSON object of a request; a user that is repeated as a key counts as several."""
    try:
        found = json.loads(body, object_pairs_hook=_gathered)
    except (ValueError, RecursionError):
        raise Refusal(400, "bad_request", "The body is not JSON.") from None
    if not isinstance(found, dict):
        raise unprocessable("The body must be a JSON object.")
    return found


def _gathered(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    gathered: dict[str, Any] = {}
    for name, value in pairs:
        if name == "user" and "user" in gathered:
            gathered[name] = [*texts(gathered[name]), *texts(value)]
        else:
            gathered[name] = value
    return gathered


def texts(value: object) -> list[str]:
    """A user, or several."""
    values = value if isinstance(value, list) else [] if value is None else [value]
    if not all(isinstance(each, str) and each for each in values):
        raise unprocessable("user must be text, or several texts.")
    return [str(each) for each in values]


def post_uri(body: dict[str, Any]) -> str:
    uri = body.get("post_uri")
    try:
        parts = urlsplit(uri if isinstance(uri, str) else "")
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        is_good = False
    if not is_good or len(str(uri)) > 2000:
        raise unprocessable("post_uri must be an http or https address.")
    return str(uri)


def expires_in(body: dict[str, Any]) -> int:
    """Seconds, as a number or a numeric string; the longest there is where none are given."""
    raw = body.get("expires_in", MAX_EXPIRES_IN)
    is_text = isinstance(raw, str) and raw.isascii() and raw.isdigit() and len(raw) < 10
    is_whole = isinstance(raw, int | float) and not isinstance(raw, bool) and raw == raw // 1
    seconds = int(raw) if is_text or is_whole else 0
    if not 0 < seconds <= MAX_EXPIRES_IN:
        raise unprocessable(f"expires_in must be whole seconds from 1 to {MAX_EXPIRES_IN}.")
    return seconds


def kinds(body: dict[str, Any]) -> tuple[Kind, ...]:
    for kind in KINDS:
        if not isinstance(body.get(kind, False), bool):
            raise unprocessable(f"{kind} must be true or false.")
    wanted = tuple(kind for kind in KINDS if body.get(kind))
    if not wanted:
        raise unprocessable("Set calls or cdrs to true.")
    return wanted
