"""Connections to Redis that never keep a caller waiting: explicit timeouts, bounded pools, at most one retry.

redis-py 8 waits five seconds per answer and retries three times unless told otherwise; a webhook must not.
"""

from functools import cache
from pathlib import Path

import redis
import redis.asyncio
from django.conf import settings
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.retry import Retry

TIMEOUT_SECONDS = 1.0
POOL_SIZE = 8


def script(name: str) -> str:
    """The text of one of our Lua scripts."""
    return (Path(__file__).parent / f"{name}.lua").read_text(encoding="utf-8")


@cache
def _client(url: str) -> redis.Redis:
    pool = redis.BlockingConnectionPool.from_url(
        url,
        max_connections=POOL_SIZE,
        timeout=TIMEOUT_SECONDS,
        socket_timeout=TIMEOUT_SECONDS,
        socket_connect_timeout=TIMEOUT_SECONDS,
        decode_responses=True,
        protocol=2,
        # A connection that died while pooled shows only when it is used: that once is worth a second try.
        retry=Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
    )
    return redis.Redis(connection_pool=pool)


def client() -> redis.Redis:
    """The process's client for short commands; safe to use from any thread."""
    return _client(settings.REDIS_URL)


def async_pool(url: str) -> redis.asyncio.BlockingConnectionPool:
    """A pool for one event loop; it must not be shared between loops."""
    pool: redis.asyncio.BlockingConnectionPool = redis.asyncio.BlockingConnectionPool.from_url(
        url,
        max_connections=POOL_SIZE,
        timeout=TIMEOUT_SECONDS,
        socket_timeout=TIMEOUT_SECONDS,
        socket_connect_timeout=TIMEOUT_SECONDS,
        decode_responses=True,
        # With RESP3 pub/sub messages are pushes, which listening.py does not read.
        protocol=2,
        retry=AsyncRetry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
    )
    return pool


def channel(url: str, name: str) -> str:
    """The pub/sub channel of that name; Redis does not separate channels by database number, so the name does."""
    return f"wallboard:{database_number(url)}:{name}"


@cache
def database_number(url: str) -> int:
    """The database number that a Redis address selects."""
    options = redis.ConnectionPool.from_url(url).connection_kwargs
    return int(options.get("db") or 0)
