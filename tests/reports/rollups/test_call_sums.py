"""Sums of calls tell the waits and the callers of any number of days as the calls do."""

from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from wallboard.reports.queue_calls import QueueCall
from wallboard.reports.rollups import call_sums
from wallboard.reports.rollups.call_sums import SECOND, CallSums, Counts
from wallboard.reports.service_level import SHARES

NINE = datetime(2026, 3, 4, 9, tzinfo=UTC)


def some_calls(chance: Random, count: int) -> list[QueueCall]:
    return [
        QueueCall(
            "501",
            NINE + timedelta(seconds=place),
            chance.randrange(60 * SECOND) / SECOND,
            chance.random() < 0.7,
            chance.random() < 0.8,
            chance.choice(("+4930901820", "anonymous", "", f"+493090{chance.randrange(50)}")),
            frozenset(),
            chance.choice(("", f"call {chance.randrange(count)}")),
        )
        for place in range(count)
    ]


def test_percentiles_are_values_that_so_many_do_not_exceed() -> None:
    assert call_sums.at_ranks([range(SECOND, 101 * SECOND, SECOND)], SHARES) == (50, 80, 90, 95)
    assert call_sums.at_ranks([[7_500_000]], SHARES) == (7.5, 7.5, 7.5, 7.5)
    assert call_sums.at_ranks([[10 * SECOND, 30 * SECOND], [20 * SECOND]], SHARES) == (20, 30, 30, 30)
    assert call_sums.at_ranks([], SHARES) == ()


@pytest.mark.parametrize("seed", range(5))
def test_percentiles_of_many_days_are_those_of_all_their_calls(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random(seed)
    waits = [
        sorted(chance.randrange(chance.choice((3, 10**8))) for _ in range(chance.randrange(1, 40))) for _ in "days"
    ]
    sorted_together = call_sums.at_ranks(waits, SHARES)

    monkeypatch.setattr(call_sums, "FEW", 0)

    assert call_sums.at_ranks(waits, SHARES) == sorted_together


@pytest.mark.parametrize("seed", range(3))
def test_sums_of_parts_count_what_sums_of_all_count(seed: int) -> None:
    calls = some_calls(Random(seed), 200)
    whole, parts = [call_sums.of(calls)], [call_sums.of(calls[:50]), call_sums.of(calls[50:])]
    stored = [call_sums.unpack(call_sums.pack(each)) for each in parts]

    for some in (parts, stored):
        assert [Counts(some).within(each) for each in range(61)] == [Counts(whole).within(each) for each in range(61)]
        assert Counts(some).only_open().left(30) == Counts(whole).only_open().left(30)
        assert (Counts(some).offered, Counts(some).answered) == (200, sum(call.is_answered for call in calls))
    assert call_sums.repeated(stored) == call_sums.repeated(parts) == call_sums.repeated(whole) > 0
    assert call_sums.repeated(parts[:1], call_sums.often(parts)) == call_sums.repeated(parts[:1])


def test_a_wait_of_just_the_target_is_within_it() -> None:
    counts = Counts([CallSums(answered=[20 * SECOND, 20 * SECOND + 1])])

    assert (counts.within(20), counts.within(21)) == (1, 2)


def test_callers_of_one_call_are_not_repeated_on_another_day() -> None:
    first = QueueCall("501", NINE, 5.0, False, caller="+4930901820", call_id="over midnight")
    again = QueueCall("502", NINE + timedelta(days=1), 5.0, True, caller="+4930901820", call_id="over midnight")
    other = QueueCall("501", NINE + timedelta(days=1), 5.0, True, caller="+4930901820", call_id="another")

    assert call_sums.repeated([call_sums.of([first]), call_sums.of([again])]) == 0
    assert call_sums.repeated([call_sums.of([first]), call_sums.of([again, other])]) == 1
