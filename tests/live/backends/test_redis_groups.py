"""Feeds over three Redis with Sentinel and over a Redis Cluster: real servers, one of which is killed."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

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


@pytest.fixture(params=["sentinel", "cluster"])
def group(request: pytest.FixtureRequest, tmp_path: Path, settings: Any) -> Iterator[Group]:
    """Three servers with their Sentinels, or three primaries with a replica each; the settings lead there."""
    if request.param == "sentinel":
        made = redis_groups.sentinels(tmp_path, redis_groups.loopback(3), redis_groups.loopback(3))
    else:
        made = redis_groups.cluster(tmp_path, redis_groups.loopback(6))
    with redis_groups.running(made):
        if request.param == "cluster":
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


def news_of(key: str, number: int, truth: Truth) -> bool:
    """Change the document of every feed, and tell of it; whether Redis took all of it."""
    for feed in FEEDS:
        truth.documents[feed] = {"a": (number, {key: number})}
    return publish.tell_all((feed, truth.documents[feed]) for feed in FEEDS)


def followed() -> list[str]:
    return [f"desk:{name.rpartition(':')[2]}" for name in connections.followed("1:desk:")]
