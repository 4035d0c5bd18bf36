"""The hub: what is lost on the way from a publish to the browsers is noticed and made good."""

import asyncio
import time
from typing import Any

import pytest
import redis.asyncio

from tests.live.conftest import DESK, QUEUES, Browser, MakeHub, Truth, joined, published, until
from wallboard.live import connections, hub, publish
from wallboard.live.feeds import Feed
from wallboard.live.hub import Hub


async def test_a_lost_message_is_noticed_by_the_next_one(make_hub: MakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "CHECK_SECONDS", 60)
    ours = await make_hub()
    browser = await joined(ours)
    channel = QUEUES.channel(ours._url)
    following = ours._followings.pop(channel)
    await published(QUEUES, {"lost": (1, "x")})
    await asyncio.sleep(0.1)
    ours._followings[channel] = following

    await published(QUEUES, {"next": (1, "y")})
    await until(lambda: browser.documents["queues"] == {"lost": "x", "next": "y"})

    assert browser.gaps == 0


async def test_a_lost_message_is_noticed_without_a_next_one(make_hub: MakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "CHECK_SECONDS", 0.1)
    ours = await make_hub()
    browser = await joined(ours)
    channel = QUEUES.channel(ours._url)
    following = ours._followings.pop(channel)
    await published(QUEUES, {"lost": (1, "x")})
    await asyncio.sleep(0.1)
    ours._followings[channel] = following

    await until(lambda: browser.documents["queues"] == {"lost": "x"})

    assert hub.CHECK_SECONDS < 15


async def test_an_emptied_redis_is_built_again_and_only_differences_are_sent(
    make_hub: MakeHub, truth: Truth, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "CHECK_SECONDS", 0.1)
    truth.documents[QUEUES] = {"a": (1, "a"), "b": (1, "b")}
    ours = await make_hub()
    browser = await joined(ours)
    truth.documents[QUEUES] = {"a": (1, "a"), "b": (2, "B"), "c": (1, "c")}

    connections.client().flushall()
    await until(lambda: browser.documents["queues"] == {"a": "a", "b": "B", "c": "c"})

    assert [sorted(frame["set"]) for frame in browser.frames[1:]] == [["b", "c"]]
    stale = await joined(ours, held=browser.frames[0]["id"])
    assert "snapshot" in stale.frames[0]


async def test_a_redis_that_lost_history_and_grew_again_refuses_old_ids(hub: Hub, truth: Truth) -> None:
    truth.documents[QUEUES] = {"a": (1, "a")}
    first = await joined(hub)
    for version in range(2, 6):
        await published(QUEUES, {"a": (version, version)})
    await until(lambda: first.documents["queues"]["a"] == 5)
    lost = first.held["queues"]
    connections.client().flushall()
    await asyncio.to_thread(publish.mend, QUEUES, lambda: truth.of(QUEUES))
    for version in range(6, 12):
        await published(QUEUES, {"a": (version, version)})
    await until(lambda: first.documents["queues"]["a"] == 11)

    again = await joined(hub, held=lost)

    assert first.gaps == 0
    assert again.documents == {"queues": {"a": 11}}


async def test_a_killed_redis_is_told_and_healed_from(
    make_hub: MakeHub, truth: Truth, redis_server: Any, caplog: pytest.LogCaptureFixture
) -> None:
    truth.documents[QUEUES] = {"a": (1, "a")}
    browser = await joined(await make_hub())

    await asyncio.to_thread(redis_server.child.kill)
    await until(lambda: "deaf_since" in browser.pings[-1])
    truth.documents[QUEUES] = {"a": (2, "A")}
    await asyncio.to_thread(redis_server.child.process.wait)
    redis_server.start()  # not in a thread: a child ends with the thread that started it
    began = time.monotonic()
    await until(lambda: browser.documents["queues"] == {"a": "A"}, 15)
    await until(lambda: "deaf_since" not in browser.pings[-1])

    assert time.monotonic() - began < 8
    assert browser.gaps == 0
    said = [record.levelname for record in caplog.records if record.name == "wallboard.live.hub"]
    assert said == ["ERROR", "WARNING"]


async def test_news_that_never_reached_redis_are_mended_when_a_feed_is_first_looked_at(hub: Hub, truth: Truth) -> None:
    await asyncio.to_thread(publish.mend, DESK, dict)
    truth.documents[DESK] = {"1": (1, "ringing")}

    browser = await joined(hub, DESK)

    await until(lambda: browser.documents["desk:101"] == {"1": "ringing"})


async def test_a_database_that_is_away_delays_a_lost_feed_but_shows_nothing_wrong(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wallboard.live.following.RETRY_SECONDS", 0.1)
    tries = 0

    async def rebuild(feed: Feed) -> None:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise RuntimeError("no database")
        await asyncio.to_thread(publish.mend, feed, lambda: {"a": (1, "a")})

    ours = Hub(redis_url, rebuild, lambda socket: None)
    await published(QUEUES, {"b": (1, "only a part of the feed")})
    browser = Browser()
    ours.join(browser.socket, [(QUEUES, "")])
    await until(lambda: bool(browser.frames))

    assert browser.documents == {"queues": {"a": "a"}}
    assert tries >= 3
    await ours.stop()


async def test_every_connection_to_redis_has_its_own_timeouts(hub: Hub) -> None:
    pools: list[Any] = [connections.client().connection_pool, hub._redis.connection_pool]

    for pool in pools:
        options = pool.connection_kwargs
        assert (options["socket_timeout"], options["socket_connect_timeout"]) == (1.0, 1.0)
        assert pool.max_connections == 8
    assert isinstance(hub._redis, redis.asyncio.Redis)
