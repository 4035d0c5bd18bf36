"""Figures, call events and subscriptions that stay away, each as one alert and none outside business hours."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.models import Domain
from tests.alerts.detecting.conftest import Figures, Look
from wallboard.alerts import wording
from wallboard.alerts.models import Alert
from wallboard.calls.models import EventGap, Subscription
from wallboard.queues.models import Hours, PollState
from wallboard.telephony.errors import ProviderError

CLOSED = [[], [], [[0, 60]], [], [], [], []]


def fail(domain: Domain, failure: str = "unreachable") -> None:
    PollState.objects.filter(domain=domain).update(failing_since=timezone.now(), failure=failure)


def test_figures_that_stay_away_call_and_say_why(look: Look, figures: Figures, domain: Domain) -> None:
    figures()
    fail(domain, "not_authorized")

    assert look("figures", 50) == []
    [alert] = look("figures", 60)

    assert (wording.title(alert), wording.why(alert)) == ("Figures are away", "the provider refuses us")
    assert look("figures", 0, figures) == []


def test_a_company_that_was_never_read_and_one_that_is_closed_miss_nothing(
    look: Look, figures: Figures, domain: Domain
) -> None:
    assert look("figures", 200) == []

    figures()
    Hours.objects.create(domain=domain, week=CLOSED)
    assert look("figures", 200) == []


def test_our_own_restart_after_a_night_calls_nobody(
    look: Look, figures: Figures, clock: time_machine.Traveller
) -> None:
    figures()
    clock.shift(timedelta(hours=10))

    assert look("figures", 20) == [], "the first reading is on its way"
    assert look("figures", 120, figures) == []


def test_call_events_that_stay_away_call(look: Look, figures: Figures, domain: Domain, events: Subscription) -> None:
    events.silent_at = timezone.now()
    events.save()
    gap = EventGap.objects.create(domain=domain, since=timezone.now(), reason="silent")

    [alert] = look("events", 130)
    assert (wording.title(alert), wording.why(alert)) == (
        "Call events are away", "the queues move and no call is reported",
    )  # fmt: skip

    gap.until = timezone.now()
    gap.save()
    assert look("events", 0) == []


def test_a_provider_that_is_away_as_a_whole_is_one_alert(
    look: Look, figures: Figures, domain: Domain, events: Subscription
) -> None:
    figures()
    fail(domain)
    EventGap.objects.create(domain=domain, since=timezone.now(), reason="provider")
    Subscription.objects.update(failing_since=timezone.now(), failures=9, expires_at=timezone.now())

    assert look("events", 300) == []
    assert look("subscription", 1200) == []
    assert look("figures", 120)


def test_events_that_are_away_are_no_better_for_a_provider_that_goes_down_too(
    look: Look, figures: Figures, domain: Domain, events: Subscription
) -> None:
    events.silent_at = timezone.now()
    events.save()
    EventGap.objects.create(domain=domain, since=timezone.now(), reason="silent")
    look("events", 130, figures)
    assert Alert.objects.filter(kind="events", ended_at=None).exists()

    PollState.objects.update(failing_since=timezone.now(), failure="unreachable")
    look("events", 60)
    assert Alert.objects.filter(kind="events", ended_at=None).exists()

    EventGap.objects.update(until=timezone.now())
    look("events", 60)
    assert not Alert.objects.filter(kind="events", ended_at=None).exists()


def test_events_that_stay_away_at_night_call_nobody(look: Look, domain: Domain, events: Subscription) -> None:
    EventGap.objects.create(domain=domain, since=timezone.now(), reason="subscription")
    Subscription.objects.update(state="lost")
    Hours.objects.create(domain=domain, week=CLOSED)

    assert look("events", 300) == []
    Hours.objects.all().delete()
    assert look("events", 300)


def test_a_subscription_that_cannot_be_renewed_calls_while_there_is_time(
    look: Look, domain: Domain, events: Subscription
) -> None:
    Subscription.objects.update(failing_since=timezone.now(), failures=3, failure="not_authorized")
    assert look("subscription", 1200) == [], "six days are left"

    Subscription.objects.update(expires_at=timezone.now() + timedelta(hours=20))
    [alert] = look("subscription", 1200)
    assert (wording.title(alert), wording.why(alert)) == ("Subscription cannot be renewed", "that of calls")

    Subscription.objects.update(failing_since=None, failures=0)
    assert look("subscription", 0) == []
    assert Alert.objects.get().ended_why == "normal"


def test_two_hiccups_are_no_failure(look: Look, domain: Domain, events: Subscription) -> None:
    Subscription.objects.update(failing_since=timezone.now(), failures=2, expires_at=timezone.now())

    assert look("subscription", 1200) == []


def failures(of: type[ProviderError] = ProviderError) -> set[str]:
    """Every kind of failure that a poll may store."""
    return {of.kind}.union(*(failures(each) for each in of.__subclasses__()))


@pytest.mark.parametrize("failure", sorted(failures()))
def test_every_failure_of_the_provider_has_room_and_words_of_its_own(failure: str) -> None:
    column = Alert._meta.get_field("reason")

    assert len(failure) <= (column.max_length or 0), "PostgreSQL refuses what is longer"
    assert failure in wording.words()["figures"].why


def test_events_that_nobody_can_vouch_for_call_while_figures_come(
    look: Look, figures: Figures, domain: Domain, events: Subscription
) -> None:
    Subscription.objects.update(failing_since=timezone.now(), failures=9, failure="unavailable")
    gap = EventGap.objects.create(domain=domain, since=timezone.now(), reason="provider")

    [alert] = look("events", 400, figures)
    assert wording.why(alert) == "the provider does not answer when asked for our subscription"

    Subscription.objects.update(failing_since=None, failures=0, failure="")
    gap.until = timezone.now()
    gap.save()
    assert look("events", 0, figures) == []


def test_figures_that_stay_away_for_any_reason_call_once_and_clear(
    look: Look, figures: Figures, domain: Domain
) -> None:
    for failure in ("unreachable", "rate_limited", "bad_response", "unavailable", "wrong_key", ""):
        figures()
        PollState.objects.filter(domain=domain).update(failure=failure)
        assert len(look("figures", 240)) == 1, failure
        assert look("figures", 0, figures) == [], failure
