"""How an endpoint misbehaves when a fault says so: late, wrong, cut off, byte by byte, silent."""

import asyncio
from collections.abc import Awaitable, Callable

from aiohttp import web

from wallboard.simulator.faults.faults import Fault
from wallboard.simulator.service.authentication import bearer_token
from wallboard.simulator.service.oauth.tokens import Tokens
from wallboard.simulator.service.subscriptions import Subscriptions

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
DRIP_BYTES = 1
DEFAULT_BODY = '{"error":"unavailable","error_description":"A fault is switched on."}'


class ResponseFaults:
    """Applies one fault to one request."""

    def __init__(self, tokens: Tokens, subscriptions: Subscriptions) -> None:
        self._tokens, self._subscriptions = tokens, subscriptions

    async def respond(self, request: web.Request, handler: Handler, fault: Fault) -> web.StreamResponse:
        """The request's answer as the fault says."""
        if fault.do == "status":
            return _status(fault)
        if fault.do == "drop":
            return _drop(request)
        if fault.do == "delay":
            await asyncio.sleep(fault.seconds)
        # Before the endpoint looks at the token, which it then refuses by its own rules.
        if fault.do in ("expired_token", "revoked_token"):
            self._revoke_token(request, fault.do)
        if fault.do == "delete_subscription":
            self._delete_subscription(request)
        response = await handler(request)
        return await _with_bad_body(request, response, fault) if fault.do in ("malformed", "cut", "drip") else response

    def _revoke_token(self, request: web.Request, how: str) -> None:
        claims = self._tokens.verify(bearer_token(request), "access")
        if claims is not None and how == "expired_token":
            self._tokens.revoke_token(claims)
        elif claims is not None:
            self._tokens.revoke_grant(claims.grant_id)

    def _delete_subscription(self, request: web.Request) -> None:
        for subscription in self._subscriptions.live():
            if request.match_info.get("id") in (None, str(subscription.id)):
                self._subscriptions.remove(subscription)


def _status(fault: Fault) -> web.Response:
    body = fault.body if fault.body is not None else DEFAULT_BODY
    headers = {"Content-Type": "application/json", **fault.headers}
    return web.Response(status=fault.status, body=b"" if fault.status == 204 else body.encode(), headers=headers)


def _drop(request: web.Request) -> web.StreamResponse:
    """Close the connection without an answer."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=499)  # for the log; the connection is gone


async def _with_bad_body(request: web.Request, response: web.StreamResponse, fault: Fault) -> web.StreamResponse:
    """The real answer with its body malformed, cut off half-way, or sent byte by byte."""
    body = response.body if isinstance(response, web.Response) and isinstance(response.body, bytes) else b""
    if fault.do == "malformed":
        text = fault.body if fault.body is not None else f'{{"oops": {body.decode("utf-8", "replace")[:40]}'
        return web.Response(status=response.status, text=text, content_type="application/json")
    stream = web.StreamResponse(status=response.status, headers={"Content-Type": "application/json"})
    # All of it is promised, so that a body that is cut off can be told from a short one.
    stream.content_length = len(body)
    await stream.prepare(request)
    if fault.do == "cut":
        await stream.write(body[: len(body) // 2])
        await asyncio.sleep(0.05)  # the first half must be on its way before the connection ends
        return _close(request, stream)
    for start in range(0, len(body), DRIP_BYTES):
        await stream.write(body[start : start + DRIP_BYTES])
        await asyncio.sleep(fault.seconds)
    return stream


def _close(request: web.Request, stream: web.StreamResponse) -> web.StreamResponse:
    if request.transport is not None:
        request.transport.close()
    return stream
