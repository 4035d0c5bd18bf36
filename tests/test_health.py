"""What operators are told: /healthz, /readyz and /metrics."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.companies import editing
from accounts.encryption import sealed
from accounts.models import Domain
from tests.harness.redis import RedisServer
from wallboard.calls.models import Subscription
from wallboard.queues.models import PollState, Queue, Sample
from wallboard.setup import status_checks

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


@pytest.mark.parametrize(("path", "status"), [("/healthz", 200), ("/metrics", 200), ("/accounts/login/", 400)])
def test_probes_may_ask_a_process_by_its_address(
    path: str, status: int, client: Client, redis_url: str, settings: Any
) -> None:
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # for the page that refuses
    settings.STORAGES = settings.STORAGES | {"staticfiles": plain}

    assert client.get(path, HTTP_HOST="10.1.2.3:8000").status_code == status


def test_readyz_is_content_when_everything_is_live(client: Client, domain: Domain, redis_url: str) -> None:
    assert problems(client) == []


def test_readyz_says_that_no_company_is_set_up(client: Client, redis_url: str) -> None:
    assert problems(client) == ["No company is set up: run `manage.py setup` and open the address that it prints."]


def test_readyz_says_how_old_the_figures_are_and_why(client: Client, domain: Domain, redis_url: str) -> None:
    long_ago = timezone.now() - timedelta(seconds=90)
    PollState.objects.filter(domain=domain).update(read_at=long_ago, failure="rate_limited")

    assert problems(client) == ["acme: the queues were last read 90 s ago (rate limited)."]


def test_readyz_allows_two_missed_polls_and_some_seconds(client: Client, domain: Domain, redis_url: str) -> None:
    PollState.objects.filter(domain=domain).update(read_at=timezone.now() - timedelta(seconds=11))
    assert problems(client) == []

    PollState.objects.filter(domain=domain).update(read_at=timezone.now() - timedelta(seconds=13))
    assert problems(client) == ["acme: the queues were last read 13 s ago (do worker and beat run?)."]


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


def test_metrics_tell_nothing_of_a_company_that_nobody_connected_yet(client: Client, redis_url: str) -> None:
    editing.add("New customer")

    assert b"new-customer" not in client.get("/metrics").content


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


def test_strangers_read_no_companys_name(client: Client, domain: Domain, redis_url: str) -> None:
    Subscription.objects.update(state=Subscription.State.LOST)

    told = client.get("/readyz", REMOTE_ADDR="203.0.113.9")

    assert told.json()["problems"] == [f"company {domain.pk}: call events are down."]
    assert problems(client) == ["acme: call events are down."]


@pytest.mark.parametrize(
    ("asked", "proxies", "status"),
    [
        ({}, 0, 200),
        ({"REMOTE_ADDR": "203.0.113.9"}, 0, 403),
        ({"HTTP_X_FORWARDED_FOR": "203.0.113.9"}, 0, 403),  # a proxy on this machine that was not configured
        ({"HTTP_X_FORWARDED_FOR": "127.0.0.1"}, 0, 403),
        ({"HTTP_X_FORWARDED_FOR": "127.0.0.1"}, 1, 200),
        ({"HTTP_X_FORWARDED_FOR": "127.0.0.1, 203.0.113.9"}, 1, 403),
        ({"REMOTE_ADDR": ""}, 0, 403),
    ],
)
def test_metrics_are_for_operators(
    asked: dict[str, str], proxies: int, status: int, client: Client, redis_url: str, settings: Any
) -> None:
    settings.TRUSTED_PROXIES = proxies

    assert client.get("/metrics", **asked).status_code == status  # type: ignore[arg-type]


def test_the_operators_token_opens_metrics_from_anywhere(client: Client, redis_url: str, settings: Any) -> None:
    def asked(word: str) -> int:
        return client.get("/metrics", REMOTE_ADDR="203.0.113.9", HTTP_AUTHORIZATION=word).status_code

    assert asked("Bearer ") == 403
    settings.OPERATOR_TOKEN = "an-operators-token-0123456789-abcdef"
    assert [asked(word) for word in ("Bearer an-operators-token-0123456789-abcdef", "Bearer x", "Bearer ", "")] == [
        *(200, 403, 403, 403)
    ]


def waited(domain: Domain, per_minute: list[int], number: str = "800") -> None:
    """So many callers waited in each of the last minutes, the newest last."""
    queue, _ = Queue.objects.get_or_create(domain=domain, number=number)
    now = timezone.now().replace(second=0, microsecond=0)
    for age, count in enumerate(reversed(per_minute)):
        Sample.objects.create(
            queue=queue, minute=now - timedelta(minutes=age), readings=9, waiting=count, most_waiting=count,
            longest_wait_seconds=9, watch_seconds=0, late_seconds=0, nobody_seconds=0,
        )  # fmt: skip


QUIET = "3 callers reached the queues in the last 30 minutes and no call event came."


@pytest.mark.parametrize(
    ("per_minute", "heard_minutes_ago", "told"),
    [
        ([0, 1, 0, 2, 0], 30, [f"acme: {QUIET}"]),
        ([0, 1, 0, 2, 0], 5, []),  # an event came lately
        ([0, 1, 1, 1, 1, 1, 1], 30, []),  # one caller who waits
        ([3, 3, 2, 1, 0], 30, []),  # nobody new came
        ([0] * 10, 30, []),
    ],
)
def test_callers_of_whom_no_event_tells_are_told(
    per_minute: list[int], heard_minutes_ago: int, told: list[str], client: Client, domain: Domain, redis_url: str
) -> None:
    Subscription.objects.update(heard_at=timezone.now() - timedelta(minutes=heard_minutes_ago))
    waited(domain, per_minute)

    assert problems(client) == told
    assert (
        f'wallboard_callers_unheard{{domain="acme"}} {3.0 if told else 0.0}' in client.get("/metrics").content.decode()
    )
    [check] = [each for each in status_checks.checks(domain) if each.title == "Call events"]
    assert (check.state, check.label) == (("late", "silent") if told else ("good", "live"))
