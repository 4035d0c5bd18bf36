"""Frames of several feeds reach a browser in one piece, each feed at its pace, and none is lost on the way."""

import asyncio
import socket as plain
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import cast

import pytest

from tests.live.conftest import until
from wallboard.live import pump as pumps
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
        self.kernel_socket: plain.socket | None = None
        self.far: plain.socket
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
        self.departures = 0

    def next_frame(self) -> tuple[Frame, str]:
        self.number += 1
        return Frame(f"{self.name}{self.number}"), f"{self.name}{self.number - 1}"

    def refused(self, socket: Socket, held: str) -> None:
        self.leave(socket)
        self.left[socket] = held

    def leave(self, socket: Socket) -> None:
        del self.joined[socket]
        self.departures += 1


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


class TestTheKernel:
    """While the server is calm, frames go to the kernel's sockets."""

    @pytest.fixture(autouse=True)
    def calm(self, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
        calm = [True]
        monkeypatch.setattr(pumps, "is_calm", lambda: calm[0])
        return calm

    @pytest.fixture
    def boards(self) -> Iterator[list[Browser]]:
        """More than have their turn together; each reads at `far`."""
        boards = [Browser() for _ in range(SOCKETS_PER_TURN + 2)]
        for board in boards:
            board.kernel_socket, board.far = plain.socketpair()
            board.kernel_socket.setblocking(False)
            board.far.setblocking(False)
        yield boards
        for board in boards:
            assert board.kernel_socket
            board.kernel_socket.close()
            board.far.close()

    async def served(self, *feeds: Feed, until_heard_by: Browser) -> None:
        pump = Pump(0.0)
        for feed in feeds:
            pump.is_due(feed)
        await until(lambda: bool(until_heard_by.pieces or read(until_heard_by)))
        pump.task.cancel()

    async def test_takes_them_and_nobody_else_is_asked(self, boards: list[Browser]) -> None:
        await self.served(Feed("c", *boards), Feed("p", boards[0]), until_heard_by=boards[-1])

        assert read(boards[0]) == Frame("c1").wire + Frame("p1").wire
        assert read(boards[1]) == Frame("c1").wire
        assert [board for board in boards if board.pieces] == []

    async def test_takes_none_while_the_server_is_not_calm(self, boards: list[Browser], calm: list[bool]) -> None:
        calm[0] = False

        await self.served(Feed("c", *boards), until_heard_by=boards[-1])

        assert all(board.pieces == [["c1"]] for board in boards)
        assert not any(read(board) for board in boards)

    async def test_that_is_full_or_gone_or_not_there_leaves_the_long_way(self, boards: list[Browser]) -> None:
        full, gone, elsewhere, *_ = boards
        assert full.kernel_socket
        assert gone.kernel_socket
        with suppress(BlockingIOError):
            while True:
                full.kernel_socket.send(b"x" * 10_000)
        gone.kernel_socket.close()
        kernel_socket, elsewhere.kernel_socket = elsewhere.kernel_socket, None

        await self.served(Feed("c", *boards), until_heard_by=boards[-1])
        elsewhere.kernel_socket = kernel_socket

        assert [each.pieces for each in boards[:4]] == [[["c1"]], [["c1"]], [["c1"]], []]

    async def test_that_takes_a_part_leaves_the_rest_to_the_long_way(self, boards: list[Browser]) -> None:
        feed, text = Feed("c", boards[0]), "x" * 10_000_000
        feed.next_frame = lambda: (Frame(text), "")  # type: ignore[method-assign]
        wires = list[bytes]()
        boards[0].take = lambda frame: not wires.append(frame.wire)  # type: ignore[method-assign,func-returns-value]

        pump = Pump(0.0)
        pump.is_due(feed)
        await until(lambda: bool(wires))
        pump.task.cancel()

        assert read(boards[0]) + wires[0] == Frame(text).wire
        assert len(wires[0]) < len(Frame(text).wire)

    async def test_has_nothing_for_who_left_between_two_turns(self, boards: list[Browser]) -> None:
        feed = Feed("c", *boards)
        asyncio.get_running_loop().call_soon(lambda: asyncio.get_running_loop().call_soon(leave_once))

        def leave_once() -> None:
            if read(boards[0]):
                feed.leave(cast(Socket, boards[-1]))
            else:
                asyncio.get_running_loop().call_soon(leave_once)

        await self.served(feed, until_heard_by=boards[-2])

        assert read(boards[-1]) == b""
        assert boards[-1].pieces == []


def read(browser: Browser) -> bytes:
    """What this browser has got from the kernel since the last time."""
    got = b""
    with suppress(BlockingIOError):
        while piece := browser.far.recv(65_536):
            got += piece
    return got
