"""A capture that is replayed later is kept and rings nowhere; whatever is really ringing rings (S2)."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core.cache import cache

from accounts.models import Domain
from tests.calls.conftest import Deliver, deliver, domain, subscription  # noqa: F401  (fixtures)
from tests.calls.events import event
from wallboard.calls import documents as news
from wallboard.calls import publisher
from wallboard.calls.models import Delivery, Leg
from wallboard.calls.webhooks import replays
from wallboard.live import connections, publish
from wallboard.queues.models import Queue

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
BEGAN = "2026-11-20 12:00:00"


@pytest.fixture(autouse=True)
def _fresh_cache() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the feeds are told, by feed."""
    heard: dict[str, Any] = {}

    def worded(news: Any) -> publish.Worded:
        for feed, documents in news:
            heard.setdefault(feed.name, {}).update(documents)
        return publish.Worded((), connections.Batch())

    monkeypatch.setattr(publish, "worded", worded)
    return heard


def rings(domain_id: int) -> int:
    return sum(value is not None for _, value in news.desk(domain_id, "101").values())


def an_ordinary_call(deliver: Deliver, at: datetime) -> None:  # noqa: F811
    """Any call whose time is told in the zone that is set."""
    deliver(event("ringing", call="own", leg="own", user="102", time_start=f"{at:%Y-%m-%d %H:%M:%S}"), at=at)


@pytest.mark.parametrize(("minutes", "is_rung"), [(0, 1), (9, 1), (11, 0), (60, 0), (1440, 0)])
def test_a_call_that_is_first_told_long_after_it_began_does_not_ring(
    minutes: int,
    is_rung: int,
    deliver: Deliver,  # noqa: F811
    domain: Domain,  # noqa: F811
    told: dict[str, Any],
) -> None:
    now = NOON + timedelta(minutes=minutes)
    with time_at(now):
        an_ordinary_call(deliver, now)
        publisher.publish_changes(deliver(event("ringing", time_start=BEGAN), at=now))

        assert (rings(domain.pk), Leg.objects.count(), Delivery.objects.count()) == (is_rung, 2, 2)
        assert sum(value is not None for _, value in told["desk:101"].values()) == is_rung


def time_at(moment: datetime) -> Any:
    return time_machine.travel(moment, tick=False)


def test_a_caller_who_waited_long_in_a_queue_rings(deliver: Deliver, domain: Domain) -> None:  # noqa: F811
    Queue.objects.create(domain=domain, number="900")
    with time_at(NOON):
        deliver(event("active", user="900", leg="queue", time_start=BEGAN), at=NOON)
    later = NOON + timedelta(minutes=25)
    with time_at(later):
        deliver(event("ringing", time_start=BEGAN), at=later)

        assert rings(domain.pk) == 1


@pytest.mark.parametrize("hours", [-7, 5])
def test_a_zone_that_is_set_wrong_silences_nobody(hours: int, deliver: Deliver, domain: Domain) -> None:  # noqa: F811
    now = NOON + timedelta(hours=hours)
    with time_at(now):
        for number in range(3):
            deliver(event("ringing", call=f"c{number}", leg=f"l{number}", time_start=BEGAN), at=now)

        assert rings(domain.pk) == 3


def test_a_zone_that_is_set_wrong_costs_nothing_for_each_call(
    deliver: Deliver,  # noqa: F811
    domain: Domain,  # noqa: F811
    django_assert_num_queries: Any,
) -> None:
    now = NOON + timedelta(hours=5)
    with time_at(now):
        for number in range(3):
            deliver(event("ringing", call=f"c{number}", leg=f"l{number}", time_start=BEGAN), at=now)
        assert rings(domain.pk) == 3

        legs = list(Leg.objects.all())
        with django_assert_num_queries(0):
            assert [replays.is_old(leg, domain.call_time_zone) for leg in legs] == [False] * 3


def test_the_zone_that_is_set_counts(deliver: Deliver, domain: Domain) -> None:  # noqa: F811
    Domain.objects.update(call_time_zone="America/New_York")
    now = NOON + timedelta(hours=5)  # noon in New York
    with time_at(now):
        deliver(event("ringing", time_start=BEGAN), at=now)
        assert rings(domain.pk) == 1
        old = {"time_start": "2026-11-20 09:00:00"}
        deliver(event("ringing", call="old", leg="old", **old), at=now)
        assert rings(domain.pk) == 1


@pytest.mark.parametrize("text", ["", None, "yesterday", "9999-99-99 99:99:99"])
def test_a_call_without_a_readable_start_rings(text: Any, deliver: Deliver, domain: Domain) -> None:  # noqa: F811
    with time_at(NOON):
        an_ordinary_call(deliver, NOON)
        body = json.loads(event("ringing"))
        body["calls"]["time_start"] = text
        deliver(json.dumps(body).encode(), at=NOON)

        assert rings(domain.pk) == 1


def test_a_caller_who_waited_long_rings_where_each_leg_has_a_callers_id(
    deliver: Deliver,  # noqa: F811
    domain: Domain,  # noqa: F811
) -> None:
    Queue.objects.create(domain=domain, number="900")
    with time_at(NOON):
        deliver(event("active", call="to-queue", user="900", leg="queue", time_start=BEGAN), at=NOON)
    later = NOON + timedelta(minutes=25)
    with time_at(later):
        deliver(event("ringing", call="to-phone", time_start=BEGAN), at=later)

        assert rings(domain.pk) == 1


def test_a_call_that_is_passed_on_after_a_long_talk_rings(deliver: Deliver, domain: Domain) -> None:  # noqa: F811
    withheld = {"caller": "anonymous", "time_start": BEGAN}
    with time_at(NOON):
        deliver(event("active", call="first", leg="l1", user="102", **withheld), at=NOON)
    later = NOON + timedelta(minutes=25)
    with time_at(later):
        deliver(event("ringing", call="second", leg="l2", by_call_id="l1", **withheld), at=later)

        assert rings(domain.pk) == 1


@pytest.mark.parametrize(("minutes", "is_rung"), [(25, 1), (60, 0)])
def test_callers_of_queues_that_no_event_tells_of_ring(
    minutes: int,
    is_rung: int,
    deliver: Deliver,  # noqa: F811
    domain: Domain,  # noqa: F811
) -> None:
    Queue.objects.create(domain=domain, number="900")
    now = NOON + timedelta(minutes=minutes)
    with time_at(now):
        an_ordinary_call(deliver, now)
        deliver(event("ringing", time_start=BEGAN), at=now)

        assert rings(domain.pk) == is_rung


@pytest.mark.parametrize("hour", [0, 1])
def test_phones_ring_in_the_hour_that_a_clock_repeats(hour: int, deliver: Deliver, domain: Domain) -> None:  # noqa: F811
    Domain.objects.update(call_time_zone="Europe/Berlin")
    before, now = datetime(2026, 10, 24, 22, 30, tzinfo=UTC), datetime(2026, 10, 25, hour, 20, tzinfo=UTC)
    with time_at(before):
        deliver(event("ringing", call="own", leg="own", user="102", time_start="2026-10-25 00:30:00"), at=before)
    with time_at(now):
        deliver(event("ringing", time_start="2026-10-25 02:20:00"), at=now)

        assert rings(domain.pk) == 1
