"""Who comes within a moment of the first is taken along; what breaks off leaves nobody waiting."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from accounts.spreading.together import Together

Doubled = Together[int, int]


def asked(together: Doubled, items: Sequence[int]) -> list[int | None]:
    """What each of these is answered, all asked at the same time."""
    start = threading.Barrier(len(items))

    def ask(item: int) -> int | None:
        start.wait()
        return together.ask(item)

    with ThreadPoolExecutor(len(items)) as threads:
        return list(threads.map(ask, items))


def doubling(seen: list[list[int]]) -> Callable[[Sequence[int]], list[int | None]]:
    def work(items: Sequence[int]) -> list[int | None]:
        seen.append(sorted(items))
        return [None if each == 3 else 2 * each for each in items]

    return work


def test_all_that_come_at_once_are_answered_by_one_piece_of_work() -> None:
    seen: list[list[int]] = []
    together = Doubled(doubling(seen), 0.5)

    assert asked(together, [1, 2, 3, 4]) == [2, 4, None, 8]
    assert seen == [[1, 2, 3, 4]]
    assert asked(together, [5, 6]) == [10, 12]


def test_one_that_is_alone_goes_its_own_way() -> None:
    seen: list[list[int]] = []

    assert Doubled(doubling(seen), 0.01).ask(1) is None
    assert seen == []


def test_what_breaks_off_leaves_nobody_waiting(caplog: pytest.LogCaptureFixture) -> None:
    def work(items: Sequence[int]) -> list[int | None]:
        raise ZeroDivisionError

    assert asked(Doubled(work, 0.5), [1, 2, 3]) == [None, None, None]
    assert [each.getMessage() for each in caplog.records] == [
        "3 together failed (ZeroDivisionError); each goes on by itself"
    ]
    caplog.clear()


def test_who_comes_while_others_are_worked_for_does_not_wait_for_them() -> None:
    hangs = threading.Event()

    def work(items: Sequence[int]) -> list[int | None]:
        if 1 in items:
            hangs.wait(10)
        return list(items)

    together = Doubled(work, 0.2)
    with ThreadPoolExecutor(4) as threads:
        slow = [threads.submit(together.ask, each) for each in (1, 2)]
        time.sleep(0.5)
        assert asked(together, [3, 4]) == [3, 4]
        assert not any(each.done() for each in slow)
        hangs.set()
        assert [each.result() for each in slow] == [1, 2]
