"""What the set-up page says of the subscription for call events."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Domain
from tests.setup.test_status_checks import polled
from wallboard.calls.models import Subscription
from wallboard.setup import status_checks


@pytest.fixture
def ready(domain: Domain) -> Subscription:
    """A subscription for calls that the provider has set up, looked at a moment ago."""
    now = timezone.now()
    return Subscription.objects.create(
        domain=domain, kind="calls", state="ready", secret_hash="x", checked_at=now, ready_at=now, expires_at=now
        + timedelta(days=7),
    )  # fmt: skip


def test_events_of_a_provider_that_cannot_be_reached_are_not_being_set_up(domain: Domain, ready: Subscription) -> None:
    polled(domain)
    assert status_checks.of_kind(domain, Subscription.Kind.CALLS).label == "live"

    polled(domain, failure="unreachable", failing_since=timezone.now())
    check = status_checks.of_kind(domain, Subscription.Kind.CALLS)

    assert (check.state, check.label, check.summary) == ("late", "not known", "The provider cannot be reached.")


def test_events_that_nobody_looks_after_say_so(domain: Domain, ready: Subscription) -> None:
    Subscription.objects.update(checked_at=timezone.now() - timedelta(days=1))

    check = status_checks.of_kind(domain, Subscription.Kind.CALLS)

    assert (check.state, check.label) == ("late", "not known")
    assert "worker or beat process has stopped" in check.advice


@pytest.mark.parametrize(("state", "is_told"), [("new", False), ("lost", False), ("preparing", True), ("ready", True)])
def test_a_subscription_that_does_not_stand_has_no_end(
    domain: Domain, ready: Subscription, state: str, is_told: bool
) -> None:
    Subscription.objects.update(state=state)

    details = status_checks.of_kind(domain, Subscription.Kind.CALLS).details

    assert ("Runs until" in [each.label for each in details]) is is_told
