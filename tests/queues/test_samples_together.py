"""Samples of several companies in the same statements: each gets what it would get by itself."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Domain
from wallboard.live import feeds
from wallboard.queues import samples
from wallboard.queues.models import PollState, Queue, Reading, Sample, Trends

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
CALM, FULL = [0, 0, 0, 4, 2, "normal"], [3, 90, 40, 4, 0, "late"]


def company(slug: str) -> Domain:
    made = Domain.objects.create(slug=slug, name=slug.title(), base_url="http://p.test", client_id="i")
    PollState.objects.create(domain=made)
    Queue.objects.bulk_create(Queue(domain=made, number=number) for number in ("8001", "8002"))
    return made


def read(domain: Domain, start: int, end: int, figures: list[Any]) -> None:
    """A reading each five seconds from then on, in seconds after noon; both queues show the same."""
    for seconds in range(start, end, 5):
        at = NOON + timedelta(seconds=seconds)
        Reading.objects.create(domain=domain, read_at=at, figures={"8001": figures, "8002": figures})


@pytest.fixture
def at_four() -> Iterator[None]:
    """It is four minutes and six seconds past noon."""
    with time_machine.travel(NOON + timedelta(seconds=246), tick=False):
        yield


def rows(domain: Domain) -> list[dict[str, Any]]:
    """The samples without their ids, and the lines."""
    found = Sample.objects.filter(queue__domain=domain).order_by("minute", "queue__number")
    names = ("minute", "queue__number", "readings", "waiting", "late_seconds", "nobody_seconds", "least_available")
    return [*found.values(*names), Trends.objects.get(domain=domain).lines]


@pytest.mark.usefixtures("at_four", "redis_url")
@pytest.mark.django_db
def test_each_of_several_gets_what_it_gets_by_itself() -> None:
    new, behind, ahead, silent = (company(name) for name in ("new", "behind", "ahead", "silent"))
    read(new, 60, 240, FULL)
    read(behind, -3600, 240, CALM)  # more than one piece takes
    read(ahead, 0, 240, FULL)
    PollState.objects.filter(domain=ahead).update(rolled_until=NOON + timedelta(hours=2))
    everybody = [new, behind, ahead]

    assert samples.roll_together([each.pk for each in (*everybody, silent)]) == 3 + 64 + 0
    together = [rows(each) if Trends.objects.filter(domain=each).exists() else [] for each in everybody]
    states = dict(PollState.objects.values_list("domain", "rolled_until"))

    Sample.objects.all().delete()
    Trends.objects.all().delete()
    PollState.objects.update(rolled_until=None)
    PollState.objects.filter(domain=ahead).update(rolled_until=NOON + timedelta(hours=2))
    assert [samples.roll(each) for each in everybody] == [3, 64, 0]

    assert together == [rows(each) if Trends.objects.filter(domain=each).exists() else [] for each in everybody]
    assert dict(PollState.objects.values_list("domain", "rolled_until")) == states
    assert states[silent.pk] is None
    # What was set back goes on from now.
    assert states[ahead.pk] == NOON + timedelta(minutes=4)


@pytest.mark.usefixtures("redis_url")
@pytest.mark.django_db
def test_eight_take_as_many_statements_as_one_and_each_feed_is_told() -> None:
    everybody = [company(f"c{number}") for number in range(9)]
    ids = [each.pk for each in everybody]
    for each in everybody:
        read(each, 120, 240, FULL)
    with time_machine.travel(NOON + timedelta(seconds=186), tick=False):
        samples.roll_together(ids)  # lines are made from what is stored the first time

    with time_machine.travel(NOON + timedelta(seconds=246), tick=False):
        with CaptureQueriesContext(connection) as of_one:
            assert samples.roll_together(ids[:1]) == 1
        with CaptureQueriesContext(connection) as of_eight:
            assert samples.roll_together(ids[1:]) == 8

    assert len(of_eight) == len(of_one)
    for each in everybody:
        assert "trend:8002" in feeds.queues(each.pk).versions().versions


@pytest.mark.usefixtures("at_four", "redis_url")
@pytest.mark.django_db
def test_many_that_are_behind_hold_their_locks_for_no_longer_than_one(monkeypatch: pytest.MonkeyPatch) -> None:
    everybody = [company(f"c{number}") for number in range(4)]
    for each in everybody:
        read(each, -1200, 240, CALM)
    took: list[int] = []
    piece_of = samples._roll_some

    def noted(*args: Any) -> samples.Piece:
        piece = piece_of(*args)
        took.append(sum(each.minutes for each in piece.windows))
        return piece

    monkeypatch.setattr(samples, "_roll_some", noted)

    assert samples.roll_together([each.pk for each in everybody]) == 4 * 24
    assert max(took) <= samples.MOST_MINUTES


@pytest.mark.usefixtures("redis_url")
@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_push_each_minute_once() -> None:
    everybody = [company(f"c{number}") for number in range(3)]
    for each in everybody:
        read(each, 0, 240, FULL)
    orders = [[each.pk for each in everybody], [each.pk for each in reversed(everybody)]] * 2

    def roll(domain_ids: list[int]) -> int:
        try:
            return samples.roll_together(domain_ids)
        finally:
            connection.close()

    with time_machine.travel(NOON + timedelta(seconds=246), tick=False), ThreadPoolExecutor(4) as pool:
        found = list(pool.map(roll, orders))

    assert sum(found) == 3 * 4
    for stored in Trends.objects.all():
        assert stored.lines["8001"]["waiting"][-5:] == [None, 3.0, 3.0, 3.0, 3.0]
