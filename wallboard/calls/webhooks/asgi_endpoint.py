"""The webhook's edge in ASGI itself, before any middleware: a delivery needs no session, no language and no thread."""

from collections.abc import Callable

from accounts.signin import client_address
from wallboard.calls.webhooks import receive as receiving
from wallboard.calls.webhooks import spool
from wallboard.calls.webhooks.committer import committer
from wallboard.live.asgi import Application, Receive, Scope, Send

PREFIX = "/hooks/"
HEADERS = [(b"content-length", b"0"), (b"x-content-type-options", b"nosniff"), (b"cache-control", b"no-store")]


class Hooks:
    """Answers everything below /hooks/, hands the rest on. `count` is told each status, for the metrics."""

    def __init__(self, others: Application, count: Callable[[int], None]) -> None:
        self._others = others
        self._count = count
        # Deliveries spooled by a process that died are applied even if no new one ever comes.
        if spool.is_on():
            committer.start()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if not path.startswith(PREFIX):
            await self._others(scope, receive, send)
            return
        status = await answer(scope, receive, path.removeprefix(PREFIX))
        self._count(status)
        # Only after a right secret: a wrong one is told nothing about methods.
        allow = [(b"allow", b"POST")] if status == receiving.WRONG_METHOD else []
        await send({"type": "http.response.start", "status": status, "headers": [*HEADERS, *allow]})
        await send({"type": "http.response.body", "body": b""})


async def answer(scope: Scope, receive: Receive, secret: str) -> int:
    """The status for a request; its body is read only where the secret is right, and never past the limit."""
    announced = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")

    async def body() -> bytes:
        return await read(receive)

    def sender() -> str:
        # A client may send the header several times; only the whole list can be judged by proxies.
        forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
        return client_address.resolve(forwarded.decode("latin-1"), str((scope.get("client") or [""])[0]))

    return await receiving.answer(secret.removesuffix("/"), scope["method"], announced.decode("latin-1"), body, sender)


async def read(receive: Receive) -> bytes:
    """The body; one byte more than allowed is enough to know that it is too large."""
    parts: list[bytes] = []
    size, more = 0, True
    while more and size <= receiving.MOST_BYTES:
        message = await receive()
        # Nobody is left to hear the answer; a torn body is kept as it came, as nonsense.
        if message["type"] == "http.disconnect":
            break
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        more = message.get("more_body", False)
    return b"".join(parts)[: receiving.MOST_BYTES + 1]
