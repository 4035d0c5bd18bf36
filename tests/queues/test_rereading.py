"""Waits that were read in a wrong unit are read again or taken back."""

import threading
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.leases import HeldLease
from accounts.models import Domain
from wallboard.queues import polling, rereading, samples
from wallboard.queues.models import PollState, Queue, Reading, Sample
from wallboard.telephony.resources import QueueStats, QueueStatsList

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
RAW = {"8001": [2, 90_000, 60_000, 4, 2, 2]}


@pytest.fixture
def now() -> datetime:
    return timezone.now().replace(second=0, microsecond=0) - MINUTE


def stored(domain: Domain, now: datetime, *ages: timedelta) -> Queue:
    """Samples of so long ago, read in seconds, and readings of the last four minutes with their raw answers."""
    queue = Queue.objects.create(domain=domain, number="8001")
    for age in ages:
        Sample.objects.create(
            queue=queue, minute=now - age, readings=1, waiting=2, most_waiting=2, longest_wait_seconds=90_000,
            average_wait_seconds=60_000, watch_seconds=0, late_seconds=0, nobody_seconds=0,
        )  # fmt: skip
    for each in range(4):
        figures = {"8001": [2, 90_000, 60_000, 4, 2, "late"]}
        Reading.objects.create(domain=domain, read_at=now - each * MINUTE, figures=figures, raw=RAW)
    PollState.objects.create(domain=domain, rolled_until=now)
    return queue


def test_samples_that_are_being_made_meanwhile_are_in_the_new_unit(
    transactional_db: None, domain: Domain, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process reads again between the reading of readings and the writing of their samples."""
    queue = stored(domain, now)
    PollState.objects.update(rolled_until=now - 3 * MINUTE)
    domain.wait_unit = "ms"
    made, others = samples._samples, []

    def reread() -> None:
        rereading.reread(domain, [])
        connection.close()

    def slowly(*args: Any) -> list[Sample]:
        found = list(made(*args))
        others.append(threading.Thread(target=reread))
        others[-1].start()
        others[-1].join(0.3)  # it must wait; without the lock it is through long before
        return found

    monkeypatch.setattr(samples, "_samples", slowly)
    samples._roll_some({domain.pk: domain}, now, 30)
    others[0].join()
    monkeypatch.undo()
    samples.roll(domain)

    assert {longest(queue, now - age * MINUTE) for age in (1, 2)} == {90}


def test_a_reading_under_way_is_stored_in_the_unit_of_now(domain: Domain) -> None:
    """The unit is found out while the provider is asked."""
    state = PollState.objects.create(domain=domain)
    Domain.objects.update(wait_unit="ms")
    assert domain.wait_unit == "s"

    polling._store_answer(
        domain, state, HeldLease("poll", "ours", 1), timezone.now(), QueueStatsList([QueueStats("8001", *RAW["8001"])])
    )

    assert Reading.objects.get().figures["8001"][1] == 90


def longest(queue: Queue, minute: datetime) -> int | None:
    return Sample.objects.get(queue=queue, minute=minute).longest_wait_seconds


def test_what_is_kept_is_read_again_and_what_is_older_has_no_waits(domain: Domain, now: datetime) -> None:
    queue = stored(domain, now, 50 * HOUR, 2 * MINUTE)
    domain.wait_unit = "ms"

    rereading.reread(domain, [])
    samples.roll(domain)

    assert {tuple(each.figures["8001"][:3]) for each in Reading.objects.all()} == {(2, 90, 60)}
    assert longest(queue, now - 50 * HOUR) is None
    assert longest(queue, now - 2 * MINUTE) == 90


def test_what_was_read_while_another_unit_was_proven_stays(domain: Domain, now: datetime) -> None:
    queue = stored(domain, now, 50 * HOUR, 30 * HOUR)
    domain.wait_unit = "ms"
    held = [
        rereading.Held("s", now - 60 * HOUR, now - 40 * HOUR),
        rereading.Held("s", now - 2.5 * MINUTE, now - MINUTE),
    ]

    rereading.reread(domain, held)

    assert (longest(queue, now - 50 * HOUR), longest(queue, now - 30 * HOUR)) == (90_000, None)
    newest = Reading.objects.order_by("-read_at").values_list("figures", flat=True)
    assert [each["8001"][1] for each in newest] == [90, 90, 90_000, 90]
