"""The one path that takes WebSockets, and the origins from which they may be opened."""

from typing import Any

from channels.db import database_sync_to_async
from channels.security.websocket import OriginValidator

from accounts.companies import hosts, public_address
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


class KnownOrigins:
    """An ASGI application that refuses pages of other sites: those of the host that is asked for may come."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
        if public_address.is_due() or not hosts.is_settled(host):
            await database_sync_to_async(_follow)(host)
        # Made anew each time: hosts come and go.
        checked: Any = OriginValidator(self._application, hosts.origins_at(host))  # type: ignore[arg-type]
        await checked(scope, receive, send)


def _follow(host: str) -> None:
    public_address.follow()
    hosts.follow(host)
