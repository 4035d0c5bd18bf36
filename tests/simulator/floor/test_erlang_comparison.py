"""The floor beside theory: with constant rates its waits are those of Erlang C and Erlang A."""

import pytest

from wallboard.simulator.floor.erlang import erlang_a, erlang_b, erlang_c
from wallboard.simulator.floor.erlang_comparison import QueueModel, run

CALLERS = 24_000
NOBODY_ABANDONS = [
    QueueModel(3, 1.8),
    QueueModel(6, 4.5),
    QueueModel(12, 9.0, strategy="ring all"),
    QueueModel(25, 20.0),
]
PATIENCE_ENDS = [
    QueueModel(3, 2.4, 60.0),
    QueueModel(6, 6.0, 120.0),
    QueueModel(12, 14.0, 90.0, "ring all"),
    QueueModel(25, 24.0, 150.0),
]


@pytest.mark.parametrize("model", NOBODY_ABANDONS, ids=str)
def test_without_abandoning_the_waits_agree_with_erlang_c(model: QueueModel) -> None:
    theory = model.theory()

    outcome = run(model, CALLERS, seed=model.people)

    assert outcome.share_waiting.covers(theory.share_waiting)
    assert outcome.mean_wait_seconds.covers(theory.mean_wait_seconds)
    assert outcome.share_abandoning.mean == 0
    assert outcome.share_waiting.half_width < 0.3 * theory.share_waiting  # a wide interval would prove nothing


@pytest.mark.parametrize("model", PATIENCE_ENDS, ids=str)
def test_with_abandoning_the_waits_agree_with_erlang_a(model: QueueModel) -> None:
    theory = model.theory()

    outcome = run(model, CALLERS, seed=model.people)

    assert outcome.share_waiting.covers(theory.share_waiting)
    assert outcome.mean_wait_seconds.covers(theory.mean_wait_seconds)
    assert outcome.share_abandoning.covers(theory.share_abandoning)
    assert outcome.share_abandoning.half_width < 0.25 * theory.share_abandoning


def test_the_comparison_can_fail() -> None:
    """The same run is not what theory says of slightly longer talks."""
    outcome = run(QueueModel(6, 4.5), CALLERS, seed=6)

    assert not outcome.share_waiting.covers(QueueModel(6, 4.8).theory().share_waiting)


def test_erlang_b_is_that_of_the_printed_tables() -> None:
    """10 erlangs on 10 lines block 21.5 %, on 20 lines 0.19 %."""
    assert erlang_b(10, 10.0) == pytest.approx(0.2146, abs=0.0001)
    assert erlang_b(20, 10.0) == pytest.approx(0.00187, abs=0.00001)


def test_erlang_c_of_one_person_is_the_single_server_queue() -> None:
    """One person, load 0.5: half of the callers wait, for load / (1 - load) talks."""
    waiting = erlang_c(1, 0.5 / 60, 60.0)

    assert waiting.share_waiting == pytest.approx(0.5)
    assert waiting.mean_wait_seconds == pytest.approx(60.0)


def test_erlang_c_has_no_answer_where_the_load_is_too_much() -> None:
    with pytest.raises(ValueError, match="below the number of people"):
        erlang_c(3, 3.0, 1.0)


def test_erlang_a_with_endless_patience_is_erlang_c() -> None:
    patient, endless = erlang_a(6, 0.025, 180.0, 1e9), erlang_c(6, 0.025, 180.0)

    assert patient.share_waiting == pytest.approx(endless.share_waiting, rel=1e-3)
    assert patient.mean_wait_seconds == pytest.approx(endless.mean_wait_seconds, rel=1e-3)
    assert patient.share_abandoning == pytest.approx(0, abs=1e-6)
