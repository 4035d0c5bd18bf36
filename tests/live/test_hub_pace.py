"""The hub: how fast changes go out, and what browsers get that take them slowly or not at all."""

import time
from functools import partial

import pytest
import pytest_asyncio

from tests.live.conftest import CALLS, DESK, Browser, MakeHub, joined, published, until
from wallboard.live import hub
from wallboard.live.following import MERGE_SECONDS
from wallboard.live.hub import Hub
from wallboard.live.servers import plain


def shows(browser: Browser, version: int) -> bool:
    return browser.documents["desk:101"].get("1") == version


@pytest_asyncio.fixture
async def unhurried(make_hub: MakeHub, monkeypatch: pytest.MonkeyPatch) -> Hub:
    """A hub whose pace is longer than anything here waits."""
    monkeypatch.setattr(hub, "MERGE_SECONDS", 20.0)
    return await make_hub()


async def test_the_first_change_goes_at_once_and_the_next_waits_but_not_at_a_desk(unhurried: Hub) -> None:
    board, desk = await joined(unhurried, CALLS), await joined(unhurried, DESK)
    before = len(board.frames)

    await published(CALLS, {"first": (1, "x")})
    await until(lambda: "first" in board.documents["calls"])
    await published(CALLS, {"next": (1, "x")})
    for version in range(1, 21):
        await published(DESK, {"1": (version, version)})
        await until(partial(shows, desk, version))

    assert (len(board.frames) - before, "next" in board.documents["calls"]) == (1, False)
    assert len(desk.frames) == 21


async def test_a_storm_makes_no_more_frames_than_its_pace_allows(hub: Hub) -> None:
    browser = await joined(hub, CALLS)
    before, began = len(browser.frames), time.monotonic()

    for version in range(1, 301):
        await published(CALLS, {"1": (version, version), str(version): (1, "leg")})
    await until(lambda: browser.documents["calls"].get("1") == 300)
    took = time.monotonic() - began

    assert len(browser.frames) - before <= 2 + took / MERGE_SECONDS
    assert browser.gaps == 0


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
    assert len(slow.frames) <= plain.BACKLOG_MESSAGES + 4


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
