"""Only one path takes WebSockets; every other is refused before it is accepted."""

from collections.abc import Mapping
from typing import Any

import pytest

from wallboard.live.asgi import Receive, Scope, Send
from wallboard.sockets.routing import OnlyPath


async def served(path: str) -> list[Any]:
    sent: list[Any] = []

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "websocket.accept"})

    async def receive() -> Mapping[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(message["type"])

    await OnlyPath("/live/", application)({"type": "websocket", "path": path}, receive, send)
    return sent


async def test_the_one_path_is_served() -> None:
    assert await served("/live/") == ["websocket.accept"]


@pytest.mark.parametrize("path", ["/", "/live", "/live/more/", "/hooks/secret/", "/screen/secret/", "//live/", ""])
async def test_every_other_is_refused(path: str) -> None:
    assert await served(path) == ["websocket.close"]
