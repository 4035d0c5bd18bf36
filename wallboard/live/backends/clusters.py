"""Redis Cluster: clients that fail as those of one server do, and listeners on the nodes of the followed feeds."""

from collections.abc import Callable
from typing import Any

import redis
import redis.asyncio
from redis.asyncio.cluster import ClusterNode as AsyncClusterNode
from redis.asyncio.cluster import ClusterPipeline
from redis.cluster import ClusterNode, RedisCluster
from redis.exceptions import RedisClusterException

from wallboard.live.backends.addresses import Address

PRIMARIES = RedisCluster.PRIMARIES


class Cluster(RedisCluster):
    """Raises redis.RedisError alone, as everybody expects: redis-py's own error about the nodes is none."""

    def execute_command(self, *args: Any, **kwargs: Any) -> Any:
        """Run it on the node of its keys."""
        try:
            return super().execute_command(*args, **kwargs)  # type: ignore[no-untyped-call]
        except RedisClusterException as error:
            raise redis.ConnectionError(str(error)) from error

    def pipeline(self, transaction: Any = None, shard_hint: Any = None) -> Any:
        """Commands that go to their nodes together, and fail in the same way."""
        made: Any = super().pipeline(transaction, shard_hint)  # type: ignore[no-untyped-call]
        execute = made.execute
        made.execute = lambda *args, **options: _made(lambda: execute(*args, **options))
        return made


class AsyncCluster(redis.asyncio.RedisCluster):
    """The same for an event loop."""

    async def execute_command(self, *args: Any, **kwargs: Any) -> Any:
        """As above."""
        try:
            return await super().execute_command(*args, **kwargs)
        except RedisClusterException as error:
            raise redis.ConnectionError(str(error)) from error

    def pipeline(self, transaction: Any = None, shard_hint: Any = None) -> "AsyncPipeline":
        """Commands that go to their nodes together."""
        return AsyncPipeline(self, transaction)  # type: ignore[abstract]


class AsyncPipeline(ClusterPipeline):
    """Raises redis.RedisError alone, too."""

    async def execute(self, raise_on_error: bool = True, allow_redirections: bool = True) -> list[Any]:
        """The answers in the order of the commands."""
        try:
            return await super().execute(raise_on_error, allow_redirections)
        except RedisClusterException as error:
            raise redis.ConnectionError(str(error)) from error


def client(address: Address, **options: Any) -> Any:
    """A client for threads. Raises redis.RedisError where no node answers."""
    nodes = [
        ClusterNode(host, port)  # type: ignore[no-untyped-call]
        for host, port in address.nodes
    ]
    return _made(lambda: Cluster(startup_nodes=nodes, **_of_cluster(address), **options))


def async_client(address: Address, **options: Any) -> Any:
    """A client for one event loop; it looks for the nodes when it is first used."""
    nodes = [AsyncClusterNode(host, port) for host, port in address.nodes]
    return AsyncCluster(startup_nodes=nodes, **_of_cluster(address), **options)


def _of_cluster(address: Address) -> dict[str, Any]:
    # A shard without a primary must not silence the feeds of the others.
    return {"require_full_coverage": False, **address.login, **address.client_tls}


def _made(make: Callable[[], Any]) -> Any:
    try:
        return make()
    except RedisClusterException as error:
        raise redis.ConnectionError(str(error)) from error
