"""The one path that takes WebSockets."""

from wallboard.live.asgi import Application, Receive, Scope, Send


class OnlyPath:
    """An ASGI application that serves one path and refuses every other without a word.

    Channels' URLRouter answers an unknown path with an exception whose traceback names it, and paths may be secrets
    (a webhook's, a TV's).
    """

    def __init__(self, path: str, application: Application) -> None:
        self._path = path
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == self._path:
            await self._application(scope, receive, send)
            return
        await receive()  # websocket.connect
        await send({"type": "websocket.close"})  # before it is accepted: the server answers the handshake with 403
