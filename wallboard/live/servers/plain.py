"""Any ASGI server: one message after the other through its own send, which is all that ASGI promises."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable

from wallboard.live.asgi import Message, Send
from wallboard.live.frames import Frame

log = logging.getLogger(__name__)
BACKLOG_MESSAGES = 16  # so many may wait for a browser: what waits inside the server nobody can see


class PlainConnection:
    """Sends what waits in a task of its own, since `send` may take as long as the browser does."""

    __slots__ = ("_backlog", "_is_broken", "_send", "_sending")
    kernel_socket = None

    def __init__(self, send: Send) -> None:
        self._send = send
        self._backlog: deque[str] = deque()
        self._sending: asyncio.Task[None] | None = None
        self._is_broken = False

    def write(self, frame: Frame) -> bool:
        if self._is_broken or len(self._backlog) >= BACKLOG_MESSAGES:
            return False
        self._backlog.extend(frame.texts)
        if self._sending is None:
            self._sending = asyncio.get_running_loop().create_task(self._drain())
        return True

    async def _drain(self) -> None:
        try:
            while self._backlog:
                await self._send({"type": "websocket.send", "text": self._backlog[0]})
                # Only now, so that is_drained() does not count it as taken while it is sent.
                self._backlog.popleft()
        except Exception as error:  # most likely the browser is gone, and the server's disconnect event says so too
            log.debug("A frame could not be sent (%s)", type(error).__name__)
            self._is_broken = True
        self._sending = None

    def is_drained(self) -> bool:
        return not self._backlog and not self._is_broken

    def abort(self) -> None:
        if self._sending is not None:
            self._sending.cancel()

    def tell(self, hear: Callable[[Message], None]) -> bool:
        return False
