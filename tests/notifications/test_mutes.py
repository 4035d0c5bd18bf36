"""Mutes as boards see them: in the feed `queues` when they begin, and out of it when they end."""

import json
from datetime import timedelta
from typing import Any

import pytest
import redis
import time_machine
from django.utils import timezone

from accounts.models import Domain, Person
from wallboard.live import feeds
from wallboard.live.feeds import milliseconds
from wallboard.notifications import mutes
from wallboard.notifications.models import Mute
from wallboard.queues.models import Queue
from wallboard.sockets import snapshots

HOUR = timedelta(hours=1)


@pytest.fixture
def held(domain: Domain, redis_url: str) -> Any:
    """What the feed holds of mutes."""

    def read() -> dict[str, Any]:
        with redis.Redis.from_url(redis_url, decode_responses=True) as client:
            found: Any = client.hgetall(feeds.queues(domain.pk).keys[1])
        return {key: json.loads(text) for key, text in found.items() if key.startswith("mute:")}

    return read


def test_a_mute_is_on_the_boards_until_it_ends(
    clock: time_machine.Traveller, ana: Person, support: Queue, held: Any, django_capture_on_commit_callbacks: Any
) -> None:
    until = timezone.now() + HOUR
    with django_capture_on_commit_callbacks(execute=True):
        mute = mutes.begin(ana, support, until, "fire drill")
    shown = held()
    clock.shift(60)
    with django_capture_on_commit_callbacks(execute=True):
        mutes.end(mute)

    assert shown == {"mute:501": {"until": milliseconds(until), "reason": "fire drill"}}
    assert held() == {}


def test_of_several_mutes_the_longest_shows_and_the_next_one_after_it(
    clock: time_machine.Traveller, ana: Person, support: Queue, held: Any, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        long = mutes.begin(ana, None, timezone.now() + 3 * HOUR, "long")
        clock.shift(1)
        mutes.begin(ana, None, timezone.now() + HOUR, "short")
    before = held()["mute:"]["reason"]
    clock.shift(1)
    with django_capture_on_commit_callbacks(execute=True):
        mutes.end(long)

    assert (before, held()["mute:"]["reason"]) == ("long", "short")


def test_a_lost_feed_comes_back_with_the_mutes_that_run(
    clock: time_machine.Traveller, domain: Domain, ana: Person, support: Queue, held: Any,
    django_capture_on_commit_callbacks: Any,
) -> None:  # fmt: skip
    with django_capture_on_commit_callbacks(execute=True):
        mutes.begin(ana, support, timezone.now() + HOUR, "fire drill")
    feed = feeds.queues(domain.pk)
    snapshots.mend(feed)

    assert snapshots.mend(feed) == 0, "the database says what was published, under the same version"
    clock.shift(2 * HOUR)
    snapshots.mend(feed)
    assert held() == {}
    assert Mute.objects.exists()
