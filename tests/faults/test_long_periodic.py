"""What hangs or dies delays periodic work for a bounded time, and nothing is caught up (R12, O7)."""

import time

import pytest

from tests.faults.conftest import Note
from tests.faults.installation import Installation
from tests.faults.provider import requests_after
from tests.faults.test_periodic import overlaps
from tests.harness.site import seconds_until

pytestmark = [pytest.mark.faults, pytest.mark.timeout(300)]
CALL_SECONDS = 10
LEASE_SECONDS = 30
CHECK_LEASE_SECONDS = 40


@pytest.mark.promise("R12", "beat killed and started again")
def test_a_beat_that_returns_catches_nothing_up(site: Installation, figure: Note) -> None:
    site.kill("beat")
    time.sleep(8)
    site.restart("beat")
    polls = requests_after(site, seconds=6, path="stats")

    figure(f"{len(polls)} polls in the 6 s after 8 s without beat, {overlaps(polls)} overlaps")
    assert 1 <= len(polls) <= 8
    assert overlaps(polls) == 0


@pytest.mark.promise("R12", "a poll that hangs, and a worker that dies in it")
def test_a_poll_that_hangs_holds_nothing_up_for_long(site: Installation, figure: Note) -> None:
    site.simulator.control("faults", {"at": "stats", "do": "delay", "seconds": 45, "times": 1})
    before = site.oracle.value("PollState.objects.get().version")
    time.sleep(2)
    began = time.monotonic()
    site.kill("worker")
    site.restart("worker")

    site.wait(lambda: site.oracle.value("PollState.objects.get().version") > before + 3, LEASE_SECONDS + 30)
    took = time.monotonic() - began
    figure(f"polled again {took:.0f} s after the worker died in a hung poll (its lease lasts {LEASE_SECONDS} s)")
    assert took <= LEASE_SECONDS + 20


@pytest.mark.promise("O9", "a check of the subscriptions that hangs, and a worker that dies in it")
def test_a_check_that_hangs_holds_nothing_up_for_long(site: Installation, figure: Note) -> None:
    rows = "Subscription.objects.exclude(state='retired')"
    ids = f"sorted({rows}.values_list('provider_id', flat=True))"
    before = site.oracle.value(ids)
    site.simulator.control("faults", {"at": "subscriptions.read", "do": "delay", "seconds": 45, "times": 1})
    time.sleep(5)  # they are checked every 3 s
    site.kill("worker")
    site.simulator.control("subscriptions/delete")
    began = time.monotonic()
    site.restart("worker")

    site.wait(lambda: not {"", *before} & set(site.oracle.value(ids)), CHECK_LEASE_SECONDS + 30)
    took = time.monotonic() - began
    figure(
        f"subscribed again {took:.0f} s after the worker died in a hung check (its lease lasts {CHECK_LEASE_SECONDS} s)"
    )
    assert took <= CHECK_LEASE_SECONDS + 20


@pytest.mark.promise("O7", "the provider answers a byte a second")
def test_a_dripping_answer_ends_in_time(site: Installation, figure: Note) -> None:
    site.oracle.value("PollState.objects.update(failures=0)")
    began = time.monotonic()
    site.simulator.control("faults", {"at": "stats", "do": "drip", "seconds": 1, "times": 1})

    site.wait(lambda: site.oracle.value("PollState.objects.get().failure") == "unreachable", CALL_SECONDS + 10)
    noticed_after = time.monotonic() - began
    healed_after = seconds_until(lambda: site.oracle.value("PollState.objects.get().failure") == "", 15)
    figure(f"given up after {noticed_after:.1f} s, read again {healed_after:.1f} s later")
    assert noticed_after <= CALL_SECONDS + 4
