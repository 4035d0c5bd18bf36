"""What benchmarks work out from what they saw; the seeing itself needs a quiet machine."""

from itertools import count

import pytest

from bench import freshness, growth, results
from bench.freshness import Freshness
from bench.growth import Cost
from bench.traffic import call_id, life_of


@pytest.fixture
def moments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock is a second after the one before, the first at second 1."""
    seconds = count(1)
    monkeypatch.setattr(freshness, "perf_counter", lambda: float(next(seconds)))


def shows(call: int, state: str) -> dict[str, object]:
    return {"set": {str(call): {"call": call_id(call, "run"), "state": state}}, "del": []}


@pytest.mark.usefixtures("moments")
def test_an_event_is_fresh_when_the_last_board_shows_it() -> None:
    fresh = Freshness(at_once=2)
    fresh.understand("1", {}, shows(0, "ringing"))
    fresh.understand("2", {}, shows(1, "ringing"))

    fresh.hear(7, "1")
    fresh.hear(8, "1")  # at second 2: the last one there
    fresh.hear(7, "2")
    fresh.hear(8, "2")  # at second 4

    assert fresh.milliseconds([0.5, 1.5]) == [1500.0, 2500.0]


@pytest.mark.usefixtures("moments")
def test_a_board_that_comes_to_a_later_entry_shows_all_before_it() -> None:
    fresh, held = Freshness(at_once=2), {"0": {"call": call_id(0, "run")}}
    fresh.understand("1", {}, shows(0, "talking"))
    fresh.understand("2", held, {"set": {}, "del": ["0", "unknown"]})

    fresh.hear(7, "1")
    fresh.hear(7, "2")  # at second 2

    # Numbers 0, 2 and 4 are the call's ringing, its answer and its end; 1 and 3 another's, which nobody saw.
    assert [life_of(number, 2) for number in (0, 2, 4)] == [(0, "ringing"), (0, "active"), (0, "ended")]
    assert fresh.milliseconds([0.0] * 5) == [1000.0, 1000.0, 2000.0]
    assert fresh.milliseconds([0.0]) == [1000.0]  # what is not known to have been sent is not counted


def test_growth_compares_the_largest_with_the_smallest() -> None:
    found = [Cost(event=2.0, opening=0.0), Cost(event=3.0, opening=1.0), Cost(event=5.0, opening=1.0)]

    event, opening = growth.lines("queues", (10, 100, 500), found, foreign=0.01)

    assert (event.what, event.ratio) == ("growth: CPU per call event, 10 / 100 / 500 queues", "2.5x")
    assert opening.ratio == "-"  # nothing cannot be compared with


@pytest.mark.parametrize(
    ("measured", "floor", "verdict"),
    [(9.0, 8.0, "reached"), (12.0, 8.0, "MISSED"), (12.0, None, "MISSED"), (12.0, 11.0, "beyond floor")],
)
def test_a_goal_that_even_the_floor_misses_lies_beyond_it(measured: float, floor: float | None, verdict: str) -> None:
    line = results.bounded("a figure", measured, "ms", at_most=10.0, floor=floor)

    assert line.verdict == verdict
    assert results.status([line]) == (verdict == "MISSED")


def test_a_ratio_has_its_floor_as_a_ratio() -> None:
    line = results.compared("a figure", 30.0, 1.0, "/s", at_least=60.0, floor=50.0)

    assert (line.verdict, line.floor, line.goal) == ("beyond floor", "50.00x", ">= 60x")
