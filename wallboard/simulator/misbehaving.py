"""How an endpoint misbehaves when a fault says so: late, wrong, cut off, dripping, silent."""

import asyncio
from collections.abc import Awaitable, Callable

from aiohttp import web

from wallboard.simulator.faults import Fault
from wallboard.simulator.subscriptions import Subscriptions
from wallboard.simulator.tokens import Tokens

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
DRIP_BYTES = 1


class Misbehaving:
    """Applies one fault to one request."""

    def __init__(self, tokens: Tokens, subscriptions: Subscriptions) -> None:
        self._tokens, self._subscriptions = tokens, subscriptions

    async def answer(self, request: web.Request, handler: Handler, fault: Fault) -> web.StreamResponse:
        """The request's answer, spoiled as the fault says."""
        if fault.do == "delay":
            await asyncio.sleep(fault.seconds)
            return await handler(request)
        if fault.do == "status":
            return _status(fault)
        if fault.do == "drop":
            return hang_up(request)
        if fault.do in ("expired_token", "revoked_token"):
            self._spoil_token(request, fault.do)
            return await handler(request)
        if fault.do == "vanish":
            self._forget(request)
            return await handler(request)
        return await _spoiled(request, await handler(request), fault)

    def _spoil_token(self, request: web.Request, how: str) -> None:
        token = request.headers.get("Authorization", "").partition(" ")[2].strip()
        claims = self._tokens.read(token, "access")
        if claims is not None and how == "expired_token":
            self._tokens.end_token(claims)
        elif claims is not None:
            self._tokens.end_grant(claims.grant)

    def _forget(self, request: web.Request) -> None:
        for subscription in self._subscriptions.live():
            if request.match_info.get("id") in (None, str(subscription.id)):
                self._subscriptions.remove(subscription)


def _status(fault: Fault) -> web.Response:
    body = fault.body if fault.body is not None else '{"error":"unavailable","error_description":"As asked for."}'
    headers = {"Content-Type": "application/json", **fault.headers}
    return web.Response(status=fault.status, body=b"" if fault.status == 204 else body.encode(), headers=headers)


def hang_up(request: web.Request) -> web.StreamResponse:
    """Close the connection without an answer."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=499)


async def _spoiled(request: web.Request, response: web.StreamResponse, fault: Fault) -> web.StreamResponse:
    """The real answer with its body malformed, cut off half-way, or sent byte by byte."""
    body = response.body if isinstance(response, web.Response) and isinstance(response.body, bytes) else b""
    if fault.do == "malformed":
        text = fault.body if fault.body is not None else f'{{"oops": {body.decode("utf-8", "replace")[:40]}'
        return web.Response(status=response.status, text=text, content_type="application/json")
    stream = web.StreamResponse(status=response.status, headers={"Content-Type": "application/json"})
    stream.content_length = len(body)
    await stream.prepare(request)
    if fault.do == "cut":
        await stream.write(body[: len(body) // 2])
        await asyncio.sleep(0.05)
        return _cut(request, stream)
    for start in range(0, len(body), DRIP_BYTES):
        await stream.write(body[start : start + DRIP_BYTES])
        await asyncio.sleep(fault.seconds)
    return stream


def _cut(request: web.Request, stream: web.StreamResponse) -> web.StreamResponse:
    if request.transport is not None:
        request.transport.close()
    return stream
