"""Runs without HTTP: repeatable, quick, and the same payloads that the service posts and answers."""

import time
from datetime import UTC, datetime
from itertools import pairwise

from tests.simulator.dialect.runs import stream
from wallboard.simulator.options import Options
from wallboard.simulator.stream import Stream

HALF_HOUR = 1800.0


def test_a_seed_makes_a_run_repeatable_to_the_letter() -> None:
    first, second, other = (list(Stream(Options(seed=seed, scenario="demo")).run(HALF_HOUR)) for seed in (5, 5, 6))

    assert len(first) > 1000
    assert first == second
    assert first != other
    assert not {item.payload["calls"]["from"]["call_id"] for item in first if item.kind == "calls"} & {
        item.payload["calls"]["from"]["call_id"] for item in other if item.kind == "calls"
    }


def test_without_a_seed_no_two_runs_are_the_same() -> None:
    first, second = (list(Stream(Options(scenario="demo")).run(60)) for _ in "12")

    assert first != second


def test_half_an_hour_of_the_demo_takes_well_under_a_second() -> None:
    began = time.process_time()

    list(stream().run(HALF_HOUR))

    assert time.process_time() - began < 0.8


def test_items_come_in_order_and_polls_on_time() -> None:
    run = Stream(Options(seed=5, scenario="demo"), poll_seconds=10)
    items = list(run.run(200))

    assert all(before.seconds <= after.seconds for before, after in pairwise(items))
    assert [item.seconds for item in items if item.kind == "statistics"] == [10.0 * n for n in range(1, 21)]
    assert run.seconds == 200
    more = list(run.run(5))
    assert run.seconds == 205
    assert all(200 < item.seconds <= 205 for item in more)


def test_the_demos_outage_of_the_statistics_is_a_gap() -> None:
    polls = [item.seconds for item in stream().run(300) if item.kind == "statistics"]

    assert [seconds for seconds in polls if 210 <= seconds < 240] == []
    assert {205.0, 240.0} <= set(polls)


def test_times_of_messages_are_those_of_the_run() -> None:
    run = Stream(Options(seed=5), starts_at=datetime(2026, 3, 29, 0, 30, tzinfo=UTC))
    first = next(item for item in run.run(600) if item.kind == "calls")

    assert run.moment(first).strftime("%Y-%m-%d %H:%M:%S") == first.payload["calls"]["time_start"]
    assert run.ground_truth()["now"].startswith("2026-03-29T00:")


def test_speed_makes_the_run_shorter_for_the_clients() -> None:
    slow, fast = (Stream(Options(seed=5, scenario="demo", speed=speed)) for speed in (1.0, 10.0))
    for run, seconds in ((slow, 600), (fast, 60)):
        list(run.run(seconds))

    assert fast.ground_truth()["calls"] == slow.ground_truth()["calls"]
    assert fast.ground_truth()["now"].startswith("2026-01-05T10:01:00")
