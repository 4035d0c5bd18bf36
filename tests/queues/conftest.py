"""A company with a token in hand, and the answers that its provider gives."""

import json
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
import redis
import responses
from django.utils import timezone

from accounts.encryption import sealed
from accounts.models import CompanyToken, Domain
from wallboard.live import feeds, publish
from wallboard.queues import pacing, polling
from wallboard.queues.models import PollState

BASE_URL = "http://provider.test"
STATS_URL = f"{BASE_URL}/api/call_queues/stats/live/"
Answer = Callable[..., None]
Read = Callable[..., PollState]
FeedNow = Callable[[], Any]


def due(now: datetime) -> list[Domain]:
    """The companies that would be read now."""
    return [each for each in pacing.connected() if pacing.is_due(each, pacing.state_of(each), now)]


def row(
    queue: str | int, waiting: int = 0, longest: int = 0, average: int = 0, agents: int = 4, available: int = 2
) -> Any:
    """One queue as the provider's answer shows it."""
    return {
        "queue": queue,
        "calls_waiting": waiting,
        "max_wait": longest,
        "avg_wait": average,
        "num_agents": agents,
        "available_agents": available,
        "unavailable_agents": agents - available,
    }


@pytest.fixture(autouse=True)
def patient_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test starts with a Redis that nobody has given up on."""
    monkeypatch.setattr(publish, "breaker", publish.Breaker())


@pytest.fixture
def domain(db: None, redis_url: str) -> Domain:
    created = Domain.objects.create(
        slug="acme", name="Acme", base_url=BASE_URL, client_id="id", client_secret=sealed("canary-secret")
    )
    with_token(created)
    return created


def with_token(domain: Domain) -> None:
    """Let the domain hold a token that is good for an hour."""
    in_an_hour = timezone.now() + timedelta(hours=1)
    CompanyToken.objects.create(domain=domain, access_token=sealed("canary-token"), usable_until=in_an_hour)


@pytest.fixture
def provider() -> Iterator[responses.RequestsMock]:
    with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
        yield mock


@pytest.fixture
def answer(provider: responses.RequestsMock) -> Answer:
    """Sets what the next readings get: rows, or any arguments of `responses`."""

    def set_answer(*rows: Any, **options: Any) -> None:
        provider.reset()
        provider.get(STATS_URL, **(options or {"json": list(rows), "status": 201}))

    return set_answer


@pytest.fixture
def read(domain: Domain, answer: Answer) -> Read:
    """Polls once with the given answer, as if the last poll were long ago, and gives the state after it."""

    def poll_once(*rows: Any, **options: Any) -> PollState:
        answer(*rows, **options)
        PollState.objects.filter(domain=domain).update(tried_at=None, not_before=None)
        polling.poll(domain)
        return PollState.objects.get(domain=domain)

    return poll_once


@pytest.fixture
def feed(domain: Domain, redis_url: str) -> Iterator[FeedNow]:
    """What the feed `queues` holds now, removals left out."""
    keys = feeds.queues(domain.pk).keys
    with redis.Redis.from_url(redis_url, decode_responses=True) as client:
        yield lambda: {
            key: (int(client.hget(keys[0], key) or 0), json.loads(value))
            for key, value in client.hgetall(keys[1]).items()
        }
