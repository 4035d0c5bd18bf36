"""One pub/sub connection to Redis, read by hand.

redis-py's own PubSub reconnects silently, and what was published meanwhile is gone without a trace; here a lost
connection is an error that the hub sees.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import redis

from wallboard.live import connections

PING_SECONDS = 4.0
# Redis has answered neither of two pings by then.
DEAD_AFTER_SECONDS = 9.0


class Listener:
    """Subscribes to channels and yields what comes; use as `async with`. Raises redis.RedisError and OSError."""

    def __init__(self, url: str) -> None:
        pool: Any = connections.async_pool(url)
        self._connection = pool.make_connection()
        self._sending = asyncio.Lock()
        self._pinging: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Listener":
        await self._connection.connect()
        self._pinging = asyncio.create_task(self._send_pings())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._pinging is not None:
            self._pinging.cancel()
        # Where Redis hangs, waiting for the end would hang as well.
        await self._connection.disconnect(nowait=True)

    async def subscribe(self, *channels: str) -> None:
        """Ask for these channels; each is confirmed by ("subscribe", channel, "")."""
        await self._send("SUBSCRIBE", *channels)

    async def unsubscribe(self, *channels: str) -> None:
        """Ask for these channels no longer."""
        await self._send("UNSUBSCRIBE", *channels)

    async def messages(self) -> AsyncIterator[tuple[str, str, str]]:
        """(kind, channel, text) with the kinds subscribe and message, until the connection is found dead."""
        heard_at = time.monotonic()
        while True:
            try:
                # A timeout is only a quiet channel; redis-py would close the connection for it.
                message = await self._connection.read_response(timeout=PING_SECONDS, disconnect_on_error=False)
            except (redis.TimeoutError, TimeoutError):
                message = None
            if message:
                heard_at = time.monotonic()
                # Answers to pings prove that Redis is there, and no more.
                if message[0] in ("subscribe", "message"):
                    yield message[0], message[1], str(message[2])
            elif time.monotonic() - heard_at > DEAD_AFTER_SECONDS:
                raise redis.TimeoutError("The news connection fell silent.")

    async def _send(self, *parts: str) -> None:
        # Pings and subscriptions come from different tasks.
        async with self._sending:
            if not self._connection.is_connected:  # redis-py would quietly connect again, without our subscriptions
                raise redis.ConnectionError("The news connection is closed.")
            await self._connection.send_command(*parts, check_health=False)

    async def _send_pings(self) -> None:
        while True:
            await asyncio.sleep(PING_SECONDS)
            try:
                await self._send("PING")
            except (redis.RedisError, OSError):
                # messages() notices by itself and ends with an error.
                return
