"""An application that takes its time over each request, behind the real graceful shutdown."""

import asyncio
from collections.abc import Mapping
from typing import Any

from wallboard.live import graceful_shutdown
from wallboard.live.asgi import Receive, Scope, Send
from wallboard.live.graceful_shutdown import GracefulShutdown
from wallboard.live.servers import daphne

SECONDS = 0.5


async def slow(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers 204 after a while, whatever is asked."""
    if scope["type"] != "http":
        return
    message: Mapping[str, Any] = {"more_body": True}
    while message.get("more_body"):
        message = await receive()
    await asyncio.sleep(SECONDS)
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def fail() -> None:
    """What is to be done before the end may go wrong."""
    raise RuntimeError("nobody thought of this")


daphne.settle_in()
graceful_shutdown.before_end(fail)
application = GracefulShutdown(slow)
DRAIN_SECONDS = 1.5
draining = GracefulShutdown(slow, DRAIN_SECONDS)
