"""Polling the provider's service over HTTP: it is read, it goes away, it comes back."""

import logging

import pytest

from accounts.encryption import sealed
from accounts.models import Domain
from tests.harness.simulator import Simulator
from wallboard.queues import polling
from wallboard.queues.models import PollState, Queue

pytestmark = [pytest.mark.flow, pytest.mark.django_db(transaction=True)]


def polled(domain: Domain) -> PollState:
    PollState.objects.filter(domain=domain).update(tried_at=None, not_before=None)
    polling.poll(domain)
    return PollState.objects.get(domain=domain)


def test_a_provider_that_dies_and_returns(
    simulator: Simulator, redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "wallboard.queues")
    domain = Domain.objects.create(
        slug="acme",
        name="Acme",
        base_url=simulator.base_url,
        client_id=simulator.client_id,
        client_secret=sealed(simulator.client_secret),
    )
    good = polled(domain)
    assert (good.failure, good.version) == ("", 1)
    assert set(good.figures) == set(Queue.objects.values_list("number", flat=True)) != set()

    simulator.child.stop()
    missed = polled(domain)
    assert (missed.failure, missed.figures, missed.read_at) == ("unreachable", good.figures, good.read_at)

    simulator.start()
    healed = polled(domain)
    assert (healed.failure, healed.failing_since) == ("", None)
    assert healed.read_at
    assert good.read_at
    assert healed.read_at > good.read_at
    assert [record.levelname for record in caplog.records if record.name == polling.__name__] == ["WARNING", "INFO"]
