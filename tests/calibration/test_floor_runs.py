"""Calibration on the simulated floor: each dialect is found out, and nothing is proven that is not so."""

import pytest

from tests.calibration.floor_runs import CASES, Case, run


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
