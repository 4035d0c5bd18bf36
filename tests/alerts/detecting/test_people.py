"""A phone that never answers while others do, and people who are away for longer than they said."""

from datetime import timedelta

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone

from accounts.models import Domain, Person
from tests.alerts.detecting.conftest import Look, Ring
from wallboard.alerts import wording
from wallboard.alerts.models import Alert
from wallboard.alerts.ruling import kind_rules
from wallboard.alerts.ruling.kind_rules import KindInput
from wallboard.calls.models import Leg, Subscription
from wallboard.calls.presence import states, statuses
from wallboard.queues.models import Hours

pytestmark = pytest.mark.usefixtures("events", "people")


def rings(ring: Ring, times: int = 4, *, others: bool = True, lasts: float = 20, every: float = 120) -> None:
    """Ben's phone rings unanswered again and again; Cleo answers another call between."""
    for number in range(times):
        ring("102", ago=600 + number * every, lasts=lasts)
        if others:
            ring("103", ago=560 + number * every, answered=True, lasts=30)


def test_a_phone_that_rings_unanswered_again_and_again_calls(look: Look, ring: Ring) -> None:
    rings(ring)

    [alert] = look("phone", 0)

    assert (wording.title(alert), wording.why(alert)) == (
        "Phone never answers: Ben", "4 calls in a row rang there unanswered, while others answered",
    )  # fmt: skip
    assert (alert.subject, alert.queue) == ("102", None)


def test_one_that_answers_again_is_well(look: Look, ring: Ring) -> None:
    rings(ring)
    assert look("phone", 0)

    ring("102", ago=5, answered=True, lasts=60)

    assert look("phone", 0) == []
    assert [each.ended_why for each in Alert.objects.all()] == ["normal"]


def test_three_calls_are_too_few(look: Look, ring: Ring) -> None:
    rings(ring, times=3)
    assert look("phone", 0) == []


def test_where_nobody_answers_it_is_no_matter_of_one_phone(look: Look, ring: Ring) -> None:
    rings(ring, others=False)
    assert look("phone", 0) == []


def test_short_rings_prove_nothing(look: Look, ring: Ring) -> None:
    rings(ring, lasts=6)
    assert look("phone", 0) == []


def test_a_group_that_rings_together_blames_nobody(look: Look, ring: Ring) -> None:
    for number in range(6):
        ring("102", ago=600 + number * 120, lasts=12, call=f"g{number}")
        answer = ring("103", ago=600 + number * 120, lasts=90, call=f"g{number}", answered=True)
        Leg.objects.filter(pk=answer.pk).update(active_at=answer.first_seen_at + timedelta(seconds=12))

    assert look("phone", 0) == []


def test_whoever_makes_calls_is_there(look: Look, ring: Ring) -> None:
    rings(ring)
    ring("", ago=300, from_user="102", answered=True, lasts=60)
    assert look("phone", 0) == []


def test_outside_business_hours_nobody_is_called(look: Look, ring: Ring, domain: Domain) -> None:
    rings(ring)
    Hours.objects.create(domain=domain, week=[[], [], [[0, 60]], [], [], [], []])
    assert look("phone", 0) == []


def test_without_call_events_nothing_is_said_of_anybody(look: Look, ring: Ring) -> None:
    rings(ring)
    Subscription.objects.update(state="lost")
    assert look("phone", 0) == []


def test_calls_of_hours_ago_are_forgotten(
    look: Look, ring: Ring, clock: time_machine.Traveller, people: list[Person]
) -> None:
    rings(ring)
    clock.shift(timedelta(hours=2))
    assert look("phone", 0) == []


def on_break(person: Person, minutes: int) -> None:
    statuses.set_status(person, "break", until=timezone.now() + timedelta(minutes=minutes))


def swept(domain: Domain, heard: bool = False) -> None:
    """What the worker does every few seconds, or what news of a call of theirs does."""
    with transaction.atomic():
        states.refresh(domain, {"102": ""}, set(), timezone.now(), heard=heard)


@pytest.fixture
def is_on(domain: Domain) -> None:
    kind_rules.save(domain, {"status": KindInput(is_on=True)})


@pytest.mark.usefixtures("is_on")
def test_a_break_that_is_over_for_a_quarter_of_an_hour_calls(
    look: Look, people: list[Person], domain: Domain, clock: time_machine.Traveller
) -> None:
    on_break(people[0], 10)
    clock.shift(timedelta(minutes=11))
    swept(domain)

    assert look("status", 600) == []
    [alert] = look("status", 300)

    assert wording.title(alert) == "Away for longer than said: Ben"
    assert wording.why(alert) == "should have been back 16 min ago"
    swept(domain, heard=True)
    assert look("status", 0) == []


@pytest.mark.usefixtures("is_on")
def test_who_says_something_new_or_was_on_the_phone_is_not_missed(
    look: Look, people: list[Person], domain: Domain, clock: time_machine.Traveller
) -> None:
    on_break(people[0], 10)
    clock.shift(timedelta(minutes=11))
    swept(domain)
    on_break(people[0], 60)
    assert look("status", 1800) == []

    clock.shift(timedelta(minutes=40))
    swept(domain, heard=True)
    assert look("status", 1800) == []


def test_nobody_is_told_of_breaks_unless_the_company_wants_it(
    look: Look, people: list[Person], domain: Domain, clock: time_machine.Traveller
) -> None:
    on_break(people[0], 10)
    clock.shift(timedelta(minutes=11))
    swept(domain)

    assert look("status", 3600) == []


def test_it_ends_with_business_hours_while_call_events_are_away(
    look: Look, ring: Ring, domain: Domain, clock: time_machine.Traveller
) -> None:
    rings(ring)
    assert look("phone", 0)

    Subscription.objects.all().delete()
    Hours.objects.create(domain=domain, week=[[], [], [[0, 60]], [], [], [], []])
    assert look("phone", 0) == []
    assert Alert.objects.get().ended_why == "closed"
