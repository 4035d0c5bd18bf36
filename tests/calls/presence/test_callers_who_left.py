"""Callers who have left a queue whose leg was never ended: the polls tell, and what was told of their other legs."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Domain
from tests.calls.conftest import START, Deliver
from tests.calls.events import event
from wallboard.calls import tasks
from wallboard.calls.models import Leg
from wallboard.queues.models import PollState, Queue

pytestmark = pytest.mark.usefixtures("redis_url")


@pytest.fixture(autouse=True)
def at_start(clock: Any) -> Any:
    return clock


def polled(domain: Domain, waiting: int, at: Any) -> None:
    figures = {"900": [1, {"waiting": waiting, "missing_since": None}]}
    PollState.objects.update_or_create(domain=domain, defaults={"read_at": at, "figures": figures})


def test_callers_whom_the_queue_does_not_count_any_more_are_doubted_oldest_first(
    domain: Domain, deliver: Deliver, clock: Any
) -> None:
    Queue.objects.create(domain=domain, number="900")
    for index in range(3):
        deliver(event("active", call=f"c{index}", leg=f"l{index}", user="900", is_human=False))
        clock.shift(timedelta(seconds=10))
    clock.shift(timedelta(minutes=20))
    polled(domain, 3, START + timedelta(minutes=20, seconds=30))
    tasks.sweep()
    assert not Leg.objects.filter(is_unconfirmed=True).exists()

    polled(domain, 1, START + timedelta(minutes=20, seconds=30))
    tasks.sweep()
    doubted = [leg.from_call_id for leg in Leg.objects.filter(is_unconfirmed=True).order_by("pk")]
    assert doubted == ["c0", "c1"]

    clock.shift(timedelta(minutes=5))  # the figures are old: they speak against nobody
    tasks.sweep()
    assert not Leg.objects.filter(is_unconfirmed=True).exists()


@pytest.mark.parametrize("counted", [0, 1])
def test_polls_speak_against_the_caller_who_is_silent_for_long_and_not_against_one_who_has_just_come(
    domain: Domain, deliver: Deliver, clock: Any, counted: int
) -> None:
    Queue.objects.create(domain=domain, number="900")
    deliver(event("active", call="old", leg="old", user="900", is_human=False))
    clock.shift(timedelta(minutes=4))
    deliver(event("active", call="new", leg="new", user="900", is_human=False))
    polled(domain, counted, START + timedelta(minutes=4))
    tasks.sweep()

    assert [leg.from_call_id for leg in Leg.objects.filter(is_unconfirmed=True)] == ["old"]


@pytest.mark.parametrize(
    ("ends", "counted", "left_after"),
    [
        (("ended", "ended"), 0, 30),
        # Whoever is answered waits no longer.
        (("active", "active"), 0, 20),
        # The phone gave up; the caller may wait on.
        (("active", "ended"), 0, None),
        # The provider still counts them.
        (("ended", "ended"), 1, None),
    ],
)
def test_a_caller_whose_own_end_was_told_leaves_a_queue_that_does_not_count_them(
    domain: Domain, deliver: Deliver, clock: Any, ends: tuple[str, str], counted: int, left_after: int | None
) -> None:
    Queue.objects.create(domain=domain, number="900")
    deliver(event("active", leg="waits", user="900", is_human=False))
    if ends[1] == "active":
        clock.shift(timedelta(seconds=20))
        deliver(event(ends, leg="rings"))
        ends = "ended", "ended"
    clock.move_to(START + timedelta(seconds=30))
    deliver(event(ends, leg="rings"))
    polled(domain, counted, START + timedelta(minutes=3))
    clock.shift(timedelta(minutes=2, seconds=30))
    tasks.sweep()
    assert Leg.objects.get(queue="900").ended_at is None

    polled(domain, counted, START + timedelta(minutes=4))
    clock.shift(timedelta(minutes=1))
    tasks.sweep()
    left_at = START + timedelta(seconds=left_after) if left_after else None
    assert Leg.objects.get(queue="900").ended_at == left_at
