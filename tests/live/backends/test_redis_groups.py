"""Feeds over three Redis with Sentinel and over a Redis Cluster, plain and in TLS: real servers; one is killed."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import redis

from tests.harness import redis_groups
from tests.harness.redis_groups import Group
from tests.live.conftest import Truth, joined, until
from wallboard import health
from wallboard.live import clocks, connections, control, feeds, publish, since
from wallboard.live.feeds import Feed
from wallboard.live.hub import Hub
from wallboard.live.sockets import Socket

pytestmark = pytest.mark.timeout(240)
FEEDS = [feeds.queues(1), feeds.calls(1), feeds.desk(1, "101"), feeds.people(2), feeds.alerts(3)]


def grouped(kind: str, folder: Path) -> Group:
    """Three servers with their Sentinels, or six for a cluster; "… tls" where nothing speaks without."""
    tls = redis_groups.certify(folder) if kind.endswith("tls") else None
    if kind.startswith("sentinel"):
        return redis_groups.sentinels(folder, redis_groups.loopback(3, tls), redis_groups.loopback(3, tls))
    return redis_groups.cluster(folder, redis_groups.loopback(6, tls))


@pytest.fixture(params=["sentinel", "cluster", "sentinel tls", "cluster tls"])
def group(request: pytest.FixtureRequest, tmp_path: Path, settings: Any) -> Iterator[Group]:
    """Three servers with their Sentinels, or three primaries with a replica each; the settings lead there."""
    made = grouped(request.param, tmp_path)
    with redis_groups.running(made):
        if request.param.startswith("cluster"):
            redis_groups.join(made)
        settings.REDIS_URL = settings.TASKS_REDIS_URL = made.url
        yield made


@pytest_asyncio.fixture
async def hub(group: Group, truth: Truth) -> AsyncIterator[Hub]:
    async def rebuild(feed: Feed) -> None:
        await asyncio.to_thread(publish.mend, feed, lambda: truth.of(feed))

    def changed(socket: Socket) -> None:
        socket.close(4409)

    made = Hub(group.url, rebuild, changed, "r1")
    yield made
    await made.stop()


@pytest.mark.promise("R20", "the primary of Redis is killed")
@pytest.mark.asyncio
async def test_feeds_words_and_clocks_work_and_outlive_the_primary(group: Group, hub: Hub, truth: Truth) -> None:
    for feed in FEEDS:
        truth.documents[feed] = {"a": (1, {"n": 1})}
    pages = {feed: await joined(hub, feed) for feed in FEEDS}
    assert await asyncio.to_thread(news_of, "n", 2, truth)
    await until(lambda: all(page.documents[feed.name] == {"a": {"n": 2}} for feed, page in pages.items()))
    assert [page.gaps for page in pages.values()] == [0] * len(FEEDS)
    assert followed() == ["desk:101"]

    leaving = await joined(hub, FEEDS[0], user_id=7)
    assert await asyncio.to_thread(control.close_user, 7)
    await until(lambda: leaving.closed == [4409])
    moment, news = await asyncio.to_thread(since.read, [(feed, "") for feed in FEEDS])
    assert abs(moment - await asyncio.to_thread(clocks.redis_time)) < 5
    assert [each.documents for each in news] == [{"a": '{"n":2}'}] * len(FEEDS)
    assert all("used_memory" in each for each in connections.servers())
    assert health.redis_answers()

    group.servers[group.primaries()[0]].kill()
    await asyncio.to_thread(news_of, "n", 3, truth)
    await until(lambda: all(page.documents[feed.name] == {"a": {"n": 3}} for feed, page in pages.items()), 90)


def test_a_pipeline_fails_as_all_else_does_where_no_node_is_left(tmp_path: Path, settings: Any) -> None:
    made = grouped("cluster", tmp_path)
    with redis_groups.running(made):
        redis_groups.join(made)
        settings.REDIS_URL = made.url
        assert pipelined() == [True, "1"]
        made.stop()

        with pytest.raises(redis.RedisError):
            pipelined()


def pipelined() -> list[Any]:
    """The answers to two commands in one round trip."""
    pipeline: Any = connections.client().pipeline(transaction=False)
    pipeline.set("key", 1)
    pipeline.get("key")
    found: list[Any] = pipeline.execute()
    return found


def news_of(key: str, number: int, truth: Truth) -> bool:
    """Change the document of every feed, and tell of it; whether Redis took all of it."""
    for feed in FEEDS:
        truth.documents[feed] = {"a": (number, {key: number})}
    return publish.tell_all((feed, truth.documents[feed]) for feed in FEEDS)


def followed() -> list[str]:
    return [f"desk:{name.rpartition(':')[2]}" for name in connections.followed("1:desk:")]
