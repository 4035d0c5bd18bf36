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
        self._pinging = asyncio.create_task(self._keep_asking())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._pinging is not None:
            self._pinging.cancel()
        await self._connection.disconnect(nowait=True)

    async def subscribe(self, *channels: str) -> None:
        """Ask for these channels; each is confirmed by ("subscribe", channel, "")."""
        await self._say("SUBSCRIBE", *channels)

    async def unsubscribe(self, *channels: str) -> None:
        """Ask for these channels no longer."""
        await self._say("UNSUBSCRIBE", *channels)

    async def words(self) -> AsyncIterator[tuple[str, str, str]]:
        """(kind, channel, text) with the kinds subscribe and message, until the connection is found dead."""
        heard_at = time.monotonic()
        while True:
            try:
                word = await self._connection.read_response(timeout=PING_SECONDS, disconnect_on_error=False)
            except (redis.TimeoutError, TimeoutError):
                word = None
            if word:
                heard_at = time.monotonic()
                if word[0] in ("subscribe", "message"):
                    yield word[0], word[1], str(word[2])
            elif time.monotonic() - heard_at > DEAD_AFTER_SECONDS:
                raise redis.TimeoutError("The news connection fell silent.")

    async def _say(self, *words: str) -> None:
        async with self._sending:
            if not self._connection.is_connected:  # redis-py would quietly connect again, without our subscriptions
                raise redis.ConnectionError("The news connection is closed.")
            await self._connection.send_command(*words, check_health=False)

    async def _keep_asking(self) -> None:
        while True:
            await asyncio.sleep(PING_SECONDS)
            try:
                await self._say("PING")
            except (redis.RedisError, OSError):
                return
