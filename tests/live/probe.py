"""A little ASGI application that says over its socket which way to the browser was found."""

from typing import Any

from wallboard.live.frames import Frame
from wallboard.live.sockets import wire_for


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Accept, then send the wire's name and a long frame over that very wire."""
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    wire = wire_for(send)
    for text in (type(wire).__name__, "ä" * 100, "x" * 70_000):
        wire.write(Frame(text))
    await receive()
