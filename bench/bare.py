"""A WebSocket that looks at nothing and sends each browser so many bytes: what a server itself costs.

Run by bench/opening.py as `python -m daphne bench.bare:application`, with BARE_FEEDS and BARE_BYTES in the environment.
"""

import json
import os

from wallboard.live.asgi import Receive, Scope, Send

FEEDS = os.environ.get("BARE_FEEDS", "queues people calls alerts board:1").split()
FILLING = "x" * (int(os.environ.get("BARE_BYTES", "50000")) // len(FEEDS))
FRAMES = [json.dumps({"feed": name, "snapshot": {"all": FILLING}}, separators=(",", ":")) for name in FEEDS]


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Accept, send all of it, and wait for the end; over HTTP an empty answer, as a sign of life."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})
        return
    await send({"type": "websocket.accept"})
    for frame in FRAMES:
        await send({"type": "websocket.send", "text": frame})
    while (await receive())["type"] != "websocket.disconnect":
        pass
