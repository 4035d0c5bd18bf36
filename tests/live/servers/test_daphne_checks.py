"""Every connection is looked at once in a round, a few at a time, whatever becomes of the others."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from wallboard.live.servers import daphne_checks


class Connection:
    """Counts how often it was looked at."""

    def __init__(self) -> None:
        self.looks = 0

    def check_timeouts(self) -> None:
        self.looks += 1


class Clock:
    """Has what was planned happen, in its order."""

    def __init__(self) -> None:
        self.planned: list[tuple[float, Callable[[], None]]] = []

    def call_later(self, seconds: float, act: Callable[[], None]) -> None:
        self.planned.append((seconds, act))

    def go_on(self) -> float:
        seconds, act = self.planned.pop(0)
        act()
        return seconds


def begun(*connections: Connection) -> tuple[SimpleNamespace, Clock]:
    clock = Clock()
    server = SimpleNamespace(connections=dict.fromkeys(connections))
    check = daphne_checks.in_steps(clock.call_later)
    server.timeout_checker = lambda: check(server)
    server.timeout_checker()
    return server, clock


def test_each_is_looked_at_once_a_round_and_few_at_a_time() -> None:
    connections = [Connection() for _ in range(1003)]
    _server, clock = begun(*connections)
    looked = [sum(each.looks for each in connections)]
    took = 0.0

    while len(looked) < daphne_checks.STEPS:
        took += clock.go_on()
        looked.append(sum(each.looks for each in connections))

    assert {each.looks for each in connections} == {1}
    assert max(after - before for before, after in zip([0, *looked], looked, strict=False)) == 51
    assert took + clock.planned[0][0] == pytest.approx(daphne_checks.ROUND_SECONDS)


def test_the_next_round_has_who_came_and_not_who_left() -> None:
    stays, leaves, comes = Connection(), Connection(), Connection()
    server, clock = begun(stays, leaves)
    del server.connections[leaves]
    server.connections[comes] = None

    for _ in range(daphne_checks.STEPS):
        clock.go_on()
    clock.go_on()

    assert (stays.looks, leaves.looks, comes.looks) == (2, 0, 1)


def test_a_fault_with_one_leaves_none_without_its_look() -> None:
    broken, others = Connection(), [Connection() for _ in range(3 * daphne_checks.STEPS)]
    broken.check_timeouts = lambda: 1 / 0  # type: ignore[method-assign,assignment]
    _server, clock = begun(broken, *others)

    for _ in range(daphne_checks.STEPS):
        clock.go_on()

    assert all(each.looks for each in others)
