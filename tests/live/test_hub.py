"""The hub: joining, resuming and leaving feeds, and from a publish to every browser."""

import asyncio
import time
from dataclasses import dataclass, replace
from typing import Any

import pytest

from tests.live.conftest import DESK, QUEUES, Browser, MakeHub, Truth, joined, published, until
from wallboard.live import connections, control, frames, hub, pings
from wallboard.live.feeds import Feed
from wallboard.live.hub import Hub
from wallboard.live.listening import Listener


@dataclass(frozen=True)
class Remainder:
    """Lets keys through that leave this remainder by two."""

    remainder: int

    def let_through(self, key: str, text: str) -> str:
        return text if int(key) % 2 == self.remainder else ""


EVEN, ODD = (replace(QUEUES, filter=Remainder(remainder)) for remainder in (0, 1))


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


async def test_a_ping_is_built_once_for_many_browsers(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    browsers, really, built = [await joined(hub) for _ in range(3)], frames.ping, list[frames.Frame]()

    def ping(*content: Any) -> frames.Frame:
        built.append(really(*content))
        return built[-1]

    monkeypatch.setattr(frames, "ping", ping)
    await hub._ping_everybody()
    await until(lambda: all(len(browser.pings) == 2 for browser in browsers))

    assert len(built) == 1


async def test_pings_go_on(make_hub: MakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pings, "PING_SECONDS", 0.05)
    browser = await joined(await make_hub())

    await until(lambda: len(browser.pings) >= 4)

    assert pings.PING_SECONDS + hub.CHECK_SECONDS + hub.PATIENCE_SECONDS < 11  # as PROOF_MS in live/socket.js


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
    await until(lambda: hub._all()[0].mirror.position.startswith("2-"))
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


async def test_another_view_of_a_followed_feed_disturbs_nobody(make_hub: MakeHub, truth: Truth) -> None:
    ours = await make_hub()
    await joined(ours)
    await asyncio.sleep(0.2)  # the subscription is confirmed
    asked = len(truth.asked)

    other = await joined(ours, ODD)
    await published(QUEUES, {"1": (1, "x"), "2": (1, "y")})
    await until(lambda: other.documents["queues"] == {"1": "x"})

    assert len(truth.asked) == asked


@pytest.mark.parametrize(("before", "after"), [(QUEUES, ODD), (ODD, QUEUES), (EVEN, ODD)])
async def test_coming_back_behind_another_filter_brings_all_that_it_shows(
    before: Feed, after: Feed, hub: Hub, truth: Truth
) -> None:
    truth.documents[QUEUES] = {str(number): (1, number) for number in range(4)}
    held = (await joined(hub, before)).held["queues"]

    back, fresh = await joined(hub, after, held), await joined(hub, after)
    await published(QUEUES, {"4": (1, 4), "5": (1, 5)})
    await until(lambda: "5" in back.documents["queues"])

    assert "snapshot" in back.frames[0]
    assert (back.documents, back.gaps) == (fresh.documents, 0)


async def test_coming_back_behind_the_same_filter_brings_what_was_missed(make_hub: MakeHub, truth: Truth) -> None:
    truth.documents[QUEUES] = {str(number): (1, number) for number in range(4)}
    held = (await joined(await make_hub(), ODD)).held["queues"]
    there = await make_hub()
    await joined(there, ODD)
    await published(QUEUES, {"4": (1, 4), "5": (1, 5)})

    back = Browser()
    back.held["queues"] = held
    there.join(back.socket, [(ODD, held)])
    await until(lambda: back.documents.get("queues") == {"5": 5})

    assert back.gaps == 0


async def test_a_quick_reload_keeps_the_subscription(make_hub: MakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "LINGER_SECONDS", 0.1)
    ours = await make_hub()
    first = await joined(ours)
    ours.leave(first.socket)
    second = await joined(ours)
    await asyncio.sleep(0.3)

    await published(QUEUES, {"a": (1, "x")})
    await until(lambda: second.documents["queues"] == {"a": "x"})


async def test_a_hub_ends_at_any_moment(make_hub: MakeHub) -> None:
    for turns in range(0, 120, 2):
        hub = await make_hub()
        hub.join(Browser().socket, [(QUEUES, ""), (DESK, "")])
        for _ in range(turns):
            await asyncio.sleep(0)

        async with asyncio.timeout(5):
            await hub.stop()
