"""What Redis did not take is made good by the hubs themselves, with no worker to mend feeds."""

import asyncio
import signal
import threading
from typing import Any

import pytest
import redis

from tests.live.conftest import CALLS, QUEUES, MakeHub, Truth, joined, until
from wallboard.live import control, hub, missed, publish
from wallboard.live.feeds import Feed
from wallboard.live.missed import MissedFeeds


@pytest.mark.parametrize("seconds", [1.6, 4.0])
async def test_news_lost_while_redis_was_frozen_arrive_once_it_goes_on(
    make_hub: MakeHub, truth: Truth, redis_server: Any, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    monkeypatch.setattr(hub, "CHECK_SECONDS", 60)  # nothing but word of the loss can help
    truth.documents[QUEUES] = {"a": (1, "before")}
    here, there = await joined(await make_hub()), await joined(await make_hub())

    redis_server.child.kill(signal.SIGSTOP)
    try:
        truth.documents[QUEUES] = {"a": (2, "missed"), "b": (1, "missed too")}
        first = await asyncio.to_thread(publish.tell, QUEUES, {"a": (2, "missed")})
        second = await asyncio.to_thread(publish.tell, QUEUES, {"b": (1, "missed too")})  # spared: Redis is not asked
        await asyncio.sleep(seconds - 1)
    finally:
        redis_server.child.kill(signal.SIGCONT)

    for browser in (here, there):
        await until(lambda browser=browser: browser.documents["queues"] == {"a": "missed", "b": "missed too"})  # type: ignore[misc]
    assert (first, second) == (False, False)
    assert not publish.breaker.is_pausing()


async def test_a_hub_that_got_no_answer_compares_all_with_the_database(
    make_hub: MakeHub, truth: Truth, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who could not tell Redis may have been killed meanwhile, and its memory of that with it."""
    monkeypatch.setattr(hub, "CHECK_SECONDS", 0.1)
    truth.documents[QUEUES] = {"a": (1, "before")}
    ours = await make_hub()
    browser = await joined(ours)
    really, answers = ours._differing, iter([redis.TimeoutError()])

    async def once_unanswered(followings: Any) -> Any:
        for error in answers:
            raise error
        return await really(followings)

    truth.documents[QUEUES] = {"a": (2, "after")}
    monkeypatch.setattr(ours, "_differing", once_unanswered)

    await until(lambda: browser.documents["queues"] == {"a": "after"})


def test_feeds_are_told_once_redis_answers_and_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(missed, "ASK_SECONDS", 0.02)
    told, answers = list[set[tuple[int, str]]](), iter([False, False, True, True])

    def publish_missed(feeds: set[tuple[int, str]]) -> None:
        if not next(answers):
            raise redis.TimeoutError
        told.append(set(feeds))

    monkeypatch.setattr(control, "publish_missed", publish_missed)
    is_told = threading.Event()
    ours = MissedFeeds(is_told.set)
    feeds: list[Feed] = [QUEUES, CALLS]

    for feed in feeds:
        ours.add([feed])
    assert is_told.wait(3)
    is_told.clear()
    ours.add([QUEUES])

    assert is_told.wait(3)
    assert told == [{(1, "queues"), (1, "calls")}, {(1, "queues")}]


async def test_what_was_stored_and_told_by_nobody_arrives(
    make_hub: MakeHub, truth: Truth, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "CHECK_SECONDS", 60)
    truth.documents[QUEUES] = {"a": (1, "before")}
    browser = await joined(await make_hub())
    truth.documents[QUEUES] = {"a": (2, "stored")}

    publish.missed.add([QUEUES])

    await until(lambda: browser.documents["queues"] == {"a": "stored"})
