"""A company whose readings are written down as a poll would leave them."""

import json
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
import redis
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import Domain, Person, User
from wallboard.alerts import lifecycle
from wallboard.alerts.models import Alert
from wallboard.live import feeds, publish
from wallboard.queues.models import PollState, Queue

START = datetime.fromisoformat("2026-11-18T10:00:00+00:00")  # a Wednesday
Read = Callable[..., None]
Acknowledge = Callable[[Person], Alert | None]


@pytest.fixture(autouse=True)
def patient_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test starts with a Redis that nobody has given up on."""
    monkeypatch.setattr(publish, "breaker", publish.Breaker())


@pytest.fixture(autouse=True)
def plain_static_files(settings: Any) -> None:
    """Static files under their own names: nothing is collected for these tests."""
    backend = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": backend}


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """The clock stands still unless a test moves it."""
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.fixture
def domain(db: None, redis_url: str) -> Domain:
    return Domain.objects.create(
        slug="main", name="Main", base_url="http://provider.test", client_id="id", client_secret="secret"
    )


@pytest.fixture
def support(domain: Domain) -> Queue:
    return Queue.objects.create(domain=domain, number="501", name="Support")


@pytest.fixture
def sales(domain: Domain) -> Queue:
    return Queue.objects.create(domain=domain, number="502", name="Sales")


@pytest.fixture
def ana(domain: Domain) -> Person:
    user = User.objects.create(username="ana")
    return Person.objects.create(domain=domain, extension="101", name="Ana", role="supervisor", user=user)


@pytest.fixture
def supervisor(ana: Person) -> Client:
    assert ana.user is not None
    client = Client()
    client.force_login(ana.user)
    return client


@pytest.fixture
def acknowledge(domain: Domain, django_capture_on_commit_callbacks: Any) -> Acknowledge:
    """A person acknowledges the newest alert."""

    def acknowledged(person: Person) -> Alert | None:
        with django_capture_on_commit_callbacks(execute=True):
            return lifecycle.acknowledge(domain.pk, Alert.objects.latest("pk").pk, person)

    return acknowledged


@pytest.fixture
def read(domain: Domain, clock: time_machine.Traveller, django_capture_on_commit_callbacks: Any) -> Read:
    """A reading so many seconds after the one before, with the level of each queue; judged as after every poll."""

    def keep(after: float = 5, failure: str = "", missing: str = "", **levels: str) -> None:
        clock.shift(timedelta(seconds=after))
        now = timezone.now()
        state, _ = PollState.objects.get_or_create(domain=domain)
        if failure:
            state.failure = failure
        else:
            state.read_at, state.failure, state.version = now, "", state.version + 1
            ended = round(now.timestamp() * 1000)
            documents = {number.removeprefix("q"): document(level) for number, level in levels.items()}
            if missing:
                documents[missing] = {**document("late"), "missing_since": ended}  # as it was read last
            state.figures = {number: (state.version, each) for number, each in documents.items()}
        state.save()
        with django_capture_on_commit_callbacks(execute=True):
            lifecycle.apply_reading(domain)

    return keep


def document(level: str) -> dict[str, Any]:
    return {"level": level, "reason": "" if level == "normal" else "longest_wait", "missing_since": None}


@pytest.fixture
def told(domain: Domain, redis_url: str) -> Iterator[Callable[[], dict[str, Any]]]:
    """What the feed `alerts` holds now, by the name of the queue."""
    keys = feeds.alerts(domain.pk).keys
    with redis.Redis.from_url(redis_url, decode_responses=True) as client:
        yield lambda: {each["name"]: each for each in map(json.loads, client.hgetall(keys[1]).values())}
