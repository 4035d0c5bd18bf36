"""Alerts of queues that close or are hidden while nobody can read how they are."""

from typing import Any

import pytest

from accounts.models import Domain
from tests.alerts.conftest import Read
from wallboard.alerts.models import Alert, Rule
from wallboard.queues.models import Hours, Queue


@pytest.mark.parametrize("why", ["closed", "hidden"])
def test_an_alert_ends_with_its_queue_while_the_provider_is_away(
    domain: Domain, support: Queue, sales: Queue, read: Read, why: str, clock: Any
) -> None:
    Rule.objects.create(domain=domain, stays_seconds=0)
    read(q501="late", q502="late")
    read(1800, failure="unreachable")
    assert Alert.objects.filter(ended_at=None).count() == 2, "nobody knows how they are"

    if why == "closed":
        Hours.objects.create(domain=domain, queue=support, week=[[], [], [[0, 60]], [], [], [], []])
    else:
        Queue.objects.filter(pk=support.pk).update(is_hidden=True)
    read(60, failure="unreachable")

    assert [(each.name, each.ended_why) for each in Alert.objects.order_by("pk")] == [("Support", why), ("Sales", "")]
