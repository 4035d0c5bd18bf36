"""The hub: from a publish to every browser, through everything that can go wrong with Redis on the way."""

import asyncio
import time
from functools import partial
from typing import Any

import pytest
import redis.asyncio

from tests.live.conftest import Browser, MakeHub, Truth, until
from wallboard.live import connections, control, feeds, hub, publish, sockets
from wallboard.live.feeds import Feed
from wallboard.live.hub import Hub
from wallboard.live.listening import Listener

QUEUES, CALLS, DESK = feeds.queues(1), feeds.calls(1), feeds.desk(1, "101")


async def joined(hub: Hub, feed: Feed = QUEUES, held: str = "", **whose: Any) -> Browser:
    """A browser that has what the feed holds."""
    browser = Browser(**whose)
    hub.join(browser.socket, [(feed, held)])
    await until(lambda: feed.name in browser.documents or bool(browser.frames))
    return browser


def shows(browser: Browser, version: int) -> bool:
    return browser.documents["desk:101"].get("1") == version


async def published(feed: Feed, documents: dict[str, tuple[int, Any]]) -> str:
    return str(await asyncio.to_thread(feed.publish, documents))


async def test_joining_gives_the_whole_feed_and_then_what_changes(hub: Hub, truth: Truth) -> None:
    truth.documents[QUEUES] = {"queue:1": (1, {"waiting": 0}), "queue:2": (1, {"waiting": 4})}
    browser = await joined(hub)

    await published(QUEUES, {"queue:1": (2, {"waiting": 3}), "queue:2": (2, None)})
    await until(lambda: len(browser.frames) == 2)

    assert [sorted(frame) for frame in browser.frames] == [
        ["feed", "id", "snapshot"],
        ["del", "feed", "id", "prev", "set"],
    ]
    assert browser.documents == {"queues": {"queue:1": {"waiting": 3}}}
    assert browser.gaps == 0


