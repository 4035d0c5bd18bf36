"""The figures of the queues in other dialects."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.simulator.conftest import Provider
from tests.simulator.dialect.runs import payloads, stream
from tests.simulator.floor.small_floor import SmallFloor
from wallboard.simulator.dialect import changes
from wallboard.simulator.floor.company import Activity
from wallboard.simulator.messages.queue_statistics import QueueStatistics
from wallboard.simulator.stream import Stream

ACTIVITIES: list[Activity] = ["idle", "idle", "idle", "ringing", "ringing", "talking", "on a break", "off shift"]


def polled(**dialect: Any) -> list[list[dict[str, Any]]]:
    return payloads("statistics", **dialect)


@pytest.mark.parametrize(("unit", "per_second"), [("ms", 1000.0), ("min", 1 / 60)])
def test_wait_unit(unit: str, per_second: float) -> None:
    seconds, other = polled(), polled(wait_unit=unit)

    for before, after in zip(seconds, other, strict=True):
        for entry, in_unit in zip(before, after, strict=True):
            assert entry["max_wait"] <= in_unit["max_wait"] / per_second + 1 / per_second
            assert in_unit["max_wait"] <= (entry["max_wait"] + 1) * per_second
            assert (entry["calls_waiting"], entry["queue"]) == (in_unit["calls_waiting"], in_unit["queue"])
    assert max(entry["max_wait"] for each in other for entry in each) >= 30 * per_second


def waits_until_end(run: Stream, seconds: float, queue: str) -> list[float]:
    """By the ground truth, the waits of those who left the queue in the last so many seconds."""
    truth = run.ground_truth()
    since = datetime.fromisoformat(truth["now"]) - timedelta(seconds=seconds)
    calls = next(each["calls"] for each in truth["queues"] if each["queue"] == queue)
    ended = [call for call in calls if call["outcome"] != "waiting"]
    return [
        call["wait_seconds"]
        for call in ended
        if datetime.fromisoformat(call["offered_at"]) + timedelta(seconds=call["wait_seconds"]) >= since
    ]


@pytest.mark.parametrize(("scope", "seconds"), [("period", 300.0), ("day", 36_000.0 + 1200)])
def test_avg_wait_of_and_max_wait_of_a_time(scope: str, seconds: float) -> None:
    run = stream(avg_wait_of=scope, max_wait_of=scope, wait_period_minutes=5)
    last = [item.payload for item in run.run(1200) if item.kind == "statistics"][-1]

    for entry in last:
        waits = waits_until_end(run, seconds, entry["queue"])
        assert entry["max_wait"] == int(max(waits, default=0))
        assert entry["avg_wait"] == int(sum(waits) / len(waits) if waits else 0)
    assert sum(entry["avg_wait"] for entry in last) > 0


def test_avg_wait_of_the_day_stands_beside_max_wait_of_now() -> None:
    now, mixed = polled()[-1], polled(avg_wait_of="day")[-1]

    assert [entry["max_wait"] for entry in mixed] == [entry["max_wait"] for entry in now]
    assert [entry["avg_wait"] for entry in mixed] != [entry["avg_wait"] for entry in now]


@pytest.mark.parametrize(
    ("switches", "figures"),
    [
        ({}, (8, 5, 3)),
        ({"available_agents": "idle"}, (8, 3, 5)),
        ({"available_agents": "signed_in"}, (8, 6, 2)),
        ({"signed_off_agents": "uncounted"}, (8, 5, 1)),
        ({"signed_off_agents": "excluded"}, (6, 5, 1)),
        ({"available_agents": "signed_in", "signed_off_agents": "excluded"}, (6, 6, 0)),
    ],
)
def test_available_agents_and_signed_off_agents(switches: dict[str, str], figures: tuple[int, int, int]) -> None:
    small = SmallFloor(people=len(ACTIVITIES))
    for person, activity in zip(small.people, ACTIVITIES, strict=True):
        person.start(activity, 0)
    changes.apply(small.floor.dialect, switches)

    [entry] = QueueStatistics(small.floor).entries()

    assert (entry["num_agents"], entry["available_agents"], entry["unavailable_agents"]) == figures


def test_statistics_lag_seconds() -> None:
    at_once, late = polled(), polled(statistics_lag_seconds=10)

    assert at_once[10] != at_once[12]
    assert late[2:40] == at_once[0:38]


def test_statistics_lag_seconds_can_be_switched_off_again() -> None:
    run = stream(statistics_lag_seconds=60)
    list(run.run(300))
    run.dialect.statistics_lag_seconds = 0

    entries = [item.payload for item in run.run(300) if item.kind == "statistics"]

    assert entries == polled()[-len(entries) :]


@pytest.mark.flow
def test_statistics_status_and_queue_id_type(provider: Provider) -> None:
    provider.dialect(statistics_status="201", queue_id_type="integer")

    answer = provider.stats(provider.company_token())

    assert answer.status_code == 201
    assert [entry["queue"] for entry in answer.json()] == [4001, 4002, 4003]
