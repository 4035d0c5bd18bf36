"""A browser's socket as the hub sees it: whose it is, what it follows, and whether it takes what it is sent."""

import logging
import time
from collections.abc import Callable

from wallboard.live.asgi import Message, Send
from wallboard.live.feeds import Feed
from wallboard.live.frames import Frame
from wallboard.live.servers.detection import connection_for
from wallboard.live.servers.interface import Connection
from wallboard.live.servers.plain import PlainConnection

log = logging.getLogger(__name__)


class Socket:
    """One accepted browser or program.

    `stuck_since` (monotonic clock) is set while it owes so much that nothing more is sent; `kernel_socket` is as in
    interface.Connection.
    """

    __slots__ = (
        "_close",
        "_connection",
        "_send",
        "embed_id",
        "feeds",
        "kernel_socket",
        "screen_id",
        "stuck_since",
        "token_id",
        "user_id",
    )

    def __init__(
        self,
        send: Send,
        close: Callable[[int], None],
        *,
        user_id: int | None = None,
        screen_id: int | None = None,
        token_id: int | None = None,
        embed_id: int | None = None,
        connection: Connection | None = None,
    ) -> None:
        self._send = send
        self._connection = connection or connection_for(send)
        self.kernel_socket = self._connection.kernel_socket
        self._close = close
        self.user_id = user_id
        self.screen_id = screen_id
        self.token_id = token_id
        self.embed_id = embed_id
        self.feeds: tuple[Feed, ...] = ()
        self.stuck_since: float | None = None

    def take(self, frame: Frame) -> bool:
        """Send the frame, or refuse it (False) because the browser still owes too much; never raises."""
        try:
            is_taken = self._connection.write(frame)
        except Exception:
            # It uses the inside of a server, which a new version of that may have changed.
            log.exception("The short way to a browser failed; going on with the server's own send")
            self._connection, self.kernel_socket = PlainConnection(self._send), None
            is_taken = self._connection.write(frame)
        if not is_taken and self.stuck_since is None:
            self.stuck_since = time.monotonic()
        return is_taken

    def is_drained(self) -> bool:
        """Whether the browser has taken nearly all that was handed over."""
        return self._connection.is_drained()

    def tell(self, hear: Callable[[Message], None]) -> bool:
        """Have `hear` called with what comes from the browser, so that nobody waits for it; False where none can."""
        return self._connection.tell(hear)

    def close(self, code: int) -> None:
        """End the socket with this close code, without waiting for it."""
        self._close(code)

    def abort(self) -> None:
        """Drop the connection at once."""
        self._connection.abort()
