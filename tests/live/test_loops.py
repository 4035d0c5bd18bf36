"""Loops go on after a fault, slower while faults go on, and end when they are told to."""

import asyncio
import threading
import time
from collections.abc import Iterator
from itertools import pairwise

import pytest

from tests.live.conftest import until
from wallboard.live import loops
from wallboard.live.loops import EndLoop


class Steps:
    """Fails as often as it is told to, then works, and ends at last; notes when each step was taken."""

    def __init__(self, failing: int, working: int = 1) -> None:
        self.failing, self.working = failing, working
        self.at: list[float] = []

    def __call__(self) -> None:
        self.at.append(time.monotonic())
        if len(self.at) <= self.failing:
            raise RuntimeError("nobody thought of this")
        if len(self.at) > self.failing + self.working:
            raise EndLoop

    async def later(self) -> None:
        self()

    @property
    def pauses(self) -> list[float]:
        return [after - before for before, after in pairwise(self.at)]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(loops, "FIRST_PAUSE_SECONDS", 0.02)
    monkeypatch.setattr(loops, "LONGEST_PAUSE_SECONDS", 0.08)
    monkeypatch.setattr(loops, "_faults", {})
    return iter([None])


def test_a_thread_goes_on_after_faults_and_ends_when_a_step_says_so(caplog: pytest.LogCaptureFixture) -> None:
    steps = Steps(failing=4)

    loops.forever("some_loop", steps)

    assert len(steps.at) == 6
    assert [pause >= least for pause, least in zip(steps.pauses, [0.02, 0.04, 0.08, 0.08], strict=False)] == [True] * 4
    assert loops.faults() == {"some_loop": 4}
    assert len(caplog.records) == 4
    assert all(record.exc_info and "nobody thought of this" in str(record.exc_info[1]) for record in caplog.records)


async def test_a_task_goes_on_after_faults_and_ends_when_a_step_says_so() -> None:
    steps = Steps(failing=4)

    await loops.forever_async("some_loop", steps.later)

    assert (len(steps.at), loops.faults()) == (6, {"some_loop": 4})
    assert steps.pauses[0] < steps.pauses[2]


def test_after_a_step_that_works_pauses_are_short_again() -> None:
    taken: list[float] = []

    def step() -> None:
        taken.append(time.monotonic())
        if len(taken) > 6:
            raise EndLoop
        if len(taken) != 5:
            raise RuntimeError

    loops.forever("some_loop", step)
    pauses = [after - before for before, after in pairwise(taken)]

    assert pauses[3] >= 0.08
    assert pauses[5] < 0.08


async def test_a_cancelled_task_ends_at_work_and_in_its_pause() -> None:
    at_work = asyncio.create_task(loops.forever_async("at_work", lambda: asyncio.sleep(60)))
    failing = asyncio.create_task(loops.forever_async("failing", Steps(failing=10**6).later))
    await until(lambda: loops.faults().get("failing", 0) > 1)

    for task in (at_work, failing):
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


@pytest.mark.parametrize("ending", [KeyboardInterrupt, SystemExit])
def test_what_ends_a_process_ends_its_loops(ending: type[BaseException]) -> None:
    def step() -> None:
        raise ending

    with pytest.raises(ending):
        loops.forever("some_loop", step)


def test_a_loop_counts_from_its_start_and_threads_end_with_the_process() -> None:
    may_end = threading.Event()

    def step() -> None:
        if may_end.wait(0.01):
            raise EndLoop

    thread = loops.start_thread("some_loop", step)
    before = loops.faults()
    may_end.set()
    thread.join(5)

    assert before == {"some_loop": 0}
    assert (thread.daemon, thread.name, thread.is_alive()) == (True, "some_loop", False)
