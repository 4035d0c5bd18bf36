"""Nobody available while somebody waits; and waiting while somebody is free and no phone rings."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Domain, Person
from tests.alerts.detecting.conftest import Figures, Look, Ring
from wallboard.alerts import wording
from wallboard.alerts.detecting import queues
from wallboard.alerts.models import Alert
from wallboard.calls.models import Leg, Presence, Subscription
from wallboard.queues.models import Hours, PollState, Queue

FREE = {"waiting": 2, "available": 2, "agents": 3}


def waiting_leg(domain: Domain, call: str = "w1") -> Leg:
    now = timezone.now()
    return Leg.objects.create(
        domain=domain, from_call_id=call, to_call_id="q", queue="501", to_user="501", to_state="active",
        first_seen_at=now, heard_at=now, active_at=now,
    )  # fmt: skip


def test_callers_whom_nobody_can_answer_call_after_a_minute(look: Look, figures: Figures) -> None:
    assert look("nobody", 50, figures, waiting=2, available=0) == []

    [alert] = look("nobody", 20, figures, waiting=3, available=0)

    assert (wording.title(alert), wording.why(alert)) == (
        "Nobody available: Support", "3 waiting and nobody to answer",
    )  # fmt: skip
    assert "sign in" in wording.advice(alert)
    assert look("nobody", 0, figures, waiting=1, available=1) == []
    assert Alert.objects.get().ended_why == "normal"


@pytest.mark.parametrize("said", [{"waiting": 0, "available": 0}, {"waiting": 2, "available": 1}, {"waiting": 2}])
def test_an_empty_queue_a_served_one_and_one_of_which_little_is_known_call_nobody(
    look: Look, figures: Figures, said: dict[str, Any]
) -> None:
    assert look("nobody", 120, figures, **said) == []


def test_a_queue_that_is_closed_calls_nobody_and_ends_what_is_open(
    look: Look, figures: Figures, domain: Domain
) -> None:
    assert look("nobody", 80, figures, waiting=2, available=0)

    Hours.objects.create(domain=domain, week=[[], [], [[0, 60]], [], [], [], []])
    assert look("nobody", 200, figures, waiting=2, available=0) == []
    assert [each.ended_why for each in Alert.objects.all()] == ["closed"]


def test_a_hidden_queue_calls_nobody(look: Look, figures: Figures, support: Queue) -> None:
    Queue.objects.update(is_hidden=True)

    assert look("nobody", 200, figures, waiting=2, available=0) == []


def test_figures_that_are_old_raise_and_end_nothing(
    look: Look, figures: Figures, clock: time_machine.Traveller
) -> None:
    figures(waiting=2, available=0)
    assert look("nobody", 200) == [], "nobody knows how it is since the first ten seconds"

    assert look("nobody", 80, figures, waiting=2, available=0)
    clock.shift(timedelta(minutes=3))
    assert look("nobody", 60), "it stays as it was seen last"


def test_the_time_begins_anew_after_an_outage(look: Look, figures: Figures, clock: time_machine.Traveller) -> None:
    look("nobody", 50, figures, waiting=2, available=0)
    clock.shift(timedelta(seconds=30))
    look("nobody", 60)

    assert look("nobody", 20, figures, waiting=2, available=0) == []


def test_somebody_is_free_and_no_phone_rings(
    look: Look, figures: Figures, events: Subscription, people: list[Person], domain: Domain
) -> None:
    waiting_leg(domain)

    [alert] = look("no_ring", 80, figures, **FREE)

    assert wording.title(alert) == "Waiting while somebody is free: Support"
    assert wording.why(alert) == "2 waiting, 2 counted as free, and no phone rings"


def test_a_phone_that_rings_for_them_or_a_moment_ago_is_none(
    look: Look, figures: Figures, events: Subscription, people: list[Person], domain: Domain, ring: Ring
) -> None:
    waiting_leg(domain)
    leg = ring("102", lasts=None, call="w1")
    assert look("no_ring", 120, figures, **FREE) == []

    leg.ended_at, leg.to_state = timezone.now(), "ended"
    leg.save()
    for _ in range(4):
        ring("102", ago=10, lasts=5, call="w1")
        assert look("no_ring", 30, figures, **FREE) == []


def test_a_phone_that_rings_for_somebody_else_is_no_answer_where_the_queue_is_visible(
    look: Look, figures: Figures, events: Subscription, people: list[Person], domain: Domain, ring: Ring
) -> None:
    waiting_leg(domain)
    ring("102", lasts=None, call="other")

    assert look("no_ring", 80, figures, **FREE)


def test_where_the_queue_is_not_visible_any_phone_that_rings_counts(
    look: Look, figures: Figures, events: Subscription, people: list[Person], ring: Ring
) -> None:
    ring("102", lasts=None)

    assert look("no_ring", 80, figures, **FREE) == []


def test_those_who_talk_may_be_the_ones_who_count_as_available(
    look: Look, figures: Figures, events: Subscription, people: list[Person], domain: Domain
) -> None:
    waiting_leg(domain)
    Presence.objects.update(state="talking")

    assert look("no_ring", 120, figures, **FREE) == []
    assert look("no_ring", 120, figures, **{**FREE, "available": 3})


@pytest.mark.parametrize(
    ("more", "reason"), [({"agents": 0}, "signed_out"), ({"tried": True}, "unreachable"), ({"away": True}, "away")]
)
def test_the_likely_reason_is_named(
    look: Look, figures: Figures, events: Subscription, people: list[Person], domain: Domain, ring: Ring,
    more: dict[str, Any], reason: str,
) -> None:  # fmt: skip
    if more.pop("away", False):
        earlier = waiting_leg(domain, "before")
        earlier.ended_at = timezone.now()
        earlier.save()
        ring("102", ago=600, call="before", answered=True)
        Presence.objects.filter(person__extension="102").update(status="break")
    is_tried = more.pop("tried", False)
    waiting_leg(domain)
    for _ in range(4):
        if is_tried:
            ring("102", ago=1, lasts=0, call="w1", ringing_at=None)
        found = look("no_ring", 20, figures, **(FREE | more))

    assert [each.reason for each in found] == [reason]
    assert "{" not in wording.why(found[0])


def test_without_call_events_every_phone_is_silent(look: Look, figures: Figures, people: list[Person]) -> None:
    assert look("no_ring", 120, figures, **FREE) == []


@pytest.mark.parametrize(("kind", "said"), [("nobody", {"waiting": 2, "available": 0}), ("no_ring", FREE)])
def test_what_is_open_ends_with_business_hours_while_its_source_is_away(
    look: Look, figures: Figures, events: Subscription, people: list[Person], domain: Domain,
    clock: time_machine.Traveller, kind: str, said: dict[str, Any],
) -> None:  # fmt: skip
    assert look(kind, 90, figures, **said)

    clock.shift(timedelta(minutes=30))  # nobody reads the queues any more
    Hours.objects.create(domain=domain, week=[[], [], [[0, 60]], [], [], [], []])
    assert look(kind, 0) == []
    assert Alert.objects.get().ended_why == "closed"


def test_a_ring_whose_end_nobody_heard_counts_for_a_shift_at_most(
    look: Look, figures: Figures, events: Subscription, people: list[Person], ring: Ring
) -> None:
    ring("102", ago=9 * 3600, lasts=None)

    assert look("no_ring", 80, figures, **FREE)


def test_many_queues_with_callers_are_looked_at_in_few_statements_that_an_index_serves(
    domain: Domain, events: Subscription, people: list[Person]
) -> None:
    def statements(count: int) -> list[str]:
        numbers = [str(600 + place) for place in range(count)]
        Queue.objects.bulk_create([Queue(domain=domain, number=each, name=each) for each in numbers])
        held = {each: (1, {"level": "normal", "missing_since": None, **FREE, "available": 5}) for each in numbers}
        PollState.objects.update_or_create(domain=domain, defaults={"read_at": timezone.now(), "figures": held})
        with CaptureQueriesContext(connection) as seen:
            assert len(queues.no_ring(domain).states) == count
        Queue.objects.all().delete()
        return [each["sql"] for each in seen]

    one, many = statements(1), statements(11)

    assert (len(many) - len(one)) / 10 <= 2, "the queue's callers, and who answers them"
    assert all('"first_seen_at" >=' in each for each in many if 'FROM "calls_leg"' in each)
