"""One company with a subscription for calls and one for records, and a way to hand deliveries in."""

import json
from collections.abc import Callable
from datetime import datetime
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.crypto import sealed
from accounts.models import Domain
from wallboard.calls import addresses, intake
from wallboard.calls.models import Subscription

Deliver = Callable[..., intake.Told]
SECRETS = {"calls": "the-calls-secret-0123456789abcdefghijkl", "cdrs": "the-cdrs-secret-0123456789abcdefghijklm"}


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
        secret_hash=addresses.hash_of(secret),
        request_body=sealed(body),
        **columns,
    )


@pytest.fixture
def deliver(subscription: Subscription) -> Deliver:
    """Keep and apply bodies in one transaction, as the door does."""

    def hand_in(*bodies: bytes, at: datetime | None = None, to: Subscription = subscription) -> intake.Told:
        return intake.commit([arrival(to, body, at) for body in bodies])

    return hand_in


def arrival(to: Subscription, body: bytes, at: datetime | None = None) -> intake.Arrival:
    return intake.Arrival(uuid4(), to.pk, to.domain_id, at or timezone.now(), body.decode(), intake.read(body))
