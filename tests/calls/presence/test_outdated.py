"""Which companies are swept: where time may have changed something, asked in two queries for all of them."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Domain, LinkNumber, Person, User
from wallboard.calls import floors, leg_store, linking, tasks
from wallboard.calls.models import Leg, Presence
from wallboard.calls.presence import aging, states
from wallboard.calls.subscriptions import provider_domain
from wallboard.queues.models import Queue

pytestmark = pytest.mark.usefixtures("redis_url")


@pytest.fixture
def ben(domain: Domain) -> Person:
    """Somebody of whom everything is as it should be."""
    person = Person.objects.create(domain=domain, extension="102", name="Ben")
    Presence.objects.create(person=person, state="idle", published_name="Ben", version=3, since=timezone.now())
    return person


def presence(**values: Any) -> Callable[[Person], object]:
    return lambda ben: Presence.objects.filter(person=ben).update(**values)


def person(**values: Any) -> Callable[[Person], object]:
    return lambda ben: Person.objects.filter(pk=ben.pk).update(**values)


def ended_leg(ben: Person) -> None:
    now = timezone.now()
    leg = Leg.objects.create(
        domain=ben.domain, from_call_id="a", to_call_id="b", first_seen_at=now, heard_at=now, ended_at=now
    )
    Presence.objects.filter(person=ben).update(leg=leg)


CASES: dict[str, tuple[Callable[[Person], object], bool]] = {
    "nothing": (lambda _: None, False),
    "unknown": (presence(state="unknown"), False),
    "a status that goes on": (presence(status="lunch", status_until=timezone.now() + timedelta(days=1)), False),
    "hidden, and not shown": (lambda ben: (person(is_hidden=True)(ben), presence(is_shown=False)(ben)), False),
    "nobody's row": (lambda _: Presence.objects.all().delete(), True),
    "a row that was never published": (presence(version=0), True),
    "a new name": (person(name="Benno"), True),
    "hidden": (person(is_hidden=True), True),
    "shown": (presence(is_shown=False), True),
    "a number that is a queue": (lambda ben: Queue.objects.create(domain=ben.domain, number="102"), True),
    "a status that is over": (presence(status="lunch", status_until=timezone.now() - timedelta(seconds=1)), True),
    "a call that is over": (presence(state="talking"), True),
    "a leg that is over": (ended_leg, True),
    "news of a call": (presence(heard_at=timezone.now()), True),
    "a doubt": (presence(is_unconfirmed=True), True),
}


@pytest.mark.parametrize(("change", "is_outdated"), CASES.values(), ids=CASES)
def test_a_company_is_found_where_a_presence_would_change(
    domain: Domain, ben: Person, change: Callable[[Person], object], is_outdated: bool
) -> None:
    change(ben)

    # The slow way is the truth: it works out everybody's presence.
    members, live = floors.everyone([domain.pk])[domain.pk], floors.live([domain.pk])[domain.pk]
    assert bool(states.outdated(members, live, leg_store.queue_numbers_of(domain), timezone.now())) is is_outdated
    assert bool(aging.outdated([domain.pk])) is is_outdated


def test_live_calls_are_always_looked_at(domain: Domain, ben: Person) -> None:
    now = timezone.now()
    Leg.objects.create(domain=domain, from_call_id="a", to_call_id="b", first_seen_at=now, heard_at=now)

    assert aging.outdated([domain.pk]) == {domain.pk}


def test_companies_in_which_nothing_is_outdated_cost_no_statement_of_their_own(domain: Domain, ben: Person) -> None:
    Domain.objects.update(provider_domain="one.example")
    with CaptureQueriesContext(connection) as one:
        tasks.sweep()
    made = [Domain(slug=f"c{n}", name="C", base_url="http://p.test", client_id="id") for n in range(10)]
    Domain.objects.bulk_create(made)
    with CaptureQueriesContext(connection) as many:
        tasks.sweep()

    assert len(one) == len(many) <= 10


def test_each_step_is_taken_where_it_is_needed(domain: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[tuple[str, str]] = []
    for name, module in (("learn", provider_domain), ("look", linking)):
        monkeypatch.setattr(module, name, lambda domain, name=name: taken.append((name, domain.slug)))
    now = timezone.now()
    other = Domain.objects.create(slug="other", name="Other", base_url="http://p.test", client_id="id")
    Leg.objects.create(
        domain=domain, from_call_id="a", to_call_id="b", from_domain="one.example", first_seen_at=now, heard_at=now,
        ended_at=now,
    )  # fmt: skip
    waiting = User.objects.create(username="new")
    LinkNumber.objects.create(domain=other, user=waiting, number="4711", shown_at=now, until=now)

    tasks.sweep()

    assert taken == [("learn", domain.slug), ("look", "other")]
