"""The floor without a wall clock: the way of each kind of call."""

from dataclasses import replace

from tests.simulator.small_floor import CALLER, EXACT, Trial, doing, into_queue, make_busy
from wallboard.simulator import journeys
from wallboard.simulator.day import Steps


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


def test_waits_of_the_statistics_follow_the_pace() -> None:
    trial = Trial()
    make_busy(trial, trial.people)
    trial.go(into_queue(trial), until=21)

    assert trial.floor.statistics()[0]["max_wait"] == 20
    assert trial.floor.statistics(pace=10)[0]["max_wait"] == 2
