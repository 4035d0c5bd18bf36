"""Erlang A, B and C against published values, against each other, and against a queue of drawn callers."""

from math import inf, log
from random import Random
from statistics import fmean

import pytest

from wallboard.forecast.erlang import ErlangA, erlang_b, log_inverse_b, people_for
from wallboard.forecast.replay import Caller, longest, replay


@pytest.mark.parametrize(("people", "load", "blocked"), [(10, 10.0, 0.2146), (10, 4.46, 0.01), (20, 12.03, 0.01)])
def test_erlang_b_is_that_of_the_tables(people: int, load: float, blocked: float) -> None:
    assert erlang_b(people, load) == pytest.approx(blocked, abs=5e-5)


def share_waiting_longer(model: ErlangA, seconds: float) -> float:
    """Of all callers, those who wait longer than that, whatever becomes of them."""
    return model._patient(seconds) * model._longer(seconds)


def test_erlang_c_is_that_of_the_textbook_example() -> None:
    """100 calls in half an hour, three minutes each, 14 people (Call Centre Helper, Erlang C formula made simple)."""
    model = ErlangA(14, 100 / 1800, 180.0)

    assert model.share_waiting == pytest.approx(0.174, abs=5e-4)
    assert model.mean_wait_seconds == pytest.approx(7.8, abs=0.05)
    assert 1 - share_waiting_longer(model, 20) == pytest.approx(0.888, abs=5e-4)


def test_erlang_a_is_that_of_the_published_table() -> None:
    """50 people, 48 calls a minute of a minute each, patience of two (Garnett, Mandelbaum and Reiman 2002, table 1)."""
    model, patient = ErlangA(50, 48 / 60, 60.0, 120.0), ErlangA(50, 48 / 60, 60.0)

    assert model.share_abandoning == pytest.approx(0.031, abs=5e-4)
    assert model.mean_wait_seconds == pytest.approx(3.7, abs=0.05)
    assert share_waiting_longer(model, 12.5) == pytest.approx(0.1, abs=2e-3)
    assert patient.mean_wait_seconds == pytest.approx(20.8, abs=0.05)
    assert share_waiting_longer(patient, 58.1) == pytest.approx(0.1, abs=2e-3)


def test_with_endless_patience_it_is_erlang_c_and_without_any_erlang_b() -> None:
    endless, long = ErlangA(6, 0.025, 180.0), ErlangA(6, 0.025, 180.0, 1e9)
    none = ErlangA(6, 0.025, 180.0, 1e-6)

    assert long.mean_wait_seconds == pytest.approx(endless.mean_wait_seconds, rel=1e-4)
    assert long.share_waiting == pytest.approx(endless.share_waiting, rel=1e-4)
    assert none.share_abandoning == pytest.approx(erlang_b(6, 4.5), rel=1e-6)


def test_people_between_whole_numbers_lie_between_them() -> None:
    waits = [ErlangA(people, 0.05, 180.0, 120.0).mean_wait_seconds for people in (7, 7.5, 8)]

    assert waits == sorted(waits, reverse=True)
    assert log_inverse_b(7.0, 9.0) == pytest.approx(-log(erlang_b(7, 9.0)))


def test_people_are_found_again_by_the_waits_that_they_made() -> None:
    wait = ErlangA(5.4, 0.03, 180.0, 120.0).mean_wait_seconds

    assert people_for(wait, 0.03, 180.0, 120.0) == pytest.approx(5.4, abs=0.01)


@pytest.mark.parametrize("patience", [0.0, -1.0])
def test_what_has_no_meaning_is_refused(patience: float) -> None:
    with pytest.raises(ValueError, match="more than nothing"):
        ErlangA(3, 0.01, 180.0, patience)
    with pytest.raises(ValueError, match="below the number of people"):
        ErlangA(3, 0.02, 180.0, inf)


@pytest.mark.parametrize(("people", "load"), [(2, 1.0), (6, 4.5), (6, 7.0), (15, 14.0)])
def test_a_queue_of_drawn_callers_does_as_the_formulas_say(people: int, load: float) -> None:
    random, model = Random(7), ErlangA(people, load / 180, 180.0, 150.0)
    hours = [drawn(random, load / 180) for _ in range(400)]

    done = [[call for call in replay(hour, people) if call.entered >= 1800] for hour in hours]

    waits = [call.waited for calls in done for call in calls]
    assert fmean(waits) == pytest.approx(model.mean_wait_seconds, rel=0.08, abs=0.5)
    left = fmean(not call.is_answered for calls in done for call in calls)
    assert left == pytest.approx(model.share_abandoning, abs=0.012)
    for share in (0.25, 0.5, 0.8):
        point = sorted(longest(calls) for calls in done)[int(share * 400)]
        assert model.longest_within(point, 3600) == pytest.approx(share, abs=0.06)


def drawn(random: Random, rate: float) -> list[Caller]:
    """An hour and a half of callers; the first half fills the floor."""
    at, found = 0.0, []
    while (at := at + random.expovariate(rate)) < 5400:
        found.append(Caller(at, random.expovariate(1 / 180), random.expovariate(1 / 150)))
    return found


def test_too_few_people_never_look_like_enough() -> None:
    chances = [ErlangA(people, 0.05, 180.0, 150.0).longest_within(60, 3600) for people in range(1, 20)]

    enough = [people for people, chance in enumerate(chances) if chance >= 0.05]
    assert enough == list(range(enough[0], 19))
    assert chances[enough[0] :] == sorted(chances[enough[0] :])


def test_a_flood_of_calls_outgrows_no_number() -> None:
    flood = ErlangA(20, 5.0, 200.0, 1800.0)
    calm = ErlangA(500, 0.001, 200.0, 1800.0)

    assert flood.share_abandoning == pytest.approx(1 - 0.1 / 5, rel=1e-6)
    assert flood.longest_within(60, 3600) < 1e-6
    assert calm.mean_wait_seconds == pytest.approx(0)
    assert calm.longest_within(1, 3600) == 1
