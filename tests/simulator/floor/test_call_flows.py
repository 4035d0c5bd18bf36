"""The floor without a wall clock: the course of each kind of call."""

from dataclasses import replace

from tests.simulator.floor.small_floor import CALLER, EXACT, SmallFloor, activities, make_busy, queue_call
from wallboard.simulator.floor import call_flows
from wallboard.simulator.messages.queue_statistics import QueueStatistics
from wallboard.simulator.types import Process


def test_a_caller_is_greeted_waits_rings_one_person_and_talks() -> None:
    small = SmallFloor()

    small.run(queue_call(small))

    assert small.of("4001") == [(0, "progressing", "ringing"), (1, "active", "active"), (6, "active", "ended")]
    assert small.of("101") == [(1, "active", "ringing"), (6, "active", "active"), (66, "ended", "ended")]
    assert [person.activity for person in small.people] == ["idle"] * 4


def test_the_person_who_has_been_idle_longest_is_rung() -> None:
    small = SmallFloor()
    for person, since in zip(small.people, (0, -10, -30, -20), strict=True):
        person.since = since

    small.run(queue_call(small))

    assert {call["to"]["user"] for _, call in small.messages} == {"4001", "103"}


def test_ring_all_ends_the_other_legs_when_one_answers() -> None:
    small = SmallFloor()
    assert small.queue is not None
    small.queue.strategy = "ring all"
    small.people[1].start("talking", 0)

    small.run(queue_call(small))

    assert small.of("101") == [(1, "active", "ringing"), (6, "active", "active"), (66, "ended", "ended")]
    assert small.of("102") == []
    assert small.of("103") == small.of("104") == [(1, "active", "ringing"), (6, "active", "ended")]
    callers = {call["from"]["call_id"] for _, call in small.messages}
    assert len(callers) == 1
    assert len({call["to"]["call_id"] for _, call in small.messages}) == 4


def test_a_caller_gives_up_when_patience_ends() -> None:
    small = SmallFloor()
    make_busy(small.people)

    small.run(queue_call(small))

    assert small.of("4001")[-1] == (31, "ended", "ended")
    assert small.floor.truth.total("abandoned") == 1


def test_giving_up_while_a_phone_rings_ends_that_leg_too() -> None:
    small = SmallFloor(people=1, profile=replace(EXACT, answer_seconds=50.0, ring_limit_seconds=60.0))

    small.run(queue_call(small))

    assert small.of("101") == [(1, "active", "ringing"), (31, "ended", "ended")]
    assert small.people[0].is_free


def test_a_phone_that_nobody_answers_stops_and_the_next_one_rings() -> None:
    small = SmallFloor(
        people=2, profile=replace(EXACT, answer_seconds=50.0, ring_limit_seconds=20.0, patience_seconds=100)
    )

    small.run(queue_call(small), until=50)

    assert small.of("101")[:2] == [(1, "active", "ringing"), (21, "active", "ended")]
    assert small.of("102")[0] == (21, "active", "ringing")


def test_first_come_is_first_served() -> None:
    small = SmallFloor(people=1)

    def second() -> Process:
        yield small.floor.env.timeout(2)
        yield from queue_call(small)

    assert small.queue is not None
    small.queue.profile = replace(EXACT, patience_seconds=1000)
    small.run(queue_call(small), second())

    answered = [call["time_start"] for _, call in small.messages if call["to"]["user"] == "101"]
    assert answered == sorted(answered)
    assert small.of("101")[3] == (66, "active", "ringing")


def test_wrap_up_keeps_a_person_from_the_next_call() -> None:
    small = SmallFloor(people=1, profile=replace(EXACT, wrap_up_seconds=40.0))
    small.run(queue_call(small), until=67)

    assert activities(small) == ["wrapping up"]
    assert QueueStatistics(small.floor).entries()[0]["available_agents"] == 0
    small.floor.env.run(until=2000)
    assert activities(small) == ["idle"]


def test_a_break_begins_after_the_call_and_nobody_is_rung_on_it() -> None:
    small = SmallFloor(people=1)
    small.run(queue_call(small), until=10)
    small.floor.pause(small.people[0])
    assert activities(small) == ["talking"]

    small.floor.env.run(until=100)
    assert activities(small) == ["on a break"]
    small.run(queue_call(small), until=120)
    assert [at for at, *_ in small.of("101") if at > 70] == []

    small.floor.resume(small.people[0])
    assert activities(small) == ["ringing"]


def test_a_transfer_is_a_new_leg_that_names_the_one_before() -> None:
    small = SmallFloor(profile=replace(EXACT, transfer_share=1.0))

    small.run(queue_call(small), until=100)

    people = [call for _, call in small.messages if call["to"]["is_human"]]
    first = people[0]
    second = next(call for call in people if call["by_call_id"])
    assert second["by_call_id"] == first["to"]["call_id"]
    assert second["from"]["call_id"] == first["from"]["call_id"]
    assert second["to"]["user"] != first["to"]["user"]


def test_a_menu_comes_first_and_is_no_human() -> None:
    small = SmallFloor()

    small.run(queue_call(small, by_menu=True))

    menu = small.messages[0][1]
    assert (menu["to"]["user"], menu["to"]["is_human"]) == (None, False)
    assert menu["to"]["id"].startswith("+")
    assert small.of(None)[-1][1:] == ("active", "ended")
    assert small.of("4001")[0][0] == small.of(None)[-1][0]


def test_an_unanswered_direct_call_ends_in_the_voicemail_box() -> None:
    small = SmallFloor()
    make_busy(small.people[:1])

    small.run(call_flows.direct_call(small.floor, small.people[0], CALLER))

    box = [call for _, call in small.messages if call["to"]["is_human"] is False]
    phone = [call for _, call in small.messages if call["to"]["is_human"] is True]
    assert [call["to"]["state"] for call in phone] == ["ringing", "ended"]
    assert [call["to"]["state"] for call in box] == ["ringing", "active", "ended"]
    assert {call["to"]["user"] for call in box} == {"101"}
    assert {call["by_call_id"] for call in box} == {phone[0]["to"]["call_id"]}


def test_an_internal_call_is_on_the_net() -> None:
    small = SmallFloor()

    small.run(call_flows.internal_call(small.floor, small.people[0], small.people[1]))

    assert {call["on_net"] for _, call in small.messages} == {True}
    assert {(call["from"]["user"], call["to"]["user"]) for _, call in small.messages if call["to"]["is_human"]} == {
        ("101", "102")
    }
    assert [person.activity for person in small.people] == ["idle"] * 4


def test_an_outgoing_call_shows_all_four_states() -> None:
    small = SmallFloor(seed=2)

    small.run(call_flows.outbound_call(small.floor, small.people[0], CALLER))

    assert [call["to"]["state"] for _, call in small.messages] == ["progressing", "ringing", "active", "ended"]
    assert {call["from"]["user"] for _, call in small.messages} == {"101"}
    assert {call["to"]["id"] for _, call in small.messages} == {CALLER.number}
    assert {call["on_net"] for _, call in small.messages} == {False}


def test_waits_of_the_statistics_are_seconds_of_the_clients() -> None:
    small = SmallFloor()
    make_busy(small.people)
    small.run(queue_call(small), until=21)

    assert QueueStatistics(small.floor).entries()[0]["max_wait"] == 20
    small.floor.speed = 10
    assert QueueStatistics(small.floor).entries()[0]["max_wait"] == 2
