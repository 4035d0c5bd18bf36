"""Clocks that differ are noted, told in the log when it begins and ends, and found by others."""

import time

import pytest

from wallboard.live import clocks, connections

pytestmark = pytest.mark.usefixtures("redis_url")


def test_clocks_that_agree_are_not_worth_telling(caplog: pytest.LogCaptureFixture) -> None:
    clocks.record("worker")

    assert clocks.differences() == []
    assert caplog.records == []


def test_a_machine_whose_clock_is_ahead_is_told_by_its_own_log_and_found_by_others(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    really = time.time
    with monkeypatch.context() as there:
        there.setattr(time, "time", lambda: really() + 6)
        clocks.record("worker")
        clocks.record("worker")

    (found,) = clocks.differences()
    clocks.record("worker")

    assert found.machine.startswith("worker ")
    assert found.seconds == pytest.approx(6, abs=0.5)
    assert [record.getMessage()[:40] for record in caplog.records] == [
        "This machine's clock is +6.0 s off Redis",
        "This machine's clock and Redis' clock ag",
    ]
    assert clocks.differences() == []


def test_our_own_clock_may_be_the_one_that_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks.record("worker")
    really = time.time
    monkeypatch.setattr(time, "time", lambda: really() - 6)

    found = {each.machine.split()[0]: round(each.seconds) for each in clocks.differences()}

    assert found == {"worker": 6, "Redis": 6}


def test_a_machine_that_is_gone_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks.record("worker")
    monkeypatch.setattr(clocks, "VALID_SECONDS", -1)

    assert clocks.differences() == []
    assert connections.client().hlen(clocks._key()) == 0
