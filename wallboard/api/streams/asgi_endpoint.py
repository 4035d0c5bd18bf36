"""`/api/v1/live` in ASGI itself: streams hold no thread and no middleware, and hear at once when their reader goes."""

import asyncio
import logging
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from accounts.signin import client_address
from wallboard.api import callers, pacing, problems
from wallboard.api.streams import access
from wallboard.api.streams.access import StreamRequest
from wallboard.api.streams.events import EventConnection
from wallboard.live.asgi import Application, Receive, Scope, Send
from wallboard.live.servers.detection import http_transport
from wallboard.live.sockets import Socket
from wallboard.sockets.hub_runtime import HubRuntime, current_runtime
from wallboard.sockets.reauthorization import Authorization
from wallboard.sockets.socket_access import CHANGED, FORBIDDEN, SIGNED_OUT, UNKNOWN, Refused, SocketAccess

log = logging.getLogger(__name__)
PATH = "/api/v1/live"
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # nginx would collect events before it hands them on
    (b"x-content-type-options", b"nosniff"),
    (b"vary", b"Authorization"),
]
STATUSES = {SIGNED_OUT: 401, FORBIDDEN: 403, UNKNOWN: 400}
DETAILS = {
    401: "Send a token that was not revoked as “Authorization: Bearer …”.",
    403: "The token lacks the scope of a feed that is asked for.",
    400: "Name feeds that there are, as ?feeds=queues,people,calls,alerts,board:<slug>.",
    405: "This address takes GET.",
    429: "Too many streams of this token, or too many wrong tokens from your address.",
    503: "The database is away; come back in a moment.",
}
RETRY_SECONDS = {429: "60", 503: "5"}


class EventStreams:
    """Answers PATH, hands the rest on."""

    def __init__(self, others: Application) -> None:
        self._others = others

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != PATH:
            await self._others(scope, receive, send)
            return
        if scope["method"] != "GET":
            await refuse(send, 405, [(b"allow", b"GET")])
            return
        runtime = current_runtime()
        try:
            request, granted = await granted_to(scope, runtime)
        except Refused as refused:
            await refuse(send, status_of(refused, scope))
        except Exception:
            log.exception("A program could not be given its feeds")
            await refuse(send, 503)
        else:
            await Stream(runtime, request, granted, send).serve(receive)


def header(scope: Scope, name: bytes) -> str:
    """A header of the request; "" where there is none."""
    return next((value.decode("latin-1") for each, value in scope["headers"] if each == name), "")


async def granted_to(scope: Scope, runtime: HubRuntime) -> tuple[StreamRequest, SocketAccess]:
    """What the request may follow. Raises Refused, or what the database raises."""
    token = callers.bearer(header(scope, b"authorization"))
    request = access.request_of(token, scope["query_string"], header(scope, b"last-event-id"))
    return request, await runtime.grant_access({}, request)


def status_of(refused: Refused, scope: Scope) -> int:
    """The status of a refusal; an address that tries many tokens is told to stop."""
    status = STATUSES.get(refused.code, 400)
    if status == 401 and header(scope, b"authorization"):
        forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
        address = client_address.resolve(forwarded.decode("latin-1"), str((scope.get("client") or [""])[0]))
        return 429 if pacing.wrong_tokens.is_exceeded(address) else status
    return status


async def refuse(send: Send, status: int, more: Iterable[tuple[bytes, bytes]] = ()) -> None:
    """Answer with a problem."""
    body = problems.body(status, DETAILS.get(status, ""))
    headers = [(b"content-type", problems.CONTENT_TYPE.encode()), (b"content-length", str(len(body)).encode()), *more]
    if status == 401:
        headers.append((b"www-authenticate", b'Bearer realm="wallboard"'))
    if seconds := RETRY_SECONDS.get(status):
        headers.append((b"retry-after", seconds.encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class Stream:
    """One reader, from its first event to its end."""

    def __init__(self, runtime: HubRuntime, request: StreamRequest, granted: SocketAccess, send: Send) -> None:
        self._runtime, self._request, self._access, self._send = runtime, request, granted, send
        known = {feed.name for feed in granted.feeds}
        held = {feed: entry for feed, entry in request.last_ids.items() if feed in known}
        self._connection = EventConnection(send, http_transport(send), held)
        self._held = held

    async def serve(self, receive: Receive) -> None:
        """Serve the reader until it goes, or until it may not stay."""
        viewer, runtime = self._access.viewer, self._runtime
        if not runtime.quota.take(viewer):
            await refuse(self._send, 429)
            return
        socket = Socket(self._send, self._close, token_id=viewer.token_id, connection=self._connection)
        try:
            await self._send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            # Watched before it hears anything: no right may end unnoticed in between.
            runtime.reauthorization.watch(socket, Authorization((), self._request, self._access))
            runtime.hub.join(socket, [(feed, self._held.get(feed.name, "")) for feed in self._access.feeds])
            await self._until_either_ends(receive)
        finally:
            runtime.hub.leave(socket)
            runtime.reauthorization.forget(socket)
            runtime.quota.release(viewer)

    async def _until_either_ends(self, receive: Receive) -> None:
        self._connection.sending = sending = asyncio.create_task(self._connection.run())
        leaving = asyncio.create_task(gone(receive))
        both: set[asyncio.Task[Any]] = {sending, leaving}
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in both:
                task.cancel()
            for task in both:
                with suppress(asyncio.CancelledError, OSError):
                    await task

    def _close(self, code: int) -> None:
        """The reader may not stay, or comes back for something else: the last event says which."""
        name = {SIGNED_OUT: "revoked", CHANGED: "changed"}.get(code, "end")
        self._connection.end(b'event: end\ndata: {"end":"%s","code":%d}\n\n' % (name.encode(), code))


async def gone(receive: Receive) -> None:
    """Return once the reader has hung up."""
    while (await receive())["type"] != "http.disconnect":
        pass
