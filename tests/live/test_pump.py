"""Frames of several feeds reach a browser in one piece, each feed at its pace, and none is lost on the way."""

import asyncio
import time
from collections.abc import Callable
from typing import cast

import pytest

from tests.live.conftest import until
from wallboard.live.frames import Frame
from wallboard.live.pump import SOCKETS_PER_TURN, Pump
from wallboard.live.sockets import Socket

PACE = 0.1


class Browser:
    """Takes pieces, and notes when."""

    def __init__(self) -> None:
        self.pieces: list[list[str]] = []
        self.at: list[float] = []
        self.is_full = False
        self.heard: Callable[[], None] = lambda: None

    def take(self, frame: Frame) -> bool:
        if not self.is_full:
            self.heard()
            self.pieces.append(frame.texts)
            self.at.append(time.monotonic())
        return not self.is_full


class Feed:
    """Counts its frames; keeps who could not take one."""

    def __init__(self, name: str, *browsers: Browser) -> None:
        self.name, self.number, self.sent_at = name, 0, 0.0
        self.joined = {cast(Socket, browser): None for browser in browsers}
        self.left: dict[Socket, str] = {}

    def next_frame(self) -> tuple[Frame, str]:
        self.number += 1
        return Frame(f"{self.name}{self.number}"), f"{self.name}{self.number - 1}"

    def refused(self, socket: Socket, held: str) -> None:
        del self.joined[socket]
        self.left[socket] = held


async def test_feeds_that_change_all_the_time_go_in_step_in_one_piece() -> None:
    board, desk = Browser(), Browser()
    calls, people, pump = Feed("c", board), Feed("p", board, desk), Pump(PACE)
    end = time.monotonic() + 8 * PACE

    while time.monotonic() < end:
        pump.is_due(calls)
        await asyncio.sleep(0.003)
        pump.is_due(people)
        await asyncio.sleep(0.003)
    pump.task.cancel()

    assert board.pieces[:2] == [["c1"], ["p1"]]  # the first change goes at once
    assert all(len(piece) == 2 for piece in board.pieces[3:])
    assert [text for piece in desk.pieces for text in piece] == [f"p{n + 1}" for n in range(people.number)]
    assert calls.number <= 9
    assert min(after - at for at, after in zip(desk.at, desk.at[1:], strict=False)) >= PACE * 0.95


async def test_a_quiet_feed_goes_at_once_while_another_waits_for_its_pace() -> None:
    board, pump = Browser(), Pump(PACE)
    calls, people = Feed("c", board), Feed("p", board)
    pump.is_due(calls)
    await until(lambda: len(board.pieces) == 1)
    pump.is_due(calls)
    await asyncio.sleep(PACE / 4)  # by now the pump rests until calls may go again

    pump.is_due(people)
    await until(lambda: sum(map(len, board.pieces)) == 3)
    pump.task.cancel()

    assert board.pieces == [["c1"], ["p1"], ["c2"]]
    assert board.at[2] - board.at[0] >= PACE * 0.95


async def test_who_takes_nothing_keeps_the_ids_that_it_holds_and_the_others_get_theirs() -> None:
    full, other = Browser(), Browser()
    full.is_full = True
    calls, people, pump = Feed("c", full, other), Feed("p", full, other), Pump(PACE)

    pump.is_due(calls)
    pump.is_due(people)
    await until(lambda: bool(other.pieces))
    pump.task.cancel()

    assert other.pieces == [["c1", "p1"]]
    assert (list(calls.left.values()), list(people.left.values())) == (["c0"], ["p0"])


async def test_a_feed_that_fails_silences_no_other(caplog: pytest.LogCaptureFixture) -> None:
    board = Browser()
    broken, calls, pump = Feed("b", board), Feed("c", board), Pump(PACE)
    broken.next_frame = lambda: 1 / 0  # type: ignore[method-assign,assignment,return-value]

    pump.is_due(broken)
    pump.is_due(calls)
    await until(lambda: "A frame could not be made" in caplog.text)
    await until(lambda: board.pieces == [["c1"]])
    pump.task.cancel()


async def test_what_is_urgent_goes_before_the_rest_of_a_frame_for_many() -> None:
    boards, desks = [Browser() for _ in range(3 * SOCKETS_PER_TURN)], [Browser() for _ in range(2 * SOCKETS_PER_TURN)]
    people, desk, pump, first = Feed("p", *boards), Feed("d", *desks), Pump(PACE), Pump(0.0)
    boards[0].heard = lambda: first.is_due(desk)

    pump.is_due(people)
    await until(lambda: bool(boards[-1].pieces))
    for each in (pump, first):
        each.task.cancel()

    assert sum(browser.at[0] < desks[0].at[0] for browser in boards) == SOCKETS_PER_TURN
    assert desks[-1].at[0] < boards[SOCKETS_PER_TURN].at[0]
