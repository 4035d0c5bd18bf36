"""The live socket's consumer: accepts a browser, joins it to the hub, and from then on only waits for the end."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, cast

from channels.consumer import AsyncConsumer
from channels.exceptions import StopConsumer

from accounts.access import Viewer
from wallboard.live.asgi import Message, Send
from wallboard.live.sockets import Socket
from wallboard.sockets import embed_access, socket_access
from wallboard.sockets.hub_runtime import HubRuntime, current_runtime
from wallboard.sockets.reauthorization import Authorization
from wallboard.sockets.socket_access import CHANGED, AccessRequest, Refused

log = logging.getLogger(__name__)
# Of the standard codes an application may send only 1000 through Daphne.
TRY_LATER, TOO_TALKATIVE, TOO_MANY = 4503, 4400, 4429
MESSAGES_ALLOWED = 20


class LiveConsumer(AsyncConsumer):
    """One browser. It is accepted before its cookies are looked at, so that it can learn why it may not stay."""

    is_page = True  # and asks for nothing but what its page was given
    socket: Socket | None = None
    viewer: Viewer | None = None
    runtime: HubRuntime
    messages = 0
    is_closed = False
    is_told = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve the browser until it goes.

        Channels' own loop keeps two tasks per socket so as to hear a channel layer too, which we have none of.
        """
        self.scope, self.base_send = scope, send
        try:
            while not self.is_told:
                await self.dispatch(await receive())
        except StopConsumer:
            return
        finally:
            if not self.is_told:
                self._leave()

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Handle one event; nothing on this path touches the database, so no connection needs closing after it."""
        handlers: dict[str, Callable[[], Awaitable[None]]] = {
            "websocket.connect": self._connected,
            "websocket.receive": self._received,
            "websocket.disconnect": self._disconnected,
        }
        await handlers[message["type"]]()

    async def _connected(self) -> None:
        await self.send({"type": "websocket.accept", "subprotocol": self.subprotocol()})
        self.runtime = current_runtime()
        try:
            request, cookies = self.asked()
            cast(dict[str, Any], self.scope).clear()  # our own copy, kept as long as the socket and not read again
            access = await self.runtime.grant_access(cookies, request)
        except Refused as refused:
            return await self._close(refused.code)
        except Exception:
            # Most likely the database is away; this code makes the browser come back by itself.
            log.exception("A browser could not be given its feeds")
            return await self._close(TRY_LATER)
        if self.is_page and request.last_ids.keys() - {feed.name for feed in access.feeds}:
            return await self._close(CHANGED)  # it was away when its rights changed, and shows what is not its own now
        viewer = access.viewer
        if not self.runtime.quota.take(viewer):
            return await self._close(TOO_MANY)
        self.viewer = viewer
        self.socket = Socket(
            cast(Send, self.base_send),
            self._end,
            user_id=viewer.user_id,
            screen_id=viewer.screen_id,
            token_id=viewer.token_id,
            embed_id=viewer.embed_id,
        )
        # Watched before it hears anything: no right may end unnoticed in between.
        self.runtime.reauthorization.watch(self.socket, Authorization(tuple(sorted(cookies.items())), request, access))
        self.runtime.hub.join(self.socket, [(feed, request.last_ids.get(feed.name, "")) for feed in access.feeds])
        # A task that only waits for the end of the socket is a third of what a browser costs.
        self.is_told = self.socket.tell(self._hear)
        return None

    def _hear(self, message: Message) -> None:
        """What comes from the browser once no task waits for it any more."""
        if message["type"] == "websocket.disconnect":
            self._leave()
        elif self._is_talkative():
            self._end(TOO_TALKATIVE)

    def subprotocol(self) -> str | None:
        """Which of the offered subprotocols is spoken: never one that holds a token, as the answer would repeat it."""
        return embed_access.PROTOCOL if embed_access.PROTOCOL in self._offered() else None

    def asked(self) -> tuple[AccessRequest, Mapping[str, str]]:
        """What the browser asks for, and its cookies; of a frame with a token no cookie counts. Raises Refused."""
        framed = embed_access.request_of(self._offered(), self.scope["query_string"])
        if framed is not None:
            return framed, {}
        return socket_access.parse_request(self.scope["query_string"]), self.scope["cookies"]

    def _offered(self) -> Sequence[str]:
        return list(cast(dict[str, Any], self.scope).get("subprotocols", ()))

    async def _received(self) -> None:
        if self._is_talkative():
            await self._close(TOO_TALKATIVE)

    def _is_talkative(self) -> bool:
        """Browsers have nothing to say here; one that goes on talking is shown out."""
        self.messages += 1
        return self.messages > MESSAGES_ALLOWED

    async def _disconnected(self) -> None:
        raise StopConsumer

    def _end(self, code: int) -> None:
        self._leave()
        # Held here, as the loop itself keeps only a weak reference to a task.
        self._ending = asyncio.create_task(self._close(code))

    async def _close(self, code: int) -> None:
        if not self.is_closed:
            self.is_closed = True
            await self.send({"type": "websocket.close", "code": code})

    def _leave(self) -> None:
        if self.socket is not None:
            self.runtime.hub.leave(self.socket)
            self.runtime.reauthorization.forget(self.socket)
            self.socket = None  # it holds us as whoever closes it
        if self.viewer is not None:
            self.runtime.quota.release(self.viewer)
            self.viewer = None
