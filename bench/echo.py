"""The least that could pop: what is posted goes to the open sockets as it is, and their page shows it. Nothing is kept.

Run by bench/pop.py as `python -m daphne bench.echo:application`.
"""

from collections.abc import Awaitable, Callable
from typing import Any

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
PAGE = b"""<!doctype html><title>echo</title><h2 class="desk-name"></h2><script>
new WebSocket(`ws://${location.host}/`).onmessage = ({ data }) => {
  document.querySelector("h2").textContent = data;
};
</script>"""
sockets: list[Send] = []


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """A page, a socket, and a POST that reaches the socket."""
    if scope["type"] == "websocket":
        await listen(receive, send)
    elif scope["type"] == "http":
        await answer(scope["method"], receive, send)


async def listen(receive: Receive, send: Send) -> None:
    """Hold the socket until it closes."""
    await send({"type": "websocket.accept"})
    sockets.append(send)
    while (await receive())["type"] != "websocket.disconnect":
        pass
    sockets.remove(send)


async def answer(method: str, receive: Receive, send: Send) -> None:
    """The page for a GET; a POST is handed on."""
    body = (await receive()).get("body", b"")
    if method == "POST":
        for socket in sockets:
            await socket({"type": "websocket.send", "text": body.decode()})
    page = b"" if method == "POST" else PAGE
    headers = [(b"content-type", b"text/html"), (b"content-length", str(len(page)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": page})
