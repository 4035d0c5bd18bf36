"""One company with its subscriptions, a way to hand deliveries in, and the provider that is asked for subscriptions."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone

from accounts.encryption import sealed
from accounts.models import Domain
from tests.calls.events import set_up
from tests.calls.fake_provider import FakeProvider
from wallboard.calls.models import Subscription
from wallboard.calls.webhooks import hook_secrets, intake

Deliver = Callable[..., intake.ChangesByDomain]
SECRETS = {"calls": "the-calls-secret-0123456789abcdefghijkl", "cdrs": "the-cdrs-secret-0123456789abcdefghijklm"}
START = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture
def domain(db: None) -> Domain:
    return Domain.objects.create(
        slug="acme", name="Acme", base_url="http://127.0.0.1:1", client_id="id", client_secret=sealed("secret")
    )


@pytest.fixture
def subscription(domain: Domain) -> Subscription:
    return make_subscription(domain, "calls")


def make_subscription(domain: Domain, kind: str, secret: str = "", **columns: object) -> Subscription:
    secret = secret or SECRETS[kind]
    body = json.dumps({"post_uri": f"http://testserver/hooks/{secret}/", "expires_in": 604800, kind: True})
    return Subscription.objects.create(
        domain=domain,
        kind=kind,
        secret=sealed(secret),
        secret_hash=hook_secrets.hash_of(secret),
        request_body=sealed(body),
        **columns,
    )


@pytest.fixture
def deliver(subscription: Subscription) -> Deliver:
    """Keep and apply bodies in one transaction, as the door does."""

    def hand_in(*bodies: bytes, at: datetime | None = None, to: Subscription = subscription) -> intake.ChangesByDomain:
        return intake.commit([arrival(to, body, at) for body in bodies])

    return hand_in


def arrival(to: Subscription, body: bytes, at: datetime | None = None) -> intake.Arrival:
    return intake.Arrival(uuid4(), to.pk, to.domain_id, at or timezone.now(), body.decode(), intake.parse(body))


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch, redis_url: str) -> FakeProvider:
    fake = FakeProvider()
    monkeypatch.setattr("accounts.tokens.clients.company_client", lambda domain: fake)
    return fake


@pytest.fixture
def clock() -> Any:
    with time_machine.travel(START, tick=False) as travel:
        yield travel


def of_kind(kind: str) -> Subscription:
    """The one subscription of the kind that is not retired."""
    return Subscription.objects.exclude(state="retired").get(kind=kind)


def say_ready(*kinds: str) -> None:
    """The provider tells that the subscriptions of these kinds, or all of them, are being set up and are ready."""
    rows = [row for kind in kinds or ("calls", "cdrs") for row in Subscription.objects.filter(kind=kind)]
    intake.commit([arrival(row, set_up(state)) for row in rows for state in ("preparing", "ready")])
