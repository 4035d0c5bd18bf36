"""`/live/` for programs: the feeds over WebSocket, with a token in place of cookies."""

from collections.abc import Mapping
from typing import cast

from wallboard.api import callers
from wallboard.api.streams import access
from wallboard.live.asgi import Application, Receive, Scope, Send
from wallboard.sockets.consumers import LiveConsumer
from wallboard.sockets.socket_access import AccessRequest

OFFERED = "bearer."  # browsers can send no header of their own with a WebSocket, but name subprotocols


def token_of(scope: Scope) -> str:
    """The token that comes with a WebSocket, in its header or among its subprotocols; "" for none."""
    given = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"authorization"), "")
    offered = (each.removeprefix(OFFERED) for each in scope.get("subprotocols", ()) if each.startswith(OFFERED))
    return callers.bearer(given) or next(offered, "")


class TokenConsumer(LiveConsumer):
    """One program."""

    is_page = False

    def asked(self) -> tuple[AccessRequest, Mapping[str, str]]:
        """As LiveConsumer says. No cookie counts."""
        return access.request_of(token_of(cast(Scope, self.scope)), self.scope["query_string"]), {}


class ByToken:
    """An ASGI application: sockets that bring a token go one way, all others the other.

    The origin of a page says nothing about a program: whoever has the token could ask without a browser.
    """

    def __init__(self, with_token: Application, others: Application) -> None:
        self._with_token, self._others = with_token, others

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self._with_token if token_of(scope) else self._others)(scope, receive, send)
