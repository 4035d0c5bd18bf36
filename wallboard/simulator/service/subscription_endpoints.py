"""The endpoints of subscriptions: create or renew, read, delete."""

from typing import Any

from aiohttp import web

from wallboard.simulator.deliveries.deliveries import Deliveries
from wallboard.simulator.dialect.switches import Dialect
from wallboard.simulator.floor.company import DOMAIN, Company
from wallboard.simulator.service import subscription_fields
from wallboard.simulator.service.authentication import SUBSCRIPTIONS_VERSION, Authentication
from wallboard.simulator.service.errors import ApiError, not_found, unprocessable
from wallboard.simulator.service.oauth.tokens import Claims
from wallboard.simulator.service.request_body import read_body
from wallboard.simulator.service.subscription_answers import SubscriptionAnswers
from wallboard.simulator.service.subscriptions import Subscription, SubscriptionRequest, Subscriptions


class SubscriptionEndpoints:
    """An application sees the subscriptions that it made itself, for the company or for one person."""

    def __init__(
        self,
        subscriptions: Subscriptions,
        deliveries: Deliveries,
        company: Company,
        authentication: Authentication,
        answers: SubscriptionAnswers,
        dialect: Dialect,
    ) -> None:
        self._subscriptions, self._deliveries, self._company = subscriptions, deliveries, company
        self._authentication, self._answers, self._dialect = authentication, answers, dialect

    async def post(self, request: web.Request) -> web.Response:
        """POST /api/subscriptions/: create, or renew what the same request made before."""
        claims = self._authentication.claims(request, SUBSCRIPTIONS_VERSION)
        if request.content_type != "application/json":
            raise ApiError(415, "unsupported_media_type", "Send the body as application/json.")
        body = subscription_fields.json_object(await read_body(request))
        post_uri, kinds = subscription_fields.post_uri(body), subscription_fields.kinds(body)
        wanted = SubscriptionRequest(claims.owner, post_uri, kinds, self._users(body, claims))
        expires_in = subscription_fields.expires_in(body)
        subscription, is_new = self._subscriptions.create_or_renew(wanted, expires_in)
        if is_new:
            await self._deliveries.initialize(subscription)
        return web.json_response(self._answers.created(subscription), status=201 if is_new else 200)

    async def get(self, request: web.Request) -> web.Response:
        """GET /api/subscriptions/{id}/"""
        return web.json_response(self._answers.read(self._found(request)))

    async def delete(self, request: web.Request) -> web.Response:
        """DELETE /api/subscriptions/{id}/: 204 and nothing more is delivered."""
        self._subscriptions.remove(self._found(request))
        return web.Response(status=204)

    def _found(self, request: web.Request) -> Subscription:
        claims = self._authentication.claims(request, SUBSCRIPTIONS_VERSION)
        found = self._subscriptions.find(request.match_info["id"], claims.owner)
        if found is None:
            raise not_found()
        return found

    def _users(self, body: dict[str, Any], claims: Claims) -> frozenset[str]:
        """Whom it is about; a person's own token speaks of that person alone."""
        users = frozenset(self._extension(user) for user in subscription_fields.users(body.get("user")))
        if claims.user is not None:
            if users - {claims.user}:
                raise ApiError(403, "insufficient_scope", "A user's token acts for that user alone.")
            return frozenset({claims.user})
        if unknown := sorted(user for user in users if not self._is_known(user)):
            raise unprocessable(f"There is no user {unknown[0][:40]}.")
        return users

    def _extension(self, user: str) -> str:
        return user.removesuffix(f"@{DOMAIN}") if self._dialect.user_form == "address" else user

    def _is_known(self, user: str) -> bool:
        return bool(self._company.person(user) or self._company.queue(user))
