"""When evidence is enough, when it is not, and when what was proven is no longer so."""

import random
from math import inf

import pytest

from wallboard.calibration.evidence import Example, Rules, Tally

RULES = Rules(usual_hit=0.85, spread_seconds=300, sources=2)


def counted(*answers: str, every: float = 60.0, rules: Rules = RULES, tally: Tally | None = None) -> Tally:
    """A tally of observations that agree with one answer each, from two sources in turn."""
    tally = tally or Tally()
    start = 1000.0 + every * sum(each.count for each in tally.agreements.values())
    for number, answer in enumerate(answers):
        tally.add(rules, start + number * every, {answer} if answer else set(), str(number % 2))
    return tally


def test_a_few_observations_prove_nothing_and_many_do() -> None:
    assert counted(*["a"] * 25).judged(RULES, 3000).verdict == "likely"
    assert counted(*["a"] * 27).judged(RULES, 3000).verdict == "proven"


def test_many_observations_within_a_moment_prove_nothing() -> None:
    assert counted(*["a"] * 40, every=5).judged(RULES, 2000).verdict == "likely"


def test_one_source_proves_nothing_before_it_was_watched_for_long() -> None:
    tally = Tally()
    for number in range(40):
        tally.add(RULES, 1000.0 + 30 * number, {"a"}, "4001")
    soon = tally.judged(RULES, 2170)
    tally.add(RULES, 1000.0 + 1200, {"a"}, "4001")

    assert (soon.verdict, soon.wanted, soon.wanted_seconds) == ("likely", 0, 30.0)
    assert tally.judged(RULES, 2200).verdict == "proven"


def test_one_source_is_never_enough_where_it_is_one_caller() -> None:
    callers = Rules(sources=5, alone_seconds=inf)
    tally = Tally()
    for number in range(400):
        tally.add(callers, 1000.0 + 30 * number, {"a"}, "one caller")

    assert tally.judged(callers, 13_000).verdict == "likely"


def test_what_is_still_missing_is_told_with_the_time_that_it_takes() -> None:
    judged = counted(*["a"] * 13).judged(RULES, 1780.0)

    assert (judged.wanted, judged.wanted_seconds) == (14, 840.0)


@pytest.mark.parametrize("share", [0.4, 0.5, 0.6])
def test_observations_that_are_about_as_often_for_as_against_prove_nothing(share: float) -> None:
    for seed in range(300):
        draw = random.Random(seed)

        tally = counted(*("a" if draw.random() < share else "b" for _ in range(200)))

        assert tally.proven == ""


def test_an_observation_that_agrees_with_several_answers_decides_between_the_others_only() -> None:
    tally = Tally()
    for number in range(20):
        tally.add(RULES, 1000.0 + 60 * number, {"s", "ms"}, str(number % 2))
    assert tally.proven == ""

    for number in range(20, 40):
        tally.add(RULES, 1000.0 + 60 * number, {"s", "min"}, str(number % 2))

    assert tally.proven == "s"


def test_what_was_proven_long_ago_is_contradicted_soon_and_the_new_answer_proven_after() -> None:
    tally = counted(*["a"] * 1000)

    counted(*["b"] * 8, tally=tally)
    assert (tally.judged(RULES, 70_000).verdict, tally.judged(RULES, 70_000).answer) == ("contradicted", "a")

    counted(*["b"] * 30, tally=tally)
    assert (tally.judged(RULES, 90_000).verdict, tally.proven) == ("proven", "b")


def test_what_agrees_with_both_answers_neither_contradicts_nor_helps() -> None:
    tally = counted(*["a"] * 40)
    for number in range(40):
        tally.add(RULES, 4000.0 + 60 * number, {"a", "b"} if number % 4 else {"b"}, str(number % 2))

    assert tally.judged(RULES, 9000).verdict == "contradicted"


def test_a_stray_observation_now_and_then_contradicts_nothing() -> None:
    tally = counted(*["a"] * 40)

    counted(*(["b", *["a"] * 9] * 100), tally=tally)

    assert tally.judged(RULES, 100_000).verdict == "proven"


def test_the_newest_examples_are_kept_with_their_calls() -> None:
    tally = Tally()
    for number in range(9):
        tally.add(RULES, float(number), {"a"}, "4001", Example(float(number), (str(number),), ("c", str(number))))

    assert [each.values for each in tally.judged(RULES, 9).for_examples] == [("6",), ("7",), ("8",)]
