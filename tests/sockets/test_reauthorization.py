"""Open sockets are looked at again: at once when told, and within a minute when not."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from accounts.access import Viewer
from accounts.signin.rights import RightsChange
from tests.live.conftest import Browser, until
from wallboard.live import feeds
from wallboard.sockets import reauthorization, socket_access
from wallboard.sockets.reauthorization import Authorization, Reauthorization
from wallboard.sockets.socket_access import AccessRequest, Refused, SocketAccess, SocketRequest

AGENT = SocketAccess(Viewer(1, "agent", 1, "101", 1), (feeds.queues(1), feeds.wall(1)))
SUPERVISOR = SocketAccess(Viewer(1, "supervisor", 1, "101", 1), (feeds.queues(1), feeds.calls(1)))


class Rights:
    """Stands for the database."""

    def __init__(self) -> None:
        self.answers: dict[str, SocketAccess | Exception] = {}
        self.asked: list[str] = []

    async def grant_access(self, cookies: Mapping[str, str], request: AccessRequest) -> SocketAccess:
        self.asked.append(cookies["sessionid"])
        answer = self.answers[cookies["sessionid"]]
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
def rights() -> Rights:
    return Rights()


def watched(reauthorizing: Reauthorization, rights: Rights, session: str, access: SocketAccess = AGENT) -> Browser:
    rights.answers.setdefault(session, access)
    browser = Browser()
    reauthorizing.watch(browser.socket, Authorization((("sessionid", session),), SocketRequest("main"), access))
    return browser


async def test_a_change_that_the_database_tells_ends_those_whom_it_took_something_from(rights: Rights) -> None:
    reauthorizing = Reauthorization(rights.grant_access)
    gone, stays = watched(reauthorizing, rights, "a"), watched(reauthorizing, rights, "b")
    rights.answers["a"] = Refused(socket_access.SIGNED_OUT)

    reauthorizing.recheck([RightsChange(user_id=2), RightsChange(domain_id=2), RightsChange(screen_id=1)])
    reauthorizing.recheck([RightsChange(domain_id=1, limited_only=True)])
    await asyncio.sleep(0.05)
    assert rights.asked == []
    reauthorizing.recheck([RightsChange(user_id=1)])
    await until(lambda: bool(gone.closed))

    assert (gone.closed, stays.closed) == ([4401], [])
    reauthorizing.stop()


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Refused(socket_access.SIGNED_OUT), 4401),
        (Refused(socket_access.FORBIDDEN), 4403),
        (SUPERVISOR, 4409),
        (AGENT, 4409),
        (RuntimeError("no database"), 4409),
    ],
)
async def test_a_socket_whose_rights_are_said_to_have_changed_ends(rights: Rights, answer: Any, code: int) -> None:
    reauthorizing = Reauthorization(rights.grant_access)
    browser, other = watched(reauthorizing, rights, "a"), watched(reauthorizing, rights, "b")
    rights.answers["a"] = answer

    reauthorizing.rights_changed(browser.socket)
    await until(lambda: bool(browser.closed))

    assert (browser.closed, other.closed) == ([code], [])
    reauthorizing.stop()


async def test_without_a_word_the_database_is_looked_at(rights: Rights, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reauthorization, "RECHECK_SECONDS", 0.01)
    reauthorizing = Reauthorization(rights.grant_access)
    ended, changed, fine = [watched(reauthorizing, rights, name) for name in "abc"]
    rights.answers |= {"a": Refused(socket_access.SIGNED_OUT), "b": SUPERVISOR}

    await until(lambda: bool(ended.closed and changed.closed))

    assert (ended.closed[0], changed.closed[0], fine.closed) == (4401, 4409, [])
    reauthorizing.stop()


def test_the_look_comes_within_a_minute() -> None:
    assert reauthorization.RECHECK_SECONDS + reauthorization.RETRY_SECONDS < 60


async def test_a_database_that_is_away_closes_nothing(rights: Rights, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reauthorization, "RECHECK_SECONDS", 0.01)
    monkeypatch.setattr(reauthorization, "RETRY_SECONDS", 0.01)
    reauthorizing = Reauthorization(rights.grant_access)
    browser = watched(reauthorizing, rights, "a")
    rights.answers["a"] = RuntimeError("no database")

    await until(lambda: len(rights.asked) >= 2)

    assert browser.closed == []
    reauthorizing.stop()


async def test_tabs_of_one_browser_are_looked_at_together(rights: Rights, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reauthorization, "RECHECK_SECONDS", 0.01)
    reauthorizing = Reauthorization(rights.grant_access)
    tabs = [watched(reauthorizing, rights, "a") for _ in range(20)]
    await asyncio.sleep(0)
    rights.answers["a"] = Refused(socket_access.SIGNED_OUT)

    await until(lambda: all(tab.closed for tab in tabs))

    assert len(rights.asked) == 1
    reauthorizing.stop()


async def test_what_is_gone_is_forgotten(rights: Rights) -> None:
    reauthorizing = Reauthorization(rights.grant_access)
    browsers = [watched(reauthorizing, rights, "a") for _ in range(3)]

    for browser in browsers:
        reauthorizing.forget(browser.socket)
        reauthorizing.forget(browser.socket)

    assert (reauthorizing._sockets_by_authorization, reauthorizing._due, reauthorizing._authorizations) == ({}, {}, {})
    reauthorizing.stop()
