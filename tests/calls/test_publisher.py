"""What changed is told even where the database was away while its names were to be read."""

import logging
from collections.abc import Callable
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError, ProgrammingError

from wallboard.calls import linking, publisher
from wallboard.calls.leg_store import Changes
from wallboard.calls.models import Leg
from wallboard.calls.publisher import Publisher
from wallboard.demo.processes import wait_until
from wallboard.live import publish

Told = list[dict[int, Changes]]
Wording = list[tuple[str, list[int]]]
Failing = Callable[[Exception, int], Told]


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Failing:
    """Lets telling fail so many times; gives what was told after that."""
    monkeypatch.setattr(publisher, "RETRY_SECONDS", 0.02)
    told: Told = []

    def fail(error: Exception, times: int) -> Told:
        left = [error] * times

        def publish(by_domain: dict[int, Changes], _: publisher.Foreseen) -> None:
            if left:
                raise left.pop()
            told.append(by_domain)

        monkeypatch.setattr(publisher, "publish_changes", publish)
        return told

    return fail


def changes(*legs: Leg) -> Changes:
    return Changes(legs={leg.pk: leg for leg in legs})


@pytest.mark.parametrize("error", [OperationalError("gone"), InterfaceError("closed")])
def test_changes_are_told_once_the_database_answers(
    failing: Failing, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    told = failing(error, 3)

    Publisher().submit({1: changes(Leg(pk=5, version=1)), 2: Changes(is_health=True)})

    assert wait_until(lambda: len(told) == 2, 5)
    whole = told[0] | told[1]
    assert [leg.pk for leg in whole[1].legs.values()] == [5]
    assert whole[2].is_health
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    caplog.clear()


def test_what_came_meanwhile_counts_and_what_was_waiting_is_not_lost(failing: Failing) -> None:
    told = failing(OperationalError("gone"), 20)
    subject = Publisher()
    subject.submit({1: changes(Leg(pk=5, version=1), Leg(pk=6, version=4))})

    subject.submit({1: changes(Leg(pk=5, version=2), Leg(pk=7, version=1))})

    assert wait_until(lambda: bool(told), 5)
    assert {leg.pk: leg.version for leg in told[0][1].legs.values()} == {5: 2, 6: 4, 7: 1}


def test_after_long_they_are_left_to_mending_and_the_next_ones_are_told(
    failing: Failing, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(publisher, "KEPT_SECONDS", 0.0)
    told = failing(OperationalError("gone"), 2)
    subject = Publisher()

    subject.submit({1: changes(Leg(pk=5, version=1))})
    assert wait_until(lambda: len(caplog.records) == 2, 5)
    subject.submit({1: changes(Leg(pk=6, version=1))})

    assert wait_until(lambda: bool(told), 5)
    assert list(told[0][1].legs) == [6]
    caplog.clear()


def test_a_fault_in_the_telling_is_not_repeated_for_ever(failing: Failing, caplog: pytest.LogCaptureFixture) -> None:
    told = failing(ProgrammingError("of ours"), 1)
    subject = Publisher()

    subject.submit({1: changes(Leg(pk=5, version=1))})
    assert wait_until(lambda: bool(caplog.records), 5)
    subject.submit({1: changes(Leg(pk=6, version=1))})

    assert wait_until(lambda: bool(told), 5)
    assert list(told[0][1].legs) == [6]
    caplog.clear()


def test_an_outage_is_measured_from_its_own_beginning(failing: Failing, monkeypatch: pytest.MonkeyPatch) -> None:
    told = failing(ProgrammingError("of ours"), 1)
    subject = Publisher()
    subject._away_since = float("-inf")
    subject.submit({1: changes(Leg(pk=5, version=1))})
    assert wait_until(lambda: subject._away_since is None, 5)

    failing(OperationalError("gone"), 1)
    subject.submit({1: changes(Leg(pk=6, version=1))})

    assert wait_until(lambda: bool(told), 5)
    assert list(told[0][1].legs) == [6]


@pytest.mark.parametrize("error", [OperationalError("canceled"), ProgrammingError("of ours")])
def test_what_fails_for_some_companies_keeps_no_others_news(
    error: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(publisher, "RETRY_SECONDS", 0.02)
    told: list[int] = []
    failing = {1, 2}

    def publish(by_domain: dict[int, Changes], _: publisher.Foreseen) -> None:
        [domain_id] = by_domain
        if domain_id in failing:
            raise error
        told.append(domain_id)

    monkeypatch.setattr(publisher, "publish_changes", publish)
    subject = Publisher()

    subject.submit({each: changes(Leg(pk=each, version=1)) for each in (1, 2, 3, 4)})
    assert wait_until(lambda: {3, 4} <= set(told), 5)
    subject.submit({5: changes(Leg(pk=5, version=1))})
    assert wait_until(lambda: 5 in told, 5)
    failing.clear()
    subject.submit({6: changes(Leg(pk=6, version=1))})
    assert wait_until(lambda: 6 in told, 5)

    is_kept = isinstance(error, OperationalError)
    assert wait_until(lambda: {1, 2} <= set(told), 5 if is_kept else 0.2) is is_kept
    assert len(told) == len(set(told))
    caplog.clear()


def test_what_was_not_tried_is_not_given_up_with_what_failed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(publisher, "RETRY_SECONDS", 0.02)
    monkeypatch.setattr(publisher, "KEPT_SECONDS", 0.0)
    tried: list[int] = []

    def publish(by_domain: dict[int, Changes], _: publisher.Foreseen) -> None:
        tried.extend(by_domain)
        if by_domain.keys() <= {1, 2}:
            raise OperationalError("canceled")

    monkeypatch.setattr(publisher, "publish_changes", publish)
    subject = Publisher()
    subject._away_since = float("-inf")

    subject.submit({each: changes(Leg(pk=each, version=1)) for each in (1, 2, 3)})

    assert wait_until(lambda: 3 in tried, 5)
    assert tried == [1, 2, 3]
    caplog.clear()


@pytest.fixture
def wording(monkeypatch: pytest.MonkeyPatch) -> Wording:
    """What is worded and sent, in this order, each as the numbers of its legs."""
    found: Wording = []

    def worded(_: int, changes: Changes) -> list[int]:
        found.append(("worded", list(changes.legs)))
        return list(changes.legs)

    monkeypatch.setattr(publisher, "_worded", worded)
    monkeypatch.setattr(publish, "send", lambda news: found.append(("sent", news)))
    monkeypatch.setattr(linking, "notice", lambda domain_id, legs: None)
    return found


def test_news_are_worded_while_the_database_commits(wording: Wording) -> None:
    subject, coming = Publisher(), {1: changes(Leg(pk=5, version=1))}
    subject.foresee(coming)
    assert wait_until(lambda: wording == [("worded", [5])], 5)

    subject.submit(coming)

    assert wait_until(lambda: wording == [("worded", [5]), ("sent", [5])], 5)


def test_what_was_foreseen_and_not_committed_is_not_told(wording: Wording) -> None:
    subject = Publisher()
    subject.foresee({1: changes(Leg(pk=5, version=1))})
    assert wait_until(lambda: bool(wording), 5)

    subject.submit({1: changes(Leg(pk=6, version=1))})

    assert wait_until(lambda: wording == [("worded", [5]), ("worded", [6]), ("sent", [6])], 5)


def test_what_was_foreseen_and_joined_with_more_is_told_as_one(wording: Wording) -> None:
    subject, coming = Publisher(), {1: changes(Leg(pk=5, version=1))}
    subject.foresee(coming)
    assert wait_until(lambda: bool(wording), 5)

    with subject._wake:
        subject.submit(coming)
        subject.submit({1: changes(Leg(pk=6, version=1))})

    assert wait_until(lambda: wording == [("worded", [5]), ("worded", [5, 6]), ("sent", [5, 6])], 5)


def test_what_hinders_a_guess_is_met_again_when_it_counts(wording: Wording, monkeypatch: pytest.MonkeyPatch) -> None:
    worded, failing = publisher._worded, [OperationalError("gone")]

    def once_away(domain_id: int, changes: Changes) -> Any:
        if failing:
            raise failing.pop()
        return worded(domain_id, changes)

    monkeypatch.setattr(publisher, "_worded", once_away)
    subject, coming = Publisher(), {1: changes(Leg(pk=5, version=1))}
    subject.foresee(coming)
    assert wait_until(lambda: not failing, 5)

    subject.submit(coming)

    assert wait_until(lambda: wording == [("worded", [5]), ("sent", [5])], 5)


def test_a_fault_that_nobody_thought_of_ends_nothing(
    wording: Wording, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    joined, faults = publisher._joined, [RuntimeError("unforeseen")]

    def once_faulty(changes: list[Changes]) -> Changes:
        if faults:
            raise faults.pop()
        return joined(changes)

    monkeypatch.setattr(publisher, "_joined", once_faulty)
    subject = Publisher()
    subject.submit({1: changes(Leg(pk=5, version=1))})
    assert wait_until(lambda: not faults, 5)

    subject.submit({1: changes(Leg(pk=6, version=1))})

    assert wait_until(lambda: wording == [("worded", [6]), ("sent", [6])], 5)
    assert ["calls-publisher" in record.getMessage() for record in caplog.records] == [True]
