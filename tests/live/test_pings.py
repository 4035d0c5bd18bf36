"""Pings tell how old the proof is that what was sent is still true, of all feeds and of single ones."""

import asyncio

import pytest
import redis

from tests.live.conftest import CALLS, QUEUES, Browser, MakeHub, joined, until
from wallboard.live import hub, pings
from wallboard.live.feeds import Feed
from wallboard.live.hub import Hub
from wallboard.live.pings import Pings


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "CHECK_SECONDS", 0.1)
    monkeypatch.setattr(pings, "PING_SECONDS", 0.1)


async def test_the_link_that_was_proved_longest_ago_counts() -> None:
    told = Pings("r1")
    told.proved("redis")
    told.proved("database")
    await asyncio.sleep(0.1)
    told.proved("redis")

    assert 90 <= told.proof_age_ms < 1000


async def test_positions_that_agree_with_redis_are_a_proof(make_hub: MakeHub) -> None:
    browser = await joined(await make_hub())

    await until(lambda: len(browser.pings) > 8)

    assert browser.pings[-1]["proof_age"] < 600
    assert "doubts" not in browser.pings[-1]


async def test_without_answers_of_redis_the_proof_grows_old(make_hub: MakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = await make_hub()
    browser = await joined(ours)

    async def unanswered(*_: object) -> None:
        raise redis.TimeoutError

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(ours, "_differing", unanswered)
        await until(lambda: browser.pings[-1]["proof_age"] > 700)

    await until(lambda: browser.pings[-1]["proof_age"] < 500)


async def test_a_feed_that_cannot_be_compared_with_the_database_is_in_doubt_for_those_who_follow_it(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wallboard.live.following.RETRY_SECONDS", 0.1)
    is_broken = True

    async def rebuild(feed: Feed) -> None:
        if is_broken and feed.name == "calls":
            raise RuntimeError
        await asyncio.to_thread(pings_mend, feed)

    ours = Hub(redis_url, rebuild, lambda socket: None)
    near, far = Browser(), Browser()
    ours.join(near.socket, [(QUEUES, ""), (CALLS, "")])
    ours.join(far.socket, [(QUEUES, "")])

    await until(lambda: bool(near.pings and far.pings))
    await until(lambda: near.pings[-1].get("doubts", {}).get("calls", 0) > 1000)
    assert list(near.pings[-1]["doubts"]) == ["calls"]
    assert "doubts" not in far.pings[-1]
    is_broken = False
    await until(lambda: "doubts" not in near.pings[-1])
    await ours.stop()


def pings_mend(feed: Feed) -> None:
    from wallboard.live import publish

    publish.mend(feed, dict)
