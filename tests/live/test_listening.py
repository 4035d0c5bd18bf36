"""The connection that hears the news, when it is closed at a bad moment."""

import asyncio

import pytest
import redis

from wallboard.live import connections
from wallboard.live.listening import Listener


async def test_a_command_under_way_while_the_connection_closes_ends_as_a_lost_connection(redis_url: str) -> None:
    connection = connections.async_connection(redis_url)
    async with Listener(connection) as listener:
        sending = asyncio.create_task(listener.subscribe("feed:1"))
        await asyncio.sleep(0)  # it has seen an open connection
        await connection.disconnect(nowait=True)

        with pytest.raises(redis.RedisError):
            await sending
