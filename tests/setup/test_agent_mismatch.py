"""The provider's available agents beside idle phones: only a difference that must be one is told."""

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from accounts.models import Domain, Person
from wallboard.alerts import wording
from wallboard.alerts.models import Alert, EvaluationState
from wallboard.calls.models import Presence
from wallboard.calls.subscriptions import health
from wallboard.queues.models import Queue, Sample
from wallboard.setup import agent_mismatch, alerting, status_checks


@pytest.fixture(autouse=True)
def live_events(monkeypatch: pytest.MonkeyPatch) -> Any:
    told = SimpleNamespace(state="live")
    monkeypatch.setattr(health, "of", lambda domain_id: told)
    return told


@pytest.fixture
def queue(domain: Domain) -> Queue:
    return Queue.objects.create(domain=domain, number="501", name="Support")


def people(domain: Domain, states: str, minutes: int = 10) -> None:
    """Somebody for each word, in that state for so long."""
    for number, state in enumerate(states.split(), 101):
        person = Person.objects.create(domain=domain, extension=str(number))
        Presence.objects.create(person=person, state=state, since=timezone.now() - timedelta(minutes=minutes))


def counted(queue: Queue, available: int, minutes: int = agent_mismatch.MINUTES) -> None:
    now = timezone.now().replace(second=0, microsecond=0)
    for back in range(1, minutes + 1):
        Sample.objects.create(
            queue=queue, minute=now - timedelta(minutes=back), readings=12, waiting=0, most_waiting=0,
            longest_wait_seconds=0, agents=9, least_available=available, watch_seconds=0, late_seconds=0,
            nobody_seconds=0,
        )  # fmt: skip


def test_more_available_than_idle_phones_is_told_on_the_page(domain: Domain, queue: Queue) -> None:
    people(domain, "idle talking ringing calling")
    counted(queue, 3)

    [check] = status_checks.agent_counts(domain)

    assert (check.state, check.label) == ("watch", "differs")
    assert "counted 3 available in Support" in check.summary
    assert "at most 1 phones" in check.summary
    assert check in status_checks.checks(domain)


def test_what_can_be_true_is_not_told(domain: Domain, queue: Queue) -> None:
    people(domain, "idle unknown talking")
    Person.objects.create(domain=domain, extension="120")  # never seen
    Person.objects.create(domain=domain, extension="501")  # the queue's own number is no phone
    counted(queue, 3)

    assert status_checks.agent_counts(domain) == []
    counted_more(queue)
    assert status_checks.agent_counts(domain) != []


def counted_more(queue: Queue) -> None:
    Sample.objects.filter(queue=queue).update(least_available=4)


@pytest.mark.parametrize("minutes", [1, agent_mismatch.MINUTES])
def test_a_call_that_began_just_now_proves_nothing(minutes: int, domain: Domain, queue: Queue) -> None:
    people(domain, "talking talking", minutes)
    counted(queue, 2)

    assert agent_mismatch.of(domain) is None


def test_a_gap_in_the_samples_proves_nothing(domain: Domain, queue: Queue) -> None:
    people(domain, "talking talking")
    counted(queue, 2, agent_mismatch.MINUTES - 1)

    assert agent_mismatch.of(domain) is None


def test_without_events_nothing_is_compared(domain: Domain, queue: Queue, live_events: Any) -> None:
    people(domain, "talking talking")
    counted(queue, 2)
    assert agent_mismatch.of(domain) is not None

    live_events.state = "down"

    assert agent_mismatch.of(domain) is None


def test_a_difference_that_lasts_is_an_alert(domain: Domain, queue: Queue, live_events: Any) -> None:
    people(domain, "idle talking ringing calling", minutes=60)
    began = timezone.now()
    for minute in range(7):
        with time_machine.travel(began + timedelta(minutes=minute), tick=False):
            Sample.objects.all().delete()
            counted(queue, 3)
            alerting.report(domain)

    [alert] = Alert.objects.filter(kind="mismatch")
    assert wording.title(alert) == "Figures disagree"
    assert wording.why(alert) == "3 agents available in Support, but at most 1 phones can be idle"
    live_events.state = "down"
    alerting.report(domain)
    assert Alert.objects.filter(ended_at=None).exists(), "without events nobody can say that it is over"


def test_only_companies_where_figures_may_disagree_are_looked_at(domain: Domain, queue: Queue) -> None:
    other = Domain.objects.create(slug="other", name="Other", base_url="http://other.test", client_id="id")
    both = [domain.pk, other.pk]
    people(domain, "idle talking ringing calling")
    Person.objects.create(domain=domain, extension="501")  # the queue's own number is no phone
    Person.objects.create(domain=other, extension="101")
    counted(queue, 1)
    assert alerting.worth(both) == set()

    Sample.objects.update(least_available=2)
    assert alerting.worth(both) == {domain.pk}

    Sample.objects.update(least_available=1)
    EvaluationState.objects.create(domain=other, conditions={"mismatch": [1, {"": 1}]})
    assert alerting.worth(both) == {other.pk}, "what is pending has to be followed"
