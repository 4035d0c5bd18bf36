"""Calibration on the simulated floor: each dialect is found out, and nothing is proven that is not so."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import Domain
from tests.calibration.floor_runs import CASES, Case, course, observations, run
from wallboard.calibration import applying
from wallboard.calibration.engine import Engine
from wallboard.calibration.floor_view import BEGINNINGS
from wallboard.calibration.observations import Heard
from wallboard.calibration.questions.waits import WaitUnit
from wallboard.reports.service import counting
from wallboard.simulator.options import Options
from wallboard.simulator.stream import Stream


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_dialect_is_found_out_within_half_an_hour_and_nothing_wrong_is_proven(case: Case) -> None:
    outcome = run(case, seed=7)

    assert outcome.wrong == set()
    assert set(case.expected) - set(outcome.proven_after) == set()


def test_a_company_with_everything_as_usual_has_every_point_proven() -> None:
    outcome = run(CASES[0], seed=8)

    assert outcome.engine is not None
    judgements = outcome.engine.judgements(1_767_609_000.0)
    assert {name for name, each in judgements.items() if each.verdict != "proven"} == set()


@pytest.mark.parametrize("seed", [7, 9])
def test_a_company_with_one_queue_has_proven_what_its_service_level_needs(seed: int) -> None:
    outcome = run(CASES[0], seed, queues=1, agents=8)

    assert outcome.wrong == set()
    assert set(counting.NEEDS) | {"wait_unit", "longest_wait_of", "available_in_call"} <= set(outcome.proven_after)


@pytest.mark.parametrize("legs", ["user", "hidden"])
@pytest.mark.parametrize(("unit", "then"), [("ms", "s"), ("s", "ms")])
def test_a_unit_that_changes_is_contradicted_at_once_and_the_new_one_proven(unit: str, then: str, legs: str) -> None:
    seen = course("wait_unit", 7, 20, {"wait_unit": unit, "queue_legs": legs}, {"wait_unit": then})

    assert seen[-3:] == [f"{unit} proven", f"{unit} contradicted", f"{then} proven"]


def test_a_few_odd_waits_leave_a_unit_proven_and_many_put_it_in_doubt() -> None:
    outcome = run(CASES[0], seed=7, minutes=15)
    assert outcome.engine is not None
    unit = outcome.engine.questions["wait_unit"]
    assert isinstance(unit, WaitUnit)

    unit.impossible["s"] = 3
    after_three = unit.judged(0).verdict
    unit.impossible["s"] = 30

    assert (after_three, unit.judged(0).verdict) == ("proven", "contradicted")


@pytest.mark.parametrize(("told", "answer"), [("from the answer on", "few"), ("the end only", "some")])
def test_a_leg_may_begin_with_its_answer_and_not_with_its_end(told: str, answer: str) -> None:
    stream, engine = Stream(Options(seed=3, scenario="demo")), Engine()
    seen = list(observations(stream, stream.run(30 * 60)))
    answered = {_pair(each) for each in seen if isinstance(each, Heard) and each.event.to.state == "active"}
    untold = {"from the answer on": BEGINNINGS, "the end only": (*BEGINNINGS, "active")}[told]
    some = set(sorted(answered)[::4])

    for each in seen:
        if not (isinstance(each, Heard) and _pair(each) in some and each.event.to.state in untold):
            engine.take(each)

    judged = engine.judgements(seen[-1].at)["missing_events"]
    assert (judged.answer, judged.verdict) == (answer, "proven")


def _pair(heard: Heard) -> tuple[str, str]:
    return heard.event.from_.call_id, heard.event.to.call_id


@pytest.mark.parametrize("begin", [datetime(2026, 3, 29, 0, 40, tzinfo=UTC), datetime(2026, 10, 25, 0, 40, tzinfo=UTC)])
def test_a_change_of_clocks_contradicts_nothing(begin: datetime) -> None:
    stream = Stream(Options(seed=7, scenario="demo", dialect={"call_time_zone": "Europe/Berlin"}), starts_at=begin)
    engine, verdicts, answers = Engine(), [""], [""]
    engine.view.call_time_zone = "Europe/Berlin"

    for observation in observations(stream, stream.run(45 * 60)):
        engine.take(observation)
        judged = engine.questions["call_zone"].judged(observation.at)
        if judged.verdict != verdicts[-1]:
            verdicts.append(judged.verdict)
        if judged.verdict == "proven" and judged.answer != answers[-1]:
            answers.append(judged.answer)

    assert verdicts[-1] == "proven"
    assert "contradicted" not in verdicts
    assert answers[1:] == (["+01:00", "+02:00"] if begin.month == 3 else ["+02:00", "+01:00"])


def test_the_zone_that_is_set_stays_until_a_call_after_a_change_of_clocks_says_otherwise() -> None:
    domain = Domain(call_time_zone="Europe/Berlin", time_zone="Europe/London")
    turned = datetime(2026, 3, 29, 1, tzinfo=UTC)

    assert applying.fitting_zone(domain, "+01:00", turned - timedelta(minutes=1)) == "Europe/Berlin"
    assert applying.fitting_zone(domain, "+01:00", turned + timedelta(hours=1)) == "Europe/London"
