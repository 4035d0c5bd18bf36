"""The live socket's edge: accept, find the seat, and from then on only listen for the end."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, cast

from channels.consumer import AsyncConsumer
from channels.exceptions import StopConsumer

from wallboard.boards import seats
from wallboard.boards.guard import Claim
from wallboard.boards.seats import Refused
from wallboard.boards.stage import Stage, stage_of_this_loop
from wallboard.live.sockets import Send, Socket

log = logging.getLogger(__name__)
TRY_LATER, TOO_TALKATIVE = 4503, 4400  # of the standard codes an application may send only 1000 through Daphne
MESSAGES_ALLOWED = 20


class LiveConsumer(AsyncConsumer):
    """One browser. It is accepted before its cookies are looked at, so that it can learn why it may not stay."""

    socket: Socket | None = None
    stage: Stage
    messages = 0
    is_closed = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve the browser until it goes.

        Channels' own loop keeps two tasks per socket so as to hear a channel layer too, which we have none of.
        """
        self.scope, self.base_send = scope, send
        try:
            while True:
                await self.dispatch(await receive())
        except StopConsumer:
            return
        finally:
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
        await self.send({"type": "websocket.accept"})
        self.stage = stage_of_this_loop()
        query, cookies = self.scope["query_string"], self.scope["cookies"]
        cast(dict[str, Any], self.scope).clear()  # our own copy, kept as long as the socket and not read again
        try:
            wish = seats.wish_of(query)
            seat = await self.stage.decide(cookies, wish)
        except Refused as refused:
            return await self._close(refused.code)
        except Exception:
            log.exception("A browser could not be seated")
            return await self._close(TRY_LATER)
        viewer = seat.viewer
        self.socket = Socket(cast(Send, self.base_send), self._end, user_id=viewer.user_id, screen_id=viewer.screen_id)
        self.stage.guard.watch(self.socket, Claim(tuple(sorted(cookies.items())), wish, seat))
        self.stage.hub.join(self.socket, [(feed, wish.held.get(feed.name, "")) for feed in seat.feeds])
        return None

    async def _received(self) -> None:
        """Browsers have nothing to say here; one that goes on talking is shown out."""
        self.messages += 1
        if self.messages > MESSAGES_ALLOWED:
            await self._close(TOO_TALKATIVE)

    async def _disconnected(self) -> None:
        raise StopConsumer

    def _end(self, code: int) -> None:
        self._leave()
        self._ending = asyncio.create_task(self._close(code))

    async def _close(self, code: int) -> None:
        if not self.is_closed:
            self.is_closed = True
            await self.send({"type": "websocket.close", "code": code})

    def _leave(self) -> None:
        if self.socket is not None:
            self.stage.hub.leave(self.socket)
            self.stage.guard.forget(self.socket)
