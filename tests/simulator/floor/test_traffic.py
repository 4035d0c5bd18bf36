"""A living floor without a wall clock: who calls when, breaks and shifts, the demo's morning, the company itself."""

from collections import Counter
from random import Random

import pytest

from tests.simulator.floor.small_floor import SmallFloor, activities
from wallboard.simulator.floor import demo_scenario, traffic
from wallboard.simulator.floor.company import CallProfile, build
from wallboard.simulator.floor.day import Day
from wallboard.simulator.floor.names import FICTIONAL_RANGES, WITHHELD
from wallboard.simulator.messages.queue_statistics import QueueStatistics


def living(seed: int, until: float, start_hour: float = 10.0) -> SmallFloor:
    small = SmallFloor(people=24, queues=6, seed=seed)
    small.floor.day = Day(start_hour)
    for queue in small.floor.company.queues:
        queue.profile = CallProfile()
    traffic.start(small.floor)
    small.floor.env.run(until=until)
    return small


def without_ids(small: SmallFloor) -> list[tuple[float, str | None, str | None, str]]:
    return [(at, call["from"]["id"], call["to"]["id"], call["to"]["state"]) for at, call in small.messages]


def test_a_seed_makes_a_run_repeatable() -> None:
    first, second, other = living(5, 1800), living(5, 1800), living(6, 1800)

    assert len(first.messages) > 100
    assert without_ids(first) == without_ids(second)
    assert without_ids(first) != without_ids(other)


def test_call_ids_are_new_in_each_run_even_with_the_same_seed() -> None:
    first, second = ({call["from"]["call_id"] for _, call in living(5, 600).messages} for _ in range(2))

    assert not first & second


def test_a_living_floor_has_every_kind_of_call() -> None:
    small = living(5, 4 * 3600)
    calls = [call for _, call in small.messages]

    assert any(call["by_call_id"] for call in calls)
    assert any(call["on_net"] for call in calls)
    assert any(call["from"]["user"] and not call["to"]["user"] for call in calls)
    assert any(call["from"]["id"] is None and call["from"]["name"] == WITHHELD.name for call in calls)
    assert any(str(call["to"]["id"]).startswith("sip:vm-") for call in calls)
    callers = Counter(
        call["from"]["id"] for call in calls if call["to"]["user"] == "4001" and call["to"]["state"] == "ringing"
    )
    assert callers.most_common(1)[0][1] > 1  # somebody calls again
    assert "talking" in activities(small)


def test_the_hour_of_the_day_decides_how_many_call() -> None:
    at_ten, at_four = (living(5, 3600, hour).floor.truth.calls for hour in (10.0, 4.0))

    assert at_ten > 100
    assert at_four < at_ten / 10


def test_people_go_home_and_come_back() -> None:
    small = living(5, 9 * 3600.0)
    assert [person.activity for person in small.people if person.shift_end_hour <= 18] == ["off shift"] * sum(
        person.shift_end_hour <= 18 for person in small.people
    )

    small.floor.env.run(until=25 * 3600)
    assert Counter(person.activity for person in small.people)["off shift"] == 0


@pytest.mark.parametrize("seed", [1, 7, 23])
def test_the_demo_overloads_a_queue_and_lets_it_recover_within_six_minutes(seed: int) -> None:
    small = SmallFloor(people=24, queues=6, profile=CallProfile(), seed=seed)
    floor, overloaded = small.floor, small.floor.company.queues[0]
    outages: list[float] = []
    statistics = QueueStatistics(floor)
    floor.day = Day(stays=True)
    traffic.start(floor)
    demo_scenario.start(floor, outages.append, list)
    waiting, longest = [], []
    for second in range(5, 900, 5):
        floor.env.run(until=second)
        entry = statistics.entries()[0]
        waiting.append(entry["calls_waiting"])
        longest.append(entry["max_wait"])

    assert overloaded.number == "4001"
    assert max(waiting[:60]) >= 6
    assert max(longest[:60]) >= 60
    assert min(waiting[40:84]) <= 1  # recovered before the next time
    assert max(waiting[84:120]) >= 6  # and again, for whoever comes later
    assert outages == [30.0]


def test_the_demo_calls_those_who_are_signed_in() -> None:
    small = SmallFloor(people=24, queues=0)
    small.floor.env.process(demo_scenario.calls_to_signed_in(small.floor, lambda: ["107"]))

    small.floor.env.run(until=300)

    called = {call["to"]["user"] for _, call in small.messages if call["by_call_id"] is None}
    assert called == {"107"}


@pytest.mark.parametrize("people", [1, 24, 899, 900, 5000])
def test_extensions_and_queue_numbers_never_meet(people: int) -> None:
    company = build(Random(1), people, 300)

    extensions = {person.extension for person in company.people}
    assert len(extensions) == people
    assert not extensions & {queue.number for queue in company.queues}


def test_numbers_of_callers_are_reserved_for_stories() -> None:
    numbers = [customer.number for customer in build(Random(1), 5, 1).customers]

    assert len(set(numbers)) == len(numbers) > 100
    assert all(number and number.startswith(tuple(prefix for prefix, *_ in FICTIONAL_RANGES)) for number in numbers)
    assert all(number and "55501" in number for number in numbers if number and number.startswith("+1"))
