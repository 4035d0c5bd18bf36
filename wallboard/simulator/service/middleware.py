"""Every request passes here: faults are applied, errors worded, and what was answered is logged."""

from collections.abc import Awaitable, Callable
from email.utils import formatdate
from time import monotonic, time
from typing import TYPE_CHECKING

from aiohttp import web
from aiohttp.typedefs import Middleware

from wallboard.simulator.deliveries.delivery_log import now_ms
from wallboard.simulator.faults.response_faults import Handler, ResponseFaults
from wallboard.simulator.service.authentication import bearer_token
from wallboard.simulator.service.errors import ApiError, not_found

if TYPE_CHECKING:
    from wallboard.simulator.service.service import Service

MOST_BODY_BYTES = 65_536
# Method and route name to the name that faults and the request log use.
ENDPOINTS = {
    ("POST", "token"): "token",
    ("GET", "authorize"): "authorize",
    ("POST", "authorize"): "authorize",
    ("GET", "stats"): "stats",
    ("POST", "subscriptions"): "subscriptions.create",
    ("GET", "subscription"): "subscriptions.read",
    ("DELETE", "subscription"): "subscriptions.delete",
}


def request_middleware(service: "Service") -> Middleware:
    """The middleware of this service."""
    response_faults = ResponseFaults(service.tokens, service.subscriptions)

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.match_info.apps[-1] is not request.app:
            return await handler(request)  # a further company, whose own middleware is next
        began, at = monotonic(), now_ms()
        endpoint = _endpoint(request)
        fault = service.faults.take(endpoint, token=_token_kind(request, service)) if endpoint else None

        async def respond(request: web.Request) -> web.StreamResponse:
            # Control requests get their JSON in any dialect.
            form = service.dialect.error_body if "/api/" in request.path else "json"
            return await _with_error_answers(request, handler, form)

        response = await (response_faults.respond(request, respond, fault) if fault else respond(request))
        if endpoint:
            service.request_log.add(
                at=at,
                method=request.method,
                path=request.path,
                endpoint=endpoint,
                status=response.status,
                took_ms=round((monotonic() - began) * 1000, 1),
                fault=fault.do if fault else "",
            )
        return response

    return middleware


def date_header(service: "Service") -> Callable[[web.Request, web.StreamResponse], Awaitable[None]]:
    """Makes the Date header of every answer as wrong as the dialect wants it."""

    async def prepare(request: web.Request, response: web.StreamResponse) -> None:
        if error_seconds := service.dialect.date_header_error_seconds:
            response.headers["Date"] = formatdate(time() + error_seconds, usegmt=True)

    return prepare


def _token_kind(request: web.Request, service: "Service") -> str | None:
    claims = service.tokens.verify(bearer_token(request), "access")
    return None if claims is None else "user" if claims.user else "company"


def _endpoint(request: web.Request) -> str:
    resource = request.match_info.route.resource
    name = (resource.name or "").removesuffix("-short") if resource else ""
    return ENDPOINTS.get((request.method, name), "")


async def _with_error_answers(request: web.Request, handler: Handler, form: str) -> web.StreamResponse:
    """The handler's answer, or its error as JSON; the conventional statuses where the document is silent."""
    try:
        return await handler(request)
    except ApiError as error:
        return error.response(form)
    except web.HTTPNotFound:
        return not_found().response(form)
    except web.HTTPMethodNotAllowed as error:
        allowed = ", ".join(sorted(error.allowed_methods))
        return ApiError(405, "method_not_allowed", f"Allowed: {allowed}.", {"Allow": allowed}).response(form)
    except web.HTTPRequestEntityTooLarge:
        return ApiError(413, "too_large", f"At most {MOST_BODY_BYTES} bytes.").response(form)