async def test_who_joins_while_the_news_connection_is_being_made_is_not_forgotten(
    make_hub: MakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = Listener.subscribe

    async def slowly(self: Any, *channels: str) -> None:
        await asyncio.sleep(0.1)
        await really(self, *channels)

    monkeypatch.setattr(Listener, "subscribe", slowly)
    ours = await make_hub()
    await asyncio.sleep(0.05)

    browser = await joined(ours)

    assert browser.documents == {"queues": {}}


async def test_a_ping_comes_at_once_with_the_servers_time_and_release(hub: Hub) -> None:
    browser = await joined(hub)

    assert browser.pings[0]["release"] == "r1"
    assert abs(browser.pings[0]["ping"] - time.time() * 1000) < 2000


async def test_pings_go_on(make_hub: MakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "PING_SECONDS", 0.05)
    browser = await joined(await make_hub())

    await until(lambda: len(browser.pings) >= 4)

    assert hub.PING_SECONDS < 15


async def test_two_server_processes_show_the_same(make_hub: MakeHub) -> None:
    one, two = await joined(await make_hub()), await joined(await make_hub())

    for version in range(1, 30):
        await published(QUEUES, {"queue:1": (version, version), f"queue:{version}": (version, "x")})
    await until(lambda: one.documents == two.documents and len(one.documents["queues"]) == 29)

    assert (one.gaps, two.gaps) == (0, 0)


async def test_resuming_gives_just_what_was_missed(hub: Hub, truth: Truth) -> None:
    truth.documents[QUEUES] = {str(number): (1, number) for number in range(50)}
    browser = await joined(hub)
    hub.leave(browser.socket)
    await published(QUEUES, {"7": (2, "seven"), "8": (2, None)})

    again = Browser()
    again.documents, again.held = {"queues": dict(browser.documents["queues"])}, dict(browser.held)
    await until(lambda: next(iter(hub._followings.values())).mirror.position.startswith("2-"))
    hub.join(again.socket, [(QUEUES, browser.held["queues"])])
    await until(lambda: bool(again.frames))

    assert {key: again.frames[0][key] for key in ("set", "del")} == {"set": {"7": "seven"}, "del": ["8"]}
    assert again.gaps == 0


async def test_resuming_at_the_newest_entry_gives_an_empty_change(hub: Hub) -> None:
    browser = await joined(hub)

    again = await joined(hub, held=browser.held["queues"])

    assert again.frames[0]["prev"] == again.frames[0]["id"] == browser.held["queues"]
    assert (again.frames[0]["set"], again.frames[0]["del"]) == ({}, [])


@pytest.mark.parametrize("unknown", ["1-1", "999999-5", "nonsense", "-", "٣-1"])
async def test_an_id_from_another_history_gives_the_whole_feed(hub: Hub, unknown: str) -> None:
    await joined(hub)

    browser = await joined(hub, held=unknown)

    assert "snapshot" in browser.frames[0]


async def test_a_browser_that_saw_more_at_another_process_waits_for_this_one_to_catch_up(
    make_hub: MakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "CHECK_SECONDS", 60)
    slow, fast = await make_hub(), await make_hub()
    await joined(slow)
    quick = await joined(fast)
    channel = QUEUES.channel(slow._url)
    following = slow._followings.pop(channel)  # its news go astray
    await published(QUEUES, {"a": (1, "x")})
    await until(lambda: quick.documents["queues"] == {"a": "x"})
    slow._followings[channel] = following

    browser = Browser()
    browser.held = dict(quick.held)
    slow.join(browser.socket, [(QUEUES, quick.held["queues"])])
    await until(lambda: bool(browser.frames))

    await until(lambda: browser.held == quick.held)
    assert "snapshot" not in browser.frames[0]
    assert browser.gaps == 0


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
    connections.client().flushall()
    await asyncio.to_thread(publish.mend, QUEUES, lambda: truth.of(QUEUES))
    for version in range(6, 12):
        await published(QUEUES, {"a": (version, version)})
    await until(lambda: first.documents["queues"]["a"] == 11)

    again = await joined(hub, held=first.frames[-2]["id"])

    assert first.gaps == 0
    assert again.documents == {"queues": {"a": 11}}


async def test_the_first_change_goes_at_once_and_a_storm_makes_ten_frames_a_second(hub: Hub) -> None:
    browser = await joined(hub, CALLS)
    await asyncio.sleep(0.2)
    began = time.monotonic()
    await published(CALLS, {"first": (1, "x")})
    await until(lambda: "first" in browser.documents["calls"])
    first_after = time.monotonic() - began
    before = len(browser.frames)

    end = time.monotonic() + 2
    version = 0
    while time.monotonic() < end:
        version += 1
        await published(CALLS, {"1": (version, version), str(version): (1, "leg")})
        await asyncio.sleep(0.004)
    await until(lambda: browser.documents["calls"].get("1") == version)

    assert first_after < 0.05
    assert version > 100
    assert len(browser.frames) - before <= 22
    assert browser.gaps == 0


async def test_desks_are_never_held_back(hub: Hub) -> None:
    browser = await joined(hub, DESK)

    delays = []
    for version in range(1, 21):
        began = time.monotonic()
        await published(DESK, {"1": (version, version)})
        await until(partial(shows, browser, version))
        delays.append(time.monotonic() - began)

    assert sorted(delays)[10] < 0.04
    assert len(browser.frames) == 21


async def test_a_slow_browser_is_not_fed_but_given_what_it_lacks_when_it_takes_again(
    make_hub: MakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "SWEEP_SECONDS", 0.05)
    ours = await make_hub()
    slow, quick = await joined(ours, DESK), await joined(ours, DESK)
    slow.may_take.clear()

    for version in range(1, 101):
        await published(DESK, {"1": (version, version)})
    await until(lambda: quick.documents["desk:101"].get("1") == 100)
    slow.may_take.set()
    await until(lambda: slow.documents["desk:101"].get("1") == 100)

    assert slow.gaps == 0
    assert len(slow.frames) <= sockets.PLAIN_BACKLOG + 4


async def test_a_browser_that_takes_nothing_is_closed(make_hub: MakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "SWEEP_SECONDS", 0.05)
    monkeypatch.setattr(hub, "STUCK_SECONDS", 0.2)
    ours = await make_hub()
    browser = await joined(ours, DESK)
    browser.may_take.clear()

    for version in range(1, 40):
        await published(DESK, {"1": (version, version)})
    await until(lambda: bool(browser.closed))

    assert browser.closed == [4429]
    assert browser.socket not in ours.sockets
    browser.may_take.set()


async def test_word_about_a_user_or_a_screen_reaches_its_sockets_only(hub: Hub) -> None:
    user, screen, other = [
        await joined(hub, user_id=5),
        await joined(hub, screen_id=5),
        await joined(hub, user_id=6, screen_id=None),
    ]

    await asyncio.to_thread(control.close_user, 5)
    await until(lambda: bool(user.closed))
    await asyncio.to_thread(control.close_screen, 5)
    await until(lambda: bool(screen.closed))

    assert (user.closed, screen.closed, other.closed) == ([4409], [4409], [])


async def test_a_feed_that_nobody_looks_at_is_unsubscribed(make_hub: MakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "LINGER_SECONDS", 0.05)
    ours = await make_hub()
    browser = await joined(ours)
    channel = QUEUES.channel(ours._url)
    before = connections.client().pubsub_numsub(channel)

    ours.leave(browser.socket)
    await until(lambda: connections.client().pubsub_numsub(channel)[0][1] == 0)

    assert before[0][1] == 1
    assert ours._followings == {}
    assert (await joined(ours)).documents == {"queues": {}}


async def test_a_quick_reload_keeps_the_subscription(make_hub: MakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "LINGER_SECONDS", 0.1)
    ours = await make_hub()
    first = await joined(ours)
    ours.leave(first.socket)
    second = await joined(ours)
    await asyncio.sleep(0.3)

    await published(QUEUES, {"a": (1, "x")})
    await until(lambda: second.documents["queues"] == {"a": "x"})


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
