"""What is due together begins together: one thread after the other would spread it out."""

import threading
import time
from collections.abc import Iterator

import pytest

from accounts.spreading.runner import TOGETHER_SECONDS, Job, Outcome, Runner
from wallboard.demo.processes import wait_until


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch) -> Iterator[Runner]:
    """The places of a worker, for as long as the test lasts."""
    fresh = Runner("test", 8)
    monkeypatch.setattr(Runner, "is_worker", True)
    yield fresh
    monkeypatch.setattr(Runner, "is_ending", True)
    fresh.drain(time.monotonic() + 5)


def test_for_all_that_is_due_at_once_threads_are_called_together(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, called, notify = list[int](), list[int](), runner._wake.notify

    def counted(threads: int = 1) -> None:
        called.append(threads)
        notify(threads)

    def job(number: int) -> Job:
        return Job(number, lambda: done.append(number) or Outcome())  # type: ignore[func-returns-value]

    monkeypatch.setattr(runner._wake, "notify", counted)
    with runner._wake:  # whoever watches the clock gets to see it when all of them are due
        for number in range(4):
            runner.plan(job(number), 0.1)
        time.sleep(0.2)

    assert wait_until(lambda: len(done) == 4, 10)
    assert 3 in called, "each thread called but one other"


def test_what_was_planned_in_one_loop_begins_together(runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)

    with runner._wake:
        for seconds in (0, TOGETHER_SECONDS / 2, TOGETHER_SECONDS * 2):
            runner._add(Job(seconds, Outcome), now + seconds)
        runner._take_due()

    assert [job.key for _, _, job in runner._timed] == [TOGETHER_SECONDS * 2]


def test_nothing_begins_before_its_time(runner: Runner) -> None:
    began, is_done = list[float](), threading.Event()

    def work() -> Outcome:
        began.append(time.monotonic())
        is_done.set()
        return Outcome()

    planned_at = time.monotonic()
    runner.plan(Job("one", work), 0.1)

    assert is_done.wait(10)
    assert began[0] - planned_at >= 0.1
