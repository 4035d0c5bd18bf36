"""One pub/sub connection to Redis, or to each primary of a cluster, read by hand.

redis-py's own PubSub reconnects silently, and what was published meanwhile is gone without a trace; here a lost
connection is an error that the hub sees.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import redis

from wallboard.live import connections
from wallboard.live.backends import addresses

PING_SECONDS = 4.0
# Redis has answered neither of two pings by then.
DEAD_AFTER_SECONDS = 9.0
SUBSCRIBED, MESSAGE, ENDED = "subscribe", "message", "unsubscribe"
# What one shard of a cluster tells has names of its own. Answers to pings prove that Redis is there, and no more.
KINDS = {"subscribe": SUBSCRIBED, "ssubscribe": SUBSCRIBED, "message": MESSAGE, "smessage": MESSAGE}
KINDS["sunsubscribe"] = ENDED
Heard = tuple[str, str, str]


class Listener:
    """Subscribes to channels and yields what comes; use as `async with`. Raises redis.RedisError and OSError."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
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
        await self.send("SUBSCRIBE", *channels)

    async def unsubscribe(self, *channels: str) -> None:
        """Ask for these channels no longer."""
        await self.send("UNSUBSCRIBE", *channels)

    async def messages(self) -> AsyncIterator[Heard]:
        """(kind, channel, text), the kind one of KINDS' values, until the connection is found dead."""
        heard_at = time.monotonic()
        while True:
            try:
                # A timeout is only a quiet channel; redis-py would close the connection for it.
                message = await self._connection.read_response(timeout=PING_SECONDS, disconnect_on_error=False)
            except (redis.TimeoutError, TimeoutError):
                message = None
            if message:
                heard_at = time.monotonic()
                if kind := KINDS.get(message[0]):
                    yield kind, message[1], str(message[2])
            elif time.monotonic() - heard_at > DEAD_AFTER_SECONDS:
                raise redis.TimeoutError("The news connection fell silent.")

    async def send(self, *parts: str) -> None:
        """Send a command whose answers `messages` gives."""
        # Pings and subscriptions come from different tasks.
        async with self._sending:
            if not self._connection.is_connected:  # redis-py would quietly connect again, without our subscriptions
                raise redis.ConnectionError("The news connection is closed.")
            try:
                await self._connection.send_command(*parts, check_health=False)
            except AttributeError as error:  # closed between redis-py's own look and its writing
                raise redis.ConnectionError("The news connection was closed meanwhile.") from error

    async def _send_pings(self) -> None:
        while True:
            await asyncio.sleep(PING_SECONDS)
            try:
                await self.send("PING")
            except (redis.RedisError, OSError):
                # messages() notices by itself and ends with an error.
                return


class ClusterListener:
    """The same for a cluster: each feed is heard of on the primary that holds it, words to all on the first of them.

    When one of the connections is lost, or the cluster moves a feed, all of it ends: the next start knows where all is.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._cluster: Any = None
        self._nodes: dict[str, Listener] = {}
        self._followed: set[str] = set()
        self._heard: asyncio.Queue[Heard | Exception] = asyncio.Queue()
        self._stack = AsyncExitStack()
        self._readers: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> "ClusterListener":
        self._cluster = connections.async_client(self._url)
        self._stack.push_async_callback(self._cluster.aclose)
        try:
            await connections.find_nodes(self._cluster)
            for node in self._cluster.get_primaries():
                connection = connections.async_connection(self._url, (node.host, node.port))
                self._nodes[node.name] = await self._stack.enter_async_context(Listener(connection))
        except BaseException:
            await self._stack.aclose()
            raise
        self._readers = [asyncio.create_task(self._read(each)) for each in self._nodes.values()]
        return self

    async def __aexit__(self, *_: object) -> None:
        for reader in self._readers:
            reader.cancel()
        await self._stack.aclose()

    async def subscribe(self, *channels: str) -> None:
        """Ask for these channels."""
        self._followed.update(channels)
        await self._send("SUBSCRIBE", channels)

    async def unsubscribe(self, *channels: str) -> None:
        """Ask for these channels no longer."""
        self._followed.difference_update(channels)
        await self._send("UNSUBSCRIBE", channels)

    async def messages(self) -> AsyncIterator[Heard]:
        """(kind, channel, text) from all nodes, until one of them is lost."""
        while True:
            heard = await self._heard.get()
            if isinstance(heard, Exception):
                raise heard
            if heard[0] == ENDED and heard[1] in self._followed:
                raise redis.ConnectionError("A feed moved to another node of the cluster.")
            yield heard

    async def _send(self, command: str, channels: tuple[str, ...]) -> None:
        by_node: dict[tuple[str, str], list[str]] = defaultdict(list)
        for channel in channels:
            if connections.is_sharded(channel):
                by_node[self._cluster.get_node_from_key(channel).name, f"S{command}"].append(channel)
            else:
                by_node[next(iter(self._nodes)), command].append(channel)
        for (name, kind), of_node in by_node.items():
            if name not in self._nodes:
                raise redis.ConnectionError("The cluster has another primary now.")
            # One by one: the slots of two feeds differ, and a command may name but one.
            for channel in of_node:
                await self._nodes[name].send(kind, channel)

    async def _read(self, node: Listener) -> None:
        try:
            async for heard in node.messages():
                self._heard.put_nowait(heard)
        except Exception as error:  # the hub takes it from `messages`, whatever it is
            self._heard.put_nowait(error)


AnyListener = Listener | ClusterListener


def listener(url: str) -> AnyListener:
    """What hears of the feeds at that address."""
    return ClusterListener(url) if addresses.parsed(url).is_cluster else Listener(connections.async_connection(url))
