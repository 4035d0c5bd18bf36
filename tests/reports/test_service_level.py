"""The formulas of the service level on one example that can be counted by hand, and at their edges."""

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from wallboard.reports.queue_calls import QueueCall
from wallboard.reports.rollups import call_sums
from wallboard.reports.service.today import Tally
from wallboard.reports.service_level import FORMULAS, Rule, Rules, figures, percent_of

AT = datetime(2026, 11, 20, 12, tzinfo=UTC)


def call(wait: float, *, answered: bool = True, is_open: bool = True, caller: str = "") -> QueueCall:
    return QueueCall("800", AT, wait, answered, is_open, caller)


# Six answered, four of them within 20 s; four left: one at once, one within 20 s, two late. One of each is after hours.
CALLS = [
    *(call(wait) for wait in (0, 10, 20, 35)),
    *(call(wait, is_open=False) for wait in (5, 60)),
    *(call(wait, answered=False) for wait in (3, 15, 90)),
    call(120, answered=False, is_open=False),
]


@pytest.mark.parametrize(
    ("formula", "met", "base", "percent"),
    [("A", 4, 10, 40), ("B", 4, 9, 44.4), ("D", 3, 7, 42.8), ("E", 3, 6, 50), ("F", 6, 10, 60), ("F2", 4, 8, 50)],
)
def test_each_formula_counts_as_it_reads(formula: str, met: int, base: int, percent: float) -> None:
    found = figures("800", CALLS, Rules(Rule(formula, 20, 5)))

    assert (found.met, found.base) == (met, base)
    assert found.percent == percent


@pytest.mark.parametrize(("met", "percent"), [(1999, 79.9), (2000, 80.0), (2499, 99.9), (2500, 100.0), (0, 0.0)])
def test_what_is_just_below_a_target_does_not_look_like_it(met: int, percent: float) -> None:
    assert percent_of(met, 2500) == Tally(met=met, base=2500).percent == percent


def test_what_goes_with_it_is_the_same_by_any_formula() -> None:
    found = figures("800", CALLS, Rules(Rule("F2", 20, 5)))

    assert (found.offered, found.answered, found.unanswered, found.left_early) == (10, 6, 4, 1)
    assert found.answer_seconds == pytest.approx((0 + 10 + 20 + 35 + 5 + 60) / 6)


@pytest.mark.parametrize("formula", FORMULAS)
def test_without_calls_there_is_no_service_level_rather_than_none_or_all(formula: str) -> None:
    assert figures("800", [], Rules(Rule(formula, 20, 5))).percent is None


def test_only_short_abandons_are_no_base() -> None:
    assert figures("800", [call(2, answered=False)], Rules(Rule("B", 20, 5))).percent is None


def test_repeat_callers_are_numbers_and_withheld_ones_are_not_one_caller() -> None:
    calls = [call(1, caller=caller) for caller in ("+491", "+491", "+492", "anonymous", "anonymous", "")]
    calls += [call(1, caller="+anon-qwe"), call(1, caller="+anon-qwe")]  # a number that was forgotten
    calls += [replace(call(1, caller="+493"), call_id="one call")] * 2

    assert figures("800", calls, Rules(Rule("A", 20, 5))).repeated == 2


def test_a_formula_reads_with_its_seconds() -> None:
    assert Rule("B", 30, 8).read() == "answered within 30 s ÷ (all offered − left within 8 s)"


@pytest.mark.parametrize(
    ("formula", "met", "base"), [("A", 3, 7), ("B", 3, 6), ("D", 3, 7), ("E", 3, 6), ("F", 5, 7), ("F2", 3, 5)]
)
def test_calls_outside_business_hours_count_by_no_formula_where_that_is_chosen(
    formula: str, met: int, base: int
) -> None:
    rule = Rule(formula, 20, 5, is_open_only=True)

    assert rule.count(call_sums.counts([call_sums.waits_of(CALLS)])) == (met, base)
    assert rule.read().count("business hours") == 1


def test_each_queue_is_held_against_its_own_seconds_and_the_company_is_their_sum() -> None:
    calls = [*CALLS, QueueCall("801", AT, 50, is_answered=True), QueueCall("801", AT, 8, is_answered=False)]
    by = Rules(Rule("B", 20, 5), {"801": Rule("B", 60, 10)})

    found = figures("", calls, by)

    assert (found.met, found.base, found.left_early) == (4 + 1, 9 + 1, 1 + 1)
