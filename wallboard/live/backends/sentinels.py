"""Redis behind Sentinels: every new connection asks them which server is the primary just now.

redis-py's own pools for that are unbounded, so ours are its usual ones with its connections: a connection whose server
turns out to be a replica by now is dropped, and the next one goes to the new primary.
"""

from typing import Any

from redis.asyncio import sentinel as of_asyncio
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.retry import Retry
from redis.sentinel import Sentinel, SentinelManagedConnection, SentinelManagedSSLConnection

from wallboard.live.backends.addresses import Address, Node

# A Sentinel on a machine that is cut off must not use up the patience of who asks.
ASK_SECONDS = 0.4


class Prompt:
    """Closes a connection on which no answer came in time, as all others of redis-py do (and Celery's, by its retries).

    Else one to a server that is cut off would be used again and again, and one to a slow server would take the answer
    to the command before for its own.
    """

    def read_response(self, *args: Any, **options: Any) -> Any:
        """As the connection's own."""
        return super().read_response(*args, **{"disconnect_on_error": True, **options})  # type: ignore[misc]


class ManagedConnection(Prompt, SentinelManagedConnection):
    """To the primary."""


class ManagedSSLConnection(Prompt, SentinelManagedSSLConnection):
    """To the primary, in TLS."""


class Primary:
    """Stands where redis-py's connections expect their pool: whom to connect to. No Sentinel is held on to."""

    is_master = True
    check_connection = False
    once: Any = Retry(NoBackoff(), 0)

    def __init__(self, address: Address) -> None:
        self.service_name = address.service
        self._nodes = address.nodes
        options = {"socket_timeout": ASK_SECONDS, "socket_connect_timeout": ASK_SECONDS, "protocol": 2}
        # One try each: the next Sentinel knows it as well.
        self._options = {**options, "retry": self.once, "decode_responses": True, **address.sentinel_login}
        self._options |= address.client_tls

    def get_master_address(self) -> Node:
        """Where the primary is. Raises redis.ConnectionError where no Sentinel knows."""
        asked = Sentinel(self._nodes, sentinel_kwargs=self._options)  # type: ignore[no-untyped-call]
        try:
            found: Node = asked.discover_master(self.service_name)  # type: ignore[no-untyped-call]
        finally:
            asked.close()
        self._prefer(asked)
        return found

    def _prefer(self, asked: Any) -> None:
        """Ask the Sentinel that knew it first the next time, and not one that may be away."""
        self._nodes = tuple(
            (options["host"], options["port"])
            for options in (each.connection_pool.connection_kwargs for each in asked.sentinels)
        )


class AsyncPrimary(Primary):
    """The same for an event loop."""

    once = AsyncRetry(NoBackoff(), 0)

    async def get_master_address(self) -> Node:  # type: ignore[override]
        """As above."""
        asked = of_asyncio.Sentinel(self._nodes, sentinel_kwargs=self._options)  # type: ignore[no-untyped-call]
        try:
            found: Node = await asked.discover_master(self.service_name)
        finally:
            for each in asked.sentinels:
                await each.aclose()
        self._prefer(asked)
        return found


def of_threads(address: Address) -> dict[str, Any]:
    """What a pool of redis-py needs in place of a host."""
    kind = ManagedSSLConnection if address.is_encrypted else ManagedConnection
    return {"connection_class": kind, "connection_pool": Primary(address), **_selecting(address)}


def of_loop(address: Address) -> dict[str, Any]:
    """The same for a pool of redis.asyncio."""
    is_encrypted = address.is_encrypted
    kind = of_asyncio.SentinelManagedSSLConnection if is_encrypted else of_asyncio.SentinelManagedConnection
    return {"connection_class": kind, "connection_pool": AsyncPrimary(address), **_selecting(address)}


def _selecting(address: Address) -> dict[str, Any]:
    return {"db": address.database, **address.login, **address.tls}
