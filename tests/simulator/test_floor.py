"""The floor without a wall clock: what callers and people do."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from wallboard.simulator import journeys, life, scenario
from wallboard.simulator.company import Manner, Person, build
from wallboard.simulator.day import Day, Steps
from wallboard.simulator.faults import Faults
from wallboard.simulator.floor import Floor
from wallboard.simulator.legs import Leg
from wallboard.simulator.names import RANGES, WITHHELD, Customer

CALLER = Customer("+442079460012", "Tara Brandt")
EXACT = Manner(
    talk_seconds=60.0,
    wrap_seconds=0.0,
    patience_seconds=30.0,
    answer_seconds=5.0,
    transfer_share=0.0,
    unanswered_share=0.0,
    is_exact=True,
)
Told = list[dict[str, Any]]


class Trial:
    """A small floor at rest, everything it tells, and the time of each telling."""

    def __init__(self, people: int = 4, queues: int = 1, manner: Manner = EXACT, seed: int = 1) -> None:
        self.told: list[tuple[float, dict[str, Any]]] = []
        self.legs: list[Leg] = []
        company = build(Random(seed), people, queues)
        for queue in company.queues:
            queue.manner, queue.strategy = manner, "longest idle"
        self.floor = Floor(company, Random(seed), Day(), self._tell)
        self.queue, self.people = company.queues[0] if queues else None, company.people

    def _tell(self, leg: Leg) -> None:
        self.told.append((self.floor.now, leg.message()["calls"]))
        self.legs.append(leg)

    def go(self, *journeys: Steps, until: float = 10_000) -> None:
        for steps in journeys:
            self.floor.env.process(steps)
        self.floor.env.run(until=until)

    def of(self, user: str | None) -> list[tuple[float, str, str]]:
        """When, from state, to state of the legs that reach this user."""
        return [
            (at, call["from"]["state"], call["to"]["state"]) for at, call in self.told if call["to"]["user"] == user
        ]


def into_queue(trial: Trial, **more: Any) -> Steps:
    assert trial.queue is not None
    return journeys.into_queue(trial.floor, trial.queue, CALLER, **more)


def doing(trial: Trial) -> list[str]:
    return [str(person.doing) for person in trial.people]


def make_busy(trial: Trial, people: list[Person]) -> None:
    for person in people:
        person.start("talking", 0)


def test_a_caller_is_greeted_waits_rings_one_person_and_talks() -> None:
    trial = Trial()

    trial.go(into_queue(trial))

    assert trial.of("4001") == [(0, "progressing", "ringing"), (1, "active", "active"), (6, "active", "ended")]
    assert trial.of("101") == [(1, "active", "ringing"), (6, "active", "active"), (66, "ended", "ended")]
    assert [person.doing for person in trial.people] == ["idle"] * 4


def test_the_person_who_has_been_idle_longest_is_rung() -> None:
    trial = Trial()
    for person, since in zip(trial.people, (0, -10, -30, -20), strict=True):
        person.since = since

    trial.go(into_queue(trial))

    assert {call["to"]["user"] for _, call in trial.told} == {"4001", "103"}


def test_ring_all_ends_the_other_legs_when_one_answers() -> None:
    trial = Trial()
    assert trial.queue is not None
    trial.queue.strategy = "ring all"
    trial.people[1].start("talking", 0)

    trial.go(into_queue(trial))

    assert trial.of("101") == [(1, "active", "ringing"), (6, "active", "active"), (66, "ended", "ended")]
    assert trial.of("102") == []
    assert trial.of("103") == trial.of("104") == [(1, "active", "ringing"), (6, "active", "ended")]
    callers = {call["from"]["call_id"] for _, call in trial.told}
    assert len(callers) == 1
    assert len({call["to"]["call_id"] for _, call in trial.told}) == 4


def test_a_caller_gives_up_when_patience_ends() -> None:
    trial = Trial()
    make_busy(trial, trial.people)

    trial.go(into_queue(trial))

    assert trial.of("4001")[-1] == (31, "ended", "ended")
    assert trial.floor.tally.gave_up == 1


def test_giving_up_while_a_phone_rings_ends_that_leg_too() -> None:
    trial = Trial(people=1, manner=replace(EXACT, answer_seconds=50.0, ring_limit_seconds=60.0))

    trial.go(into_queue(trial))

    assert trial.of("101") == [(1, "active", "ringing"), (31, "ended", "ended")]
    assert trial.people[0].is_free


def test_a_phone_that_nobody_answers_stops_and_the_next_one_rings() -> None:
    trial = Trial(people=2, manner=replace(EXACT, answer_seconds=50.0, ring_limit_seconds=20.0, patience_seconds=100))

    trial.go(into_queue(trial), until=50)

    assert trial.of("101")[:2] == [(1, "active", "ringing"), (21, "active", "ended")]
    assert trial.of("102")[0] == (21, "active", "ringing")


def test_first_come_is_first_served() -> None:
    trial = Trial(people=1)

    def second() -> Steps:
        yield trial.floor.env.timeout(2)
        yield from into_queue(trial)

    assert trial.queue is not None
    trial.queue.manner = replace(EXACT, patience_seconds=1000)
    trial.go(into_queue(trial), second())

    answered = [call["time_start"] for _, call in trial.told if call["to"]["user"] == "101"]
    assert answered == sorted(answered)
    assert trial.of("101")[3] == (66, "active", "ringing")


def test_wrap_up_keeps_a_person_from_the_next_call() -> None:
    trial = Trial(people=1, manner=replace(EXACT, wrap_seconds=40.0))
    trial.go(into_queue(trial), until=67)

    assert doing(trial) == ["wrapping up"]
    assert trial.floor.statistics()[0]["available_agents"] == 0
    trial.floor.env.run(until=2000)
    assert doing(trial) == ["idle"]


def test_a_break_begins_after_the_call_and_nobody_is_rung_on_it() -> None:
    trial = Trial(people=1)
    trial.go(into_queue(trial), until=10)
    trial.floor.pause(trial.people[0])
    assert doing(trial) == ["talking"]

    trial.floor.env.run(until=100)
    assert doing(trial) == ["on a break"]
    trial.go(into_queue(trial), until=120)
    assert [at for at, *_ in trial.of("101") if at > 70] == []

    trial.floor.resume(trial.people[0])
    assert doing(trial) == ["ringing"]


def test_a_transfer_is_a_new_leg_that_names_the_one_before() -> None:
    trial = Trial(manner=replace(EXACT, transfer_share=1.0))

    trial.go(into_queue(trial), until=100)

    people = [call for _, call in trial.told if call["to"]["is_human"]]
    first = people[0]
    second = next(call for call in people if call["by_call_id"])
    assert second["by_call_id"] == first["to"]["call_id"]
    assert second["from"]["call_id"] == first["from"]["call_id"]
    assert second["to"]["user"] != first["to"]["user"]


def test_a_menu_comes_first_and_is_no_human() -> None:
    trial = Trial()

    trial.go(into_queue(trial, by_menu=True))

    menu = trial.told[0][1]
    assert (menu["to"]["user"], menu["to"]["is_human"]) == (None, False)
    assert menu["to"]["id"].startswith("+")
    assert trial.of(None)[-1][1:] == ("active", "ended")
    assert trial.of("4001")[0][0] == trial.of(None)[-1][0]


def test_an_unanswered_direct_call_ends_in_the_voicemail_box() -> None:
    trial = Trial()
    make_busy(trial, trial.people[:1])

    trial.go(journeys.to_person(trial.floor, trial.people[0], CALLER))

    box = [call for _, call in trial.told if call["to"]["is_human"] is False]
    phone = [call for _, call in trial.told if call["to"]["is_human"] is True]
    assert [call["to"]["state"] for call in phone] == ["ringing", "ended"]
    assert [call["to"]["state"] for call in box] == ["ringing", "active", "ended"]
    assert {call["to"]["user"] for call in box} == {"101"}
    assert {call["by_call_id"] for call in box} == {phone[0]["to"]["call_id"]}


def test_an_internal_call_is_on_the_net() -> None:
    trial = Trial()

    trial.go(journeys.between_people(trial.floor, trial.people[0], trial.people[1]))

    assert {call["on_net"] for _, call in trial.told} == {True}
    assert {(call["from"]["user"], call["to"]["user"]) for _, call in trial.told if call["to"]["is_human"]} == {
        ("101", "102")
    }
    assert [person.doing for person in trial.people] == ["idle"] * 4


def test_an_outgoing_call_shows_all_four_states() -> None:
    trial = Trial(seed=2)

    trial.go(journeys.outgoing(trial.floor, trial.people[0], CALLER))

    assert [call["to"]["state"] for _, call in trial.told] == ["progressing", "ringing", "active", "ended"]
    assert {call["from"]["user"] for _, call in trial.told} == {"101"}
    assert {call["to"]["id"] for _, call in trial.told} == {CALLER.number}
    assert {call["on_net"] for _, call in trial.told} == {False}


def living(seed: int, until: float, start_hour: float = 10.0) -> Trial:
    trial = Trial(people=24, queues=6, seed=seed)
    trial.floor.day = Day(start_hour)
    for queue in trial.floor.company.queues:
        queue.manner = Manner()
    life.open_floor(trial.floor)
    trial.floor.env.run(until=until)
    return trial


def without_ids(trial: Trial) -> list[tuple[float, str | None, str | None, str]]:
    return [(at, call["from"]["id"], call["to"]["id"], call["to"]["state"]) for at, call in trial.told]


def test_a_seed_makes_a_run_repeatable() -> None:
    first, second, other = living(5, 1800), living(5, 1800), living(6, 1800)

    assert len(first.told) > 100
    assert without_ids(first) == without_ids(second)
    assert without_ids(first) != without_ids(other)


def test_call_ids_are_new_in_each_run_even_with_the_same_seed() -> None:
    first, second = ({call["from"]["call_id"] for _, call in living(5, 600).told} for _ in range(2))

    assert not first & second


def test_a_living_floor_has_every_kind_of_call() -> None:
    trial = living(5, 4 * 3600)
    calls = [call for _, call in trial.told]

    assert any(call["by_call_id"] for call in calls)
    assert any(call["on_net"] for call in calls)
    assert any(call["from"]["user"] and not call["to"]["user"] for call in calls)
    assert any(call["from"]["id"] is None and call["from"]["name"] == WITHHELD.name for call in calls)
    assert any(str(call["to"]["id"]).startswith("sip:vm-") for call in calls)
    callers = Counter(
        call["from"]["id"] for call in calls if call["to"]["user"] == "4001" and call["to"]["state"] == "ringing"
    )
    assert callers.most_common(1)[0][1] > 1  # somebody calls again
    assert "talking" in doing(trial)


def test_the_hour_of_the_day_decides_how_many_call() -> None:
    at_ten, at_four = (living(5, 3600, hour).floor.tally.calls for hour in (10.0, 4.0))

    assert at_ten > 100
    assert at_four < at_ten / 10


def test_people_go_home_and_come_back() -> None:
    trial = living(5, 9 * 3600.0)
    assert [person.doing for person in trial.people if person.shift_end_hour <= 18] == ["off shift"] * sum(
        person.shift_end_hour <= 18 for person in trial.people
    )

    trial.floor.env.run(until=25 * 3600)
    assert Counter(person.doing for person in trial.people)["off shift"] == 0


@pytest.mark.parametrize("seed", [1, 7, 23])
def test_the_demo_brings_a_queue_into_trouble_and_out_of_it_within_six_minutes(seed: int) -> None:
    trial = Trial(people=24, queues=6, manner=Manner(), seed=seed)
    floor, faults, troubled = trial.floor, Faults(), trial.floor.company.queues[0]
    floor.day = Day(goes_on=False)
    life.open_floor(floor)
    scenario.play(floor, faults, list)
    waiting, longest = [], []
    for second in range(5, 900, 5):
        floor.env.run(until=second)
        entry = floor.statistics()[0]
        waiting.append(entry["calls_waiting"])
        longest.append(entry["max_wait"])

    assert troubled.number == "4001"
    assert max(waiting[:60]) >= 6
    assert max(longest[:60]) >= 60
    assert min(waiting[40:84]) <= 1  # recovered before the next time
    assert max(waiting[84:120]) >= 6  # and again, for whoever comes later
    assert faults.take("stats") is not None


def test_the_demo_calls_those_who_are_signed_in() -> None:
    trial = Trial(people=24, queues=0)
    trial.floor.env.process(scenario.calls_for_viewers(trial.floor, lambda: ["107"]))

    trial.floor.env.run(until=300)

    called = {call["to"]["user"] for _, call in trial.told if call["by_call_id"] is None}
    assert called == {"107"}


def test_waits_of_the_statistics_follow_the_pace() -> None:
    trial = Trial()
    make_busy(trial, trial.people)
    trial.go(into_queue(trial), until=21)

    assert trial.floor.statistics()[0]["max_wait"] == 20
    assert trial.floor.statistics(pace=10)[0]["max_wait"] == 2


@pytest.mark.parametrize("people", [1, 24, 899, 900, 5000])
def test_extensions_and_queue_numbers_never_meet(people: int) -> None:
    company = build(Random(1), people, 300)

    extensions = {person.extension for person in company.people}
    assert len(extensions) == people
    assert not extensions & {queue.number for queue in company.queues}


def test_numbers_of_callers_are_reserved_for_stories() -> None:
    numbers = [customer.number for customer in build(Random(1), 5, 1).customers]

    assert len(set(numbers)) == len(numbers) > 100
    assert all(number and number.startswith(tuple(prefix for prefix, *_ in RANGES)) for number in numbers)
    assert all(number and "55501" in number for number in numbers if number and number.startswith("+1"))
