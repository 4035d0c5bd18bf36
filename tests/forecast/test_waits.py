"""The longest wait of the next hour and the people it takes, from Erlang A and the company's own times."""

import pytest

from wallboard.forecast.calls_ahead import CallsAhead
from wallboard.forecast.erlang import ErlangA
from wallboard.forecast.waits import Behaviour, Sums, behaviour, longest_wait, people_at_work, people_needed

TIMES = Behaviour(200.0, 5.0, 150.0)


def test_times_are_means_of_the_calls_that_were_seen() -> None:
    sums = Sums(3000.0, 20, 17000.0, 100, 500.0, 100, 600.0, 30)

    assert behaviour(sums) == Behaviour(190.0, 5.0, 150.0)


def test_with_few_calls_there_are_no_times() -> None:
    assert behaviour(Sums(talks=49, talk_seconds=9000.0)) is None


def test_where_hardly_anybody_left_patience_is_long_and_not_endless() -> None:
    found = behaviour(Sums(3000.0, 2, 17000.0, 100, 500.0, 100))

    assert found == Behaviour(175.0, 5.0, 1800.0)


def test_as_many_people_as_explain_the_waits() -> None:
    wait = ErlangA(6.0, 0.03, 200.0, 150.0).mean_wait_seconds

    assert people_at_work(108, 60.0, 108 * (wait + 5.0), TIMES) == pytest.approx(6.0, abs=0.02)
    assert people_at_work(0, 60.0, 0.0, TIMES) is None


def test_more_people_wait_less_and_more_calls_longer() -> None:
    usual = longest_wait(CallsAhead(80.0, 60.0), 6.0, TIMES)
    more_people = longest_wait(CallsAhead(80.0, 60.0), 8.0, TIMES)
    more_calls = longest_wait(CallsAhead(110.0, 60.0), 6.0, TIMES)

    assert usual[1] < usual[0] < usual[2]
    assert more_people[0] < usual[0] < more_calls[0]


def test_the_people_needed_keep_the_target_and_one_fewer_does_not() -> None:
    calls = CallsAhead(80.0, 60.0)

    needed = people_needed(calls, 60.0, TIMES)

    assert needed is not None
    assert needed[1] <= needed[0] <= needed[2]
    assert longest_wait(calls, needed[0], TIMES)[0] <= 62
    assert longest_wait(calls, needed[0] - 1, TIMES)[0] > 58


def test_a_target_that_no_number_of_people_keeps_gives_none() -> None:
    assert people_needed(CallsAhead(1e6, 60.0), 30.0, TIMES) is None


def test_nearly_no_calls_take_one_person() -> None:
    assert people_needed(CallsAhead(0.01, 5.0), 30.0, TIMES) == (1, 1, 1)
