"""Connections to Redis that never keep a caller waiting: explicit timeouts, bounded pools, at most one retry.

redis-py 8 waits five seconds per answer and retries three times unless told otherwise; a webhook must not. Here alone
is known whether Redis is one server, the one that Sentinels name, or a cluster (addresses.py).
"""

from functools import cache
from pathlib import Path
from typing import Any

import redis
import redis.asyncio
from django.conf import settings
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError, RedisClusterException
from redis.retry import Retry

from wallboard.live.backends import addresses, clusters, sentinels

TIMEOUT_SECONDS = 1.0
POOL_SIZE = 8
COMMON: dict[str, Any] = {
    "socket_timeout": TIMEOUT_SECONDS,
    "socket_connect_timeout": TIMEOUT_SECONDS,
    "decode_responses": True,
    # With RESP3 pub/sub messages are pushes, which listening.py does not read.
    "protocol": 2,
}


def script(name: str) -> str:
    """The text of one of our Lua scripts."""
    return (Path(__file__).parent / f"{name}.lua").read_text(encoding="utf-8")


@cache
def _client(url: str) -> Any:
    # A connection that died while pooled shows only when it is used: that once is worth a second try.
    retry = Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,))
    address = addresses.parsed(url)
    if address.is_cluster:
        return clusters.client(address, retry=retry, **COMMON)
    options: dict[str, Any] = {"max_connections": POOL_SIZE, "timeout": TIMEOUT_SECONDS, "retry": retry, **COMMON}
    if address.is_sentinel:
        options |= sentinels.of_threads(address)
        return redis.Redis(connection_pool=redis.BlockingConnectionPool(**options))  # type: ignore[no-untyped-call]
    return redis.Redis(connection_pool=redis.BlockingConnectionPool.from_url(url, **options))


def client() -> redis.Redis:
    """The process's client for short commands; safe to use from any thread. A cluster's raises RedisError, too."""
    found: redis.Redis = _client(settings.REDIS_URL)
    return found


def broker() -> redis.Redis:
    """The same for the Redis that carries the tasks."""
    found: redis.Redis = _client(settings.TASKS_REDIS_URL)
    return found


def async_client(url: str) -> redis.asyncio.Redis:
    """A client for one event loop, with a pool of its own; it must not be shared between loops."""
    address = addresses.parsed(url)
    if address.is_cluster:
        cluster: redis.asyncio.Redis = clusters.async_client(address, retry=_async_retry(), **COMMON)
        return cluster
    return redis.asyncio.Redis.from_pool(_async_pool(url))


async def find_nodes(cluster: Any) -> None:
    """Look for the nodes of a cluster now. Raises redis.RedisError."""
    try:
        await cluster.initialize()
    except RedisClusterException as error:
        raise redis.ConnectionError(str(error)) from error


def async_connection(url: str, node: addresses.Node | None = None) -> Any:
    """One connection outside of any pool, not connected yet; of a cluster to this node."""
    if node is None:
        return _async_pool(url).make_connection()  # type: ignore[no-untyped-call]
    host, port = node
    address = addresses.parsed(url)
    options: dict[str, Any] = {"retry": _async_retry(), **address.login, **address.tls, **COMMON}
    kind = redis.asyncio.SSLConnection if address.is_encrypted else redis.asyncio.Connection
    return kind(host=host, port=port, **options)


def _async_pool(url: str) -> redis.asyncio.BlockingConnectionPool:
    address = addresses.parsed(url)
    options = {"max_connections": POOL_SIZE, "timeout": TIMEOUT_SECONDS, "retry": _async_retry(), **COMMON}
    if address.is_sentinel:
        return redis.asyncio.BlockingConnectionPool(**sentinels.of_loop(address), **options)
    pool: redis.asyncio.BlockingConnectionPool = redis.asyncio.BlockingConnectionPool.from_url(url, **options)
    return pool


def _async_retry() -> AsyncRetry:
    return AsyncRetry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,))


@cache
def _script(url: str, name: str) -> "redis.commands.core.Script":
    found: redis.commands.core.Script = _client(url).register_script(script(name))
    return found


class Batch:
    """Our scripts in one round trip; on a cluster each goes to the node of its keys by itself."""

    def __init__(self) -> None:
        self._calls: list[tuple[str, list[str], list[Any]]] = []

    def run(self, name: str, keys: list[str], arguments: list[Any]) -> None:
        """Add a call of that script."""
        self._calls.append((name, keys, arguments))

    def execute(self) -> list[Any]:
        """The answers, in the order of the calls. Raises redis.RedisError."""
        if not self._calls:
            return []
        if is_cluster():
            return [run(*call) for call in self._calls]
        try:
            return self._sent()
        except NoScriptError:
            # Redis began anew. All of them once more: a script that ran already finds its documents told.
            for name in {name for name, _, _ in self._calls}:
                client().script_load(script(name))
            return self._sent()

    def _sent(self) -> list[Any]:
        # redis-py's own way with scripts asks each time whether they are there, which is a round trip more.
        with client().pipeline(transaction=False) as pipeline:
            for name, keys, arguments in self._calls:
                pipeline.evalsha(_script(settings.REDIS_URL, name).sha, len(keys), *keys, *arguments)
            return pipeline.execute()


def run(name: str, keys: list[str], arguments: list[Any]) -> Any:
    """The answer of one of our scripts. Raises redis.RedisError."""
    return _script(settings.REDIS_URL, name)(keys=keys, args=arguments)


def clock_key() -> str:
    """Where the clocks of the machines are kept; the server that holds it is the one whose clock counts."""
    return channel(settings.REDIS_URL, "clocks")


def is_cluster() -> bool:
    """Whether the feeds are spread over several servers."""
    return addresses.parsed(settings.REDIS_URL).is_cluster


def announcement(url: str) -> str:
    """The command that tells followers of a feed: on a cluster none but the nodes of its own shard hear of it."""
    return "SPUBLISH" if addresses.parsed(url).is_cluster else "PUBLISH"


def news_channel(url: str, feed: str) -> str:
    """The pub/sub channel of that feed (`<domain>:<name>`); on a cluster it lies where the feed's keys do."""
    return channel(url, f"news:{{{feed}}}" if addresses.parsed(url).is_cluster else f"news:{feed}")


def servers() -> list[dict[str, Any]]:
    """What each server that holds feeds or carries tasks says of itself (INFO). Raises redis.RedisError."""
    if not is_cluster():
        return [client().info(), *([broker().info()] if settings.TASKS_REDIS_URL != settings.REDIS_URL else [])]
    found: dict[str, Any] = client().info(target_nodes=clusters.PRIMARIES)
    return [*found.values(), broker().info()]


def is_sharded(channel: str) -> bool:
    """Whether that channel of a cluster is known to the nodes of one shard alone."""
    return "{" in channel


def followed(stem: str) -> list[str]:
    """The feeds whose name begins so and that somebody follows right now. Raises redis.RedisError."""
    url = settings.REDIS_URL
    if is_cluster():
        begin = news_channel(url, stem).removesuffix("}")
        found = client().pubsub_shardchannels(f"{begin}*", target_nodes=clusters.PRIMARIES)
    else:
        begin = news_channel(url, stem)
        found = client().pubsub_channels(f"{begin}*")
    return [stem + str(each).removeprefix(begin).removesuffix("}" if is_cluster() else "") for each in found]


def channel(url: str, name: str) -> str:
    """The pub/sub channel of that name; Redis does not separate channels by database number, so the name does."""
    return f"wallboard:{database_number(url)}:{name}"


def database_number(url: str) -> int:
    """The database number that a Redis address selects."""
    return addresses.parsed(url).database
