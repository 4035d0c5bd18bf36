"""Versions of an alert that a person acknowledges in the very moment in which a reading changes it."""

from typing import Any

import pytest

from accounts.models import Person
from tests.alerts.conftest import Read
from tests.alerts.test_lifecycle import Told, stay
from wallboard.alerts import evaluation, lifecycle
from wallboard.alerts.models import Alert
from wallboard.queues.models import Queue


@pytest.fixture
def acknowledged_meanwhile(ana: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever a reading is judged, Ana acknowledges what is open after the open alerts were read."""

    def evaluate(*given: Any) -> Any:
        for alert in Alert.objects.filter(ended_at=None):
            lifecycle.acknowledge(alert.domain_id, alert.pk, ana)
        return evaluation.evaluate(*given)

    monkeypatch.setattr(lifecycle, "evaluate", evaluate)


def test_the_feed_gets_the_new_level_and_who_acknowledged_it(
    support: Queue, read: Read, told: Told, request: pytest.FixtureRequest
) -> None:
    stay(read, 40, q501="late")
    request.getfixturevalue("acknowledged_meanwhile")

    read(q501="watch")

    assert (told()["Support"]["level"], told()["Support"]["acknowledged_by"]) == ("watch", "Ana")
    assert Alert.objects.get().version == 3


def test_an_alert_that_ended_rings_on_nowhere(
    support: Queue, read: Read, told: Told, request: pytest.FixtureRequest
) -> None:
    stay(read, 40, q501="late")
    request.getfixturevalue("acknowledged_meanwhile")

    read(q501="normal")

    assert told() == {}
    assert (Alert.objects.get().acknowledged_name, Alert.objects.get().version) == ("Ana", 3)
