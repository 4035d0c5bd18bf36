"""A provider that changes long after the first answer: what is compared and counted all the time follows it."""

import pytest

from tests.calibration.floor_runs import observations
from wallboard.calibration.engine import Engine
from wallboard.calibration.evidence import Judgement
from wallboard.calibration.questions import delays
from wallboard.simulator.options import Options
from wallboard.simulator.stream import Stream

BEFORE_SECONDS, AFTER_SECONDS = 3600.0, 3600.0


def before_and_after(question: str, switch: str, value: float) -> list[Judgement]:
    """What is said of the question before the switch of the dialect, and after it."""
    stream, engine, said = Stream(Options(seed=3, scenario="demo")), Engine(), []
    for seconds in (BEFORE_SECONDS, AFTER_SECONDS):
        for observation in observations(stream, stream.run(seconds)):
            engine.take(observation)
        said.append(engine.judgements(observation.at)[question])
        setattr(stream.dialect, switch, value)
    return said


@pytest.fixture(autouse=True)
def memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delays, "REMEMBERED", 75)


def test_figures_that_become_late() -> None:
    before, after = before_and_after("lag", "statistics_lag_seconds", 120)

    assert (before.answer, after.answer, after.verdict) == ("together", "figures_late", "proven")
    assert before.since is not None
    assert after.since is not None
    assert after.since > before.since
    assert after.agreeing > before.agreeing  # what was compared altogether, not what is remembered


def test_events_that_begin_to_get_lost() -> None:
    before, after = before_and_after("missing_events", "event_loss_share", 0.3)

    assert (before.value, after.answer) == (0.0, "some")
    assert after.value == pytest.approx(0.3, abs=0.08)
