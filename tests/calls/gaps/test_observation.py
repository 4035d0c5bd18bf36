"""Gaps begin and end by themselves with what silence, subscriptions and the provider's answers show."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Domain
from tests.calls.conftest import START, arrival, of_kind, say_ready
from tests.calls.events import event
from tests.calls.fake_provider import FakeProvider
from tests.calls.gaps.test_recording import stored
from tests.calls.subscriptions.test_missed_events_watch import Floor, tell
from tests.calls.subscriptions.test_missed_events_watch import floor as floor  # a fixture
from wallboard.calls.gaps import observation
from wallboard.calls.models import Subscription
from wallboard.calls.subscriptions import maintenance
from wallboard.calls.webhooks import intake
from wallboard.queues.models import PollState


def observe_after(domain: Domain, clock: Any, seconds: float) -> None:
    clock.shift(seconds)
    observation.observe(domain)


def test_silence_is_a_gap_from_the_last_event_to_the_next_one(floor: Floor) -> None:
    floor.read(1, 1, 1, 3, 3)
    assert stored(floor.domain) == [(0, None, "silent")]
    floor.read(3, 3)

    tell("c2")

    assert stored(floor.domain) == [(0, 35, "silent")]


def test_after_a_quiet_hour_the_gap_begins_shortly_before_the_first_caller(floor: Floor) -> None:
    floor.clock.shift(timedelta(hours=1))
    floor.read(1, 1, 1, 3, 3)

    [(since, _, _)] = stored(floor.domain)
    assert since == 3600 + 4 * 5 - 60


def test_what_was_in_the_spool_meanwhile_is_no_gap(floor: Floor) -> None:
    floor.read(1, 1, 1, 3, 3)

    intake.commit([arrival(of_kind("calls"), event("active", call="c2"), START + timedelta(seconds=8))])

    assert stored(floor.domain) == []


def test_a_subscription_that_ended_is_a_gap_until_it_delivers_again(
    domain: Domain, provider: FakeProvider, clock: Any
) -> None:
    maintenance.check(domain)
    say_ready()
    Subscription.objects.update(expires_at=START + timedelta(seconds=60))

    observe_after(domain, clock, 50)
    assert stored(domain) == []
    observe_after(domain, clock, 20)
    assert stored(domain) == [(60, None, "subscription")]
    clock.shift(50)
    intake.commit([arrival(of_kind("calls"), event("ringing"))])
    observe_after(domain, clock, 3)

    assert stored(domain) == [(60, 120, "subscription")]


def test_a_subscription_that_vanished_told_nothing_since_it_was_last_known(
    domain: Domain, provider: FakeProvider, clock: Any
) -> None:
    maintenance.check(domain)
    say_ready()
    clock.shift(100)
    maintenance.check_now(domain)
    maintenance.check(domain)
    provider.live.clear()
    provider.expiries.clear()
    clock.shift(500)
    maintenance.check_now(domain)

    maintenance.check(domain)
    assert stored(domain) == [(100, None, "subscription")]
    observation.observe(domain)
    clock.shift(5)
    say_ready("calls")
    observation.observe(domain)

    assert stored(domain) == [(100, 605, "subscription")]


def test_a_provider_that_cannot_be_reached_is_a_gap_unless_it_delivers(
    domain: Domain, provider: FakeProvider, clock: Any
) -> None:
    maintenance.check(domain)
    say_ready()
    clock.shift(60)
    PollState.objects.create(domain=domain, failing_since=START + timedelta(seconds=50), failure="unreachable")

    observation.observe(domain)
    assert stored(domain) == [(50, None, "provider")]
    clock.shift(30)
    intake.commit([arrival(of_kind("calls"), event("ringing"))])
    observe_after(domain, clock, 1)

    assert stored(domain) == [(50, 90, "provider")]


def test_a_gap_ends_when_the_provider_answers_again(domain: Domain, provider: FakeProvider, clock: Any) -> None:
    maintenance.check(domain)
    say_ready()
    state = PollState.objects.create(domain=domain, failing_since=START, failure="unreachable")
    observe_after(domain, clock, 10)
    state.failing_since, state.failure = None, ""
    state.save()

    observe_after(domain, clock, 30)

    assert stored(domain) == [(0, 40, "provider")]


def test_before_the_first_subscription_worked_nothing_is_missing(
    domain: Domain, provider: FakeProvider, clock: Any
) -> None:
    PollState.objects.create(domain=domain, failing_since=START, failure="unreachable")
    maintenance.check(domain)

    observe_after(domain, clock, 60)

    assert stored(domain) == []


@pytest.mark.parametrize("hours", [1, 13])
def test_a_worker_that_was_away_makes_no_gap(domain: Domain, provider: FakeProvider, clock: Any, hours: int) -> None:
    maintenance.check(domain)
    say_ready()

    observe_after(domain, clock, hours * 3600)

    assert stored(domain) == []
