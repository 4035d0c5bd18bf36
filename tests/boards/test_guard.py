"""Open sockets are looked at again: at once when told, and within a minute when not."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from accounts.access import Viewer
from tests.live.conftest import Browser, until
from wallboard.boards import guard, seats
from wallboard.boards.guard import Claim, Guard
from wallboard.boards.seats import Refused, Seat, Wish
from wallboard.live import feeds

AGENT = Seat(Viewer(1, "agent", 1, "101", 1), (feeds.queues(1), feeds.wall(1)))
SUPERVISOR = Seat(Viewer(1, "supervisor", 1, "101", 1), (feeds.queues(1), feeds.calls(1)))


class Rights:
    """Stands for the database."""

    def __init__(self) -> None:
        self.answers: dict[str, Seat | Exception] = {}
        self.asked: list[str] = []

    async def decide(self, cookies: Mapping[str, str], wish: Wish) -> Seat:
        self.asked.append(cookies["sessionid"])
        answer = self.answers[cookies["sessionid"]]
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
def rights() -> Rights:
    return Rights()


def watched(guarding: Guard, rights: Rights, session: str, seat: Seat = AGENT) -> Browser:
    rights.answers.setdefault(session, seat)
    browser = Browser()
    guarding.watch(browser.socket, Claim((("sessionid", session),), Wish("main"), seat))
    return browser


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Refused(seats.SIGNED_OUT), 4401),
        (Refused(seats.FORBIDDEN), 4403),
        (SUPERVISOR, 4409),
        (AGENT, 4409),
        (RuntimeError("no database"), 4409),
    ],
)
async def test_a_socket_whose_rights_are_said_to_have_changed_ends(rights: Rights, answer: Any, code: int) -> None:
    guarding = Guard(rights.decide)
    browser, other = watched(guarding, rights, "a"), watched(guarding, rights, "b")
    rights.answers["a"] = answer

    guarding.rights_changed(browser.socket)
    await until(lambda: bool(browser.closed))

    assert (browser.closed, other.closed) == ([code], [])
    guarding.stop()


async def test_without_a_word_the_database_is_looked_at(rights: Rights, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "LOOK_SECONDS", 0.01)
    guarding = Guard(rights.decide)
    ended, changed, fine = [watched(guarding, rights, name) for name in "abc"]
    rights.answers |= {"a": Refused(seats.SIGNED_OUT), "b": SUPERVISOR}

    await until(lambda: bool(ended.closed and changed.closed))

    assert (ended.closed[0], changed.closed[0], fine.closed) == (4401, 4409, [])
    guarding.stop()


def test_the_look_comes_within_a_minute() -> None:
    assert guard.LOOK_SECONDS + guard.RETRY_SECONDS < 60


async def test_a_database_that_is_away_closes_nothing(rights: Rights, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(guard, "RETRY_SECONDS", 0.01)
    guarding = Guard(rights.decide)
    browser = watched(guarding, rights, "a")
    rights.answers["a"] = RuntimeError("no database")

    await until(lambda: len(rights.asked) >= 2)

    assert browser.closed == []
    guarding.stop()


async def test_tabs_of_one_browser_are_looked_at_together(rights: Rights, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "LOOK_SECONDS", 0.01)
    guarding = Guard(rights.decide)
    tabs = [watched(guarding, rights, "a") for _ in range(20)]
    await asyncio.sleep(0)
    rights.answers["a"] = Refused(seats.SIGNED_OUT)

    await until(lambda: all(tab.closed for tab in tabs))

    assert len(rights.asked) == 1
    guarding.stop()


async def test_what_is_gone_is_forgotten(rights: Rights) -> None:
    guarding = Guard(rights.decide)
    browsers = [watched(guarding, rights, "a") for _ in range(3)]

    for browser in browsers:
        guarding.forget(browser.socket)
        guarding.forget(browser.socket)

    assert (guarding._claims, guarding._due, guarding._claim_of) == ({}, {}, {})
    guarding.stop()
