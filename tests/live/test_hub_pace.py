"""The hub: how fast changes go out, and what browsers get that take them slowly or not at all."""

import asyncio
import time
from functools import partial

import pytest

from tests.live.conftest import CALLS, DESK, Browser, MakeHub, joined, published, until
from wallboard.live import hub
from wallboard.live.hub import Hub
from wallboard.live.servers import plain


def shows(browser: Browser, version: int) -> bool:
    return browser.documents["desk:101"].get("1") == version


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
