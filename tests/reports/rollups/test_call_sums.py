"""Sums of calls tell the waits and the callers of any number of days as the calls do."""

from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from wallboard.reports.queue_calls import QueueCall
from wallboard.reports.rollups import call_sums, repeat_callers, sum_keys, sums_of_sets
from wallboard.reports.rollups.call_sums import SECOND, STEPS
from wallboard.reports.service_level import SHARES

NINE = datetime(2026, 3, 4, 9, tzinfo=UTC)
TEAMS = (frozenset({"101", "102"}), frozenset({"103"}))


def some_calls(chance: Random, count: int) -> list[QueueCall]:
    return [
        QueueCall(
            chance.choice(("501", "502")),
            NINE + timedelta(seconds=place),
            chance.choice((chance.randrange(60), chance.randrange(120) / 2, chance.randrange(60 * SECOND) / SECOND)),
            chance.random() < 0.7,
            chance.random() < 0.8,
            chance.choice(("+4930901820", "anonymous", "", f"+493090{chance.randrange(50)}")),
            frozenset(chance.sample(("101", "102", "103"), chance.randrange(3))),
            chance.choice(("", f"call {place - chance.randrange(40)}")),  # of a day or of two that meet
        )
        for place in range(count)
    ]


def waits_of(*seconds: float) -> call_sums.Waits:
    return call_sums.waits_of(QueueCall("501", NINE, each, is_answered=True) for each in seconds).answered


def test_percentiles_are_values_that_so_many_do_not_exceed() -> None:
    assert call_sums.at_ranks([waits_of(*range(1, 101))], SHARES) == (50, 80, 90, 95)
    assert call_sums.at_ranks([waits_of(7.5)], SHARES) == (7.5, 7.5, 7.5, 7.5)
    assert call_sums.at_ranks([waits_of(10, 30), waits_of(20)], SHARES) == (20, 30, 30, 30)
    assert call_sums.at_ranks([], SHARES) == ()


@pytest.mark.parametrize("seed", range(5))
def test_what_is_shown_of_steps_is_what_is_shown_of_waits(seed: int) -> None:
    waits = [call.wait_seconds for call in some_calls(Random(seed), 300)]

    for wait in waits:
        step = call_sums.step(round(wait * SECOND))
        assert (int(step / STEPS), round(step / STEPS)) == (int(wait), round(wait))
    assert [call_sums.at_ranks([waits_of(*waits)], [share])[0] // 1 for share in SHARES] == [
        sorted(waits)[-(-len(waits) * share // 100) - 1] // 1 for share in SHARES
    ]


@pytest.mark.parametrize("seed", range(3))
def test_sums_of_parts_count_what_the_calls_count(seed: int) -> None:
    calls = some_calls(Random(seed), 200)
    parts = [call_sums.of(calls[:50]), call_sums.of(calls[50:])]
    answered = [call for call in calls if call.is_answered]
    left = [call for call in calls if not call.is_answered and call.is_open]

    for some in (parts, [call_sums.unpack(call_sums.pack(each)) for each in parts]):
        counts = call_sums.counts(each.waits for each in some)
        for second in range(61):
            assert counts.within(second) == sum(call.wait_seconds <= second for call in answered)
            assert counts.only_open().left(second) == sum(call.wait_seconds <= second for call in left)
        assert (counts.offered, counts.answered) == (200, len(answered))
        assert counts.answered_for == sum(round(call.wait_seconds * SECOND) for call in answered)
        assert call_sums.repeated(some) == call_sums.repeated([call_sums.of(calls)]) > 0


@pytest.mark.parametrize("seed", range(5))
def test_days_together_tell_of_each_team_what_its_calls_tell(seed: int) -> None:
    calls = some_calls(Random(seed), 400)
    days = [calls[:90], calls[90:200], calls[200:390]]
    teams = sums_of_sets.in_order(TEAMS)
    stored = [
        sums_of_sets.unpack(sums_of_sets.pack(sums_of_sets.of(day, {"501", "502"}, TEAMS)))
        for day in (*days, calls[390:])
    ]
    callers = [repeat_callers.unpack(repeat_callers.pack(repeat_callers.of(day, teams))) for day in days]

    again = repeat_callers.count(callers, repeat_callers.of(calls[390:], teams), len(teams))

    found = sums_of_sets.Queues(stored, [sum_keys.team_key(members) for members in teams], again)
    for members in (None, *TEAMS):
        rung = [call for call in calls if members is None or not members.isdisjoint(call.people)]
        team = "" if members is None else sum_keys.team_key(members)
        assert found.counts(team) == call_sums.counts([call_sums.waits_of(rung)])
        # Each by its own day: a call without an id is one by itself.
        parts = [call_sums.of([call for call in day if call in rung]) for day in (*days, calls[390:])]
        assert found.repeated(team) == call_sums.repeated(parts) > 0
    assert found.offered == {number: sum(call.queue == number for call in calls) for number in ("501", "502")}


def test_a_wait_of_just_the_target_is_within_it() -> None:
    calls = [QueueCall("501", NINE, wait, is_answered=True) for wait in (20, 20.000001)]
    counts = call_sums.counts([call_sums.waits_of(calls)])

    assert (counts.within(20), counts.within(21)) == (1, 2)


def test_callers_of_one_call_are_not_repeated_on_another_day() -> None:
    first = QueueCall("501", NINE, 5.0, False, caller="+4930901820", call_id="over midnight")
    again = QueueCall("502", NINE + timedelta(days=1), 5.0, True, caller="+4930901820", call_id="over midnight")
    other = QueueCall("501", NINE + timedelta(days=1), 5.0, True, caller="+4930901820", call_id="another")

    def repeated(*days: list[QueueCall]) -> list[int]:
        found = repeat_callers.count([repeat_callers.of(day, ()) for day in days], repeat_callers.Callers(), 0)
        return [call_sums.repeated(map(call_sums.of, days)), *found]

    assert repeated([first], [again]) == [0, 0]
    assert repeated([first], [again, other]) == [1, 1]
