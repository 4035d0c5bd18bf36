"""What operators are told: /healthz, /readyz and /metrics."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.crypto import sealed
from accounts.models import Domain
from tests.harness.redis import RedisServer
from wallboard.calls.models import Subscription
from wallboard.queues.models import PollState

pytestmark = pytest.mark.django_db


@pytest.fixture
def domain() -> Domain:
    """A company that was read just now and whose call events are live."""
    domain = Domain.objects.create(slug="acme", name="Acme", base_url="https://provider.test", client_id="c")
    now = timezone.now()
    PollState.objects.create(domain=domain, version=4, read_at=now, tried_at=now)
    subscribe(domain, state=Subscription.State.READY)
    return domain


def subscribe(domain: Domain, state: str) -> Subscription:
    later = timezone.now() + timedelta(days=1)
    return Subscription.objects.create(
        domain=domain, kind="calls", state=state, secret=sealed("path-secret"), secret_hash="h", expires_at=later
    )


def problems(client: Client) -> list[str]:
    answer = client.get("/readyz")
    found: list[str] = answer.json()["problems"]
    assert answer.status_code == (503 if found else 200)
    assert answer.json()["ready"] is (not found)
    return found


def test_healthz_answers_without_looking_at_anything(client: Client) -> None:
    answer = client.get("/healthz")

    assert (answer.status_code, answer.content) == (200, b"ok\n")


def test_readyz_is_content_when_everything_is_live(client: Client, domain: Domain, redis_url: str) -> None:
    assert problems(client) == []


def test_readyz_says_that_no_company_is_set_up(client: Client, redis_url: str) -> None:
    assert problems(client) == ["No company is set up: set the PROVIDER_… settings and run `manage.py setup`."]


def test_readyz_says_how_old_the_figures_are_and_why(client: Client, domain: Domain, redis_url: str) -> None:
    long_ago = timezone.now() - timedelta(seconds=90)
    PollState.objects.filter(domain=domain).update(read_at=long_ago, failure="rate_limited")

    assert problems(client) == ["acme: the queues were last read 90 s ago (rate limited)."]


def test_readyz_allows_two_missed_polls_and_some_seconds(client: Client, domain: Domain, redis_url: str) -> None:
    PollState.objects.filter(domain=domain).update(read_at=timezone.now() - timedelta(seconds=14))
    assert problems(client) == []

    PollState.objects.filter(domain=domain).update(read_at=timezone.now() - timedelta(seconds=16))
    assert problems(client) == ["acme: the queues were last read 16 s ago (do worker and beat run?)."]


def test_readyz_says_that_nothing_was_ever_read(client: Client, domain: Domain, redis_url: str) -> None:
    PollState.objects.all().delete()

    assert problems(client) == ["acme: the queues were never read (do worker and beat run?)."]


def test_readyz_says_that_call_events_are_not_live(client: Client, domain: Domain, redis_url: str) -> None:
    Subscription.objects.update(state=Subscription.State.LOST)

    assert problems(client) == ["acme: call events are down."]


def test_readyz_leaves_out_companies_that_are_switched_off(client: Client, domain: Domain, redis_url: str) -> None:
    Domain.objects.create(slug="gone", name="Gone", base_url="https://x.test", client_id="x", is_active=False)

    assert problems(client) == []


def test_readyz_says_that_redis_is_away(client: Client, domain: Domain) -> None:
    assert problems(client) == ["Redis (REDIS_URL) does not answer."]  # the tests' address until redis_url is taken


def test_metrics_tell_the_state_of_every_company(client: Client, domain: Domain, redis_url: str) -> None:
    lines = client.get("/metrics").content.decode().splitlines()

    assert 'wallboard_call_events_live{domain="acme"} 1.0' in lines
    assert 'wallboard_subscriptions{domain="acme",kind="calls",state="ready"} 1.0' in lines
    assert 'wallboard_feed_behind{domain="acme"} 4.0' in lines
    assert "wallboard_database_up 1.0" in lines
    assert any(line.startswith('wallboard_poll_age_seconds{domain="acme"} 0.') for line in lines)


def test_metrics_work_without_redis(client: Client, domain: Domain) -> None:
    assert 'wallboard_feed_behind{domain="acme"} NaN' in client.get("/metrics").content.decode()


def test_metrics_count_deliveries_by_our_answer(client: Client, redis_server: RedisServer) -> None:
    def refused() -> float:
        lines = client.get("/metrics").content.decode().splitlines()
        counts = [line.split()[1] for line in lines if line.startswith('wallboard_deliveries_total{status="404"}')]
        return float(counts[0]) if counts else 0.0

    before = refused()
    client.post("/hooks/nobody-knows-this/", b"{}", content_type="application/json")

    assert refused() == before + 1


def test_metrics_hold_no_secret(client: Client, domain: Domain, redis_url: str) -> None:
    client.post("/hooks/path-secret/", b"{}", content_type="application/json")

    assert b"path-secret" not in client.get("/metrics").content
