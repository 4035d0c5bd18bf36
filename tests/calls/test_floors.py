"""The rows of many companies are read as one company's are: each table once, and nobody's beside another's."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Domain, Person
from wallboard.calls import documents, floors
from wallboard.calls.models import Leg, Presence
from wallboard.calls.presence import documents as presence
from wallboard.queues.models import Queue

pytestmark = pytest.mark.django_db


def leg(domain: Domain, call: str, **values: Any) -> Leg:
    now = timezone.now()
    return Leg.objects.create(
        domain=domain, from_call_id=call, to_call_id=f"to {values.get('to_user', '')}", first_seen_at=now, heard_at=now,
        **values,
    )  # fmt: skip


def busy(slug: str) -> Domain:
    """A company in which a caller who waited in a queue speaks with Ada, while Ben's call has ended."""
    domain = Domain.objects.create(slug=slug, name=slug, base_url="http://p.test", client_id="id")
    ada = Person.objects.create(domain=domain, extension="101", name=f"Ada of {slug}")
    ben = Person.objects.create(domain=domain, extension="102", name=f"Ben of {slug}")
    Person.objects.create(domain=domain, extension="103", name=f"Cem of {slug}")
    Queue.objects.create(domain=domain, number="900", name=f"Support of {slug}")
    ended = timezone.now() - timedelta(minutes=1)
    leg(domain, "a", to_user="900", queue="900", ended_at=ended)
    Presence.objects.create(person=ada, leg=leg(domain, "a", to_user="101", to_state="active"), state="talking")
    Presence.objects.create(person=ben, leg=leg(domain, "b", to_user="102", ended_at=ended), state="talking")
    return domain


def test_a_company_is_read_with_its_people_and_all_legs_that_say_anything_of_them() -> None:
    first, _other = busy("first"), busy("other")

    floor = floors.read([first.pk], with_everyone=True)[first.pk]

    assert (floor.domain.slug, floor.queues) == ("first", {"900": "Support of first"})
    assert [each.to_user for each in floor.live] == ["101"]
    assert [each.to_user for each in floor.queued] == ["900"]
    assert {row.person.name: row.leg and row.leg.to_user for row in floor.presences} == {
        "Ada of first": "101",
        "Ben of first": "102",
        "Cem of first": None,
    }
    assert {number: person.name for number, person in floor.people.items()} == {
        "101": "Ada of first",
        "102": "Ben of first",
        "103": "Cem of first",
    }


def test_of_people_who_were_not_asked_for_only_those_on_the_legs_are_read() -> None:
    domain = busy("first")

    floor = floors.read([domain.pk], with_everyone=False)[domain.pk]

    assert (list(floor.people), floor.presences) == (["101"], [])


@pytest.mark.parametrize("with_everyone", [True, False])
def test_many_companies_take_as_many_statements_as_one_and_get_what_is_theirs(with_everyone: bool) -> None:
    made = [busy(f"c{number}").pk for number in range(5)]
    with CaptureQueriesContext(connection) as one:
        floors.read(made[:1], with_everyone=with_everyone)
    with CaptureQueriesContext(connection) as many:
        together = floors.read(made, with_everyone=with_everyone)

    assert len(one) == len(many)
    for pk in made:
        assert told(together[pk]) == told(floors.read([pk], with_everyone=with_everyone)[pk])
        assert together[pk].domain.name in str(told(together[pk]))


def told(floor: floors.Floor) -> list[Any]:
    """What the feeds make of it."""
    return [presence.people_of(floor), documents.calls_of(floor), documents.wall_of(floor)]


def test_a_company_that_is_gone_and_one_without_anybody_keep_nobody_from_anything() -> None:
    domain = busy("first")
    empty = Domain.objects.create(slug="empty", name="Empty", base_url="http://p.test", client_id="id")

    found = floors.read([empty.pk + 1000, empty.pk, domain.pk], with_everyone=True)

    assert found.keys() == {empty.pk, domain.pk}
    assert (found[empty.pk].presences, found[empty.pk].live, found[empty.pk].queues) == ([], [], {})
