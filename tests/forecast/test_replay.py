"""The small queue by hand: who comes first is answered first, patience ends, people come and go."""

from wallboard.forecast.replay import Caller, Done, longest, replay


def test_callers_are_answered_in_the_order_in_which_they_came() -> None:
    callers = [Caller(0, 100, 900), Caller(10, 50, 900), Caller(20, 50, 900)]

    assert replay(callers, 1) == [Done(0, 0, True), Done(10, 90, True), Done(20, 130, True)]
    assert longest(replay(callers, 2)) == 40


def test_who_runs_out_of_patience_leaves_and_keeps_nobody() -> None:
    callers = [Caller(0, 100, 900), Caller(10, 50, 30), Caller(20, 50, 900)]

    assert replay(callers, 1) == [Done(0, 0, True), Done(10, 30, False), Done(20, 80, True)]


def test_somebody_who_comes_to_work_answers_who_waits_and_who_goes_ends_their_call() -> None:
    callers = [Caller(0, 1500, 900), Caller(10, 50, 900), Caller(1200, 50, 900)]

    done = replay(callers, lambda second: 2 if 300 <= second < 1200 else 1)

    assert done == [Done(0, 0, True), Done(10, 290, True), Done(1200, 300, True)]


def test_nobody_at_work_answers_nobody() -> None:
    assert replay([Caller(0, 10, 120)], 0) == [Done(0, 120, False)]
    assert longest([]) == 0
