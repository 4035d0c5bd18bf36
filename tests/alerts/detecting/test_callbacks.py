"""A caller who was missed and has waited for long to be rung back."""

import pytest

from accounts.models import Domain
from tests.alerts.detecting.conftest import Look, Ring
from wallboard.alerts import wording
from wallboard.alerts.detecting import looking
from wallboard.alerts.models import Alert
from wallboard.calls.models import Subscription
from wallboard.desk import callbacks
from wallboard.queues.models import Hours

NUMBER = "+4930123456"


@pytest.fixture(autouse=True)
def missed(ring: Ring, events: Subscription, domain: Domain) -> None:
    """Somebody called an hour ago but for five minutes, and nobody answered."""
    callbacks.invalidate_cache(domain.pk)
    ring("102", ago=3300, caller_e164=NUMBER, from_number=NUMBER)


def test_it_calls_once_it_is_older_than_the_rule_allows(look: Look) -> None:
    assert look("callback", 120) == []

    [alert] = look("callback", 300)
    assert wording.title(alert) == "Call-back is overdue"
    assert wording.why(alert).startswith("the oldest has waited for 6")
    assert NUMBER[-4:] not in str(alert.facts) + alert.subject


def test_it_ends_when_somebody_rings_back(look: Look, ring: Ring, domain: Domain) -> None:
    assert look("callback", 600)

    ring("", ago=60, from_user="102", caller_e164=NUMBER, answered=True, lasts=30, is_human=True)
    callbacks.invalidate_cache(domain.pk)
    assert look("callback", 0) == []


def test_nobody_is_called_outside_business_hours(look: Look, domain: Domain) -> None:
    Hours.objects.create(domain=domain, week=[[], [], [[0, 60]], [], [], [], []])
    assert look("callback", 600) == []


def test_one_kind_that_fails_keeps_none_of_the_others(
    domain: Domain, look: Look, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: Domain) -> None:
        raise RuntimeError

    look("callback", 600)
    looking.look(domain, {"figures": broken, "callback": looking.SELDOM["callback"]})  # type: ignore[dict-item]

    assert Alert.objects.filter(kind="callback", ended_at=None).exists()
    assert "the kind figures cannot be judged" in caplog.text
