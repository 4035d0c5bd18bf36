"""Browsers that come together are decided about together, and each of them by itself."""

import asyncio
from collections.abc import Sequence

import pytest
from django.db import OperationalError

from accounts.access import Viewer
from tests.live.conftest import until
from wallboard.sockets import deciding
from wallboard.sockets.deciding import Deciding
from wallboard.sockets.socket_access import SIGNED_OUT, Asked, Refused, SocketAccess, SocketRequest

BOARD = SocketRequest("main")


class Looks:
    """Stands for the database: each look waits until it may go on."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.may_answer = asyncio.Event()
        self.broken: Exception | None = None

    async def decide(self, asked: Sequence[Asked]) -> list[SocketAccess | Refused]:
        names = [cookies["sessionid"] for cookies, _ in asked]
        self.asked.append(names)
        await self.may_answer.wait()
        if self.broken is not None:
            raise self.broken
        if "poison" in names:
            raise ValueError("one of these cannot be looked for")
        return [Refused(SIGNED_OUT) if name == "nobody" else SocketAccess(Viewer(1, name), ()) for name in names]


def ask(together: Deciding, *names: str) -> list["asyncio.Task[SocketAccess]"]:
    return [asyncio.create_task(together.access({"sessionid": name}, BOARD)) for name in names]


async def test_who_comes_while_others_are_looked_up_comes_with_the_next_look() -> None:
    looks = Looks()
    together = Deciding(looks.decide)
    tasks = ask(together, "first", "second", "nobody", "third")
    await until(lambda: bool(looks.asked))
    tasks[1].cancel()  # its browser has gone meanwhile

    looks.may_answer.set()
    answers = await asyncio.gather(*tasks, return_exceptions=True)

    assert looks.asked == [["first"], ["second", "nobody", "third"]]
    assert [getattr(each, "viewer", Viewer(0, "")).role for each in answers] == ["first", "", "", "third"]
    assert isinstance(answers[2], Refused)
    assert answers[2].code == SIGNED_OUT


async def test_the_loop_does_other_work_between_a_few_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deciding, "ANSWERED_TOGETHER", 2)
    looks = Looks()
    together = Deciding(looks.decide)
    tasks = ask(together, *map(str, range(9)))
    await until(lambda: bool(looks.asked))

    looks.may_answer.set()
    answered = []
    while not all(task.done() for task in tasks):
        await asyncio.sleep(0)
        answered.append(sum(task.done() for task in tasks))

    assert max(after - before for before, after in zip([0, *answered], answered, strict=False)) <= 2


async def test_nobody_is_kept_out_by_what_somebody_else_sent() -> None:
    looks = Looks()
    looks.may_answer.set()
    tasks = ask(Deciding(looks.decide), "first", "a", "b", "poison", "c")

    answers = await asyncio.gather(*tasks, return_exceptions=True)

    assert [type(each) for each in answers] == [SocketAccess, SocketAccess, SocketAccess, ValueError, SocketAccess]


async def test_a_database_that_is_away_is_not_asked_once_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = Looks()
    looks.may_answer.set()
    looks.broken = OperationalError("away")
    tasks = ask(Deciding(looks.decide), *map(str, range(50)))

    answers = await asyncio.gather(*tasks, return_exceptions=True)

    assert all(isinstance(each, OperationalError) for each in answers)
    assert len(looks.asked) == 2


async def test_a_slow_look_does_not_hold_up_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deciding, "PATIENCE_SECONDS", 0.01)
    monkeypatch.setattr(deciding, "SIDE_BY_SIDE", 2)
    looks = Looks()
    together = Deciding(looks.decide)
    first = ask(together, "first", "second")
    await until(lambda: len(looks.asked) == 2)
    third = ask(together, "third")
    await asyncio.sleep(0.05)

    assert looks.asked == [["first"], ["second"]]
    looks.may_answer.set()
    await asyncio.gather(*first, *third)
    assert looks.asked[2] == ["third"]


async def test_no_look_is_longer_than_the_database_takes_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deciding, "MOST_TOGETHER", 3)
    looks = Looks()
    looks.may_answer.set()
    await asyncio.gather(*ask(Deciding(looks.decide), *map(str, range(8))))

    assert [len(each) for each in looks.asked] == [1, 3, 3, 1]
