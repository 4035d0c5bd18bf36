"""Whatever a right hangs on, its end is told to open sockets, however it is deleted."""

import pytest

from accounts.models import Domain, Grant, Person, User
from accounts.signin.rights import RightsChange

pytestmark = pytest.mark.django_db


@pytest.fixture
def person(domain: Domain) -> Person:
    user = User.objects.create(username="somebody")
    Grant.objects.create(domain=domain, user=user)
    return Person.objects.create(domain=domain, extension="141", user=user)


def told() -> set[tuple[int | None, int | None]]:
    return set(RightsChange.objects.values_list("user_id", "domain_id"))


def test_a_deleted_user_is_told(person: Person) -> None:
    user_id = person.user_id

    User.objects.filter(pk=user_id or 0).delete()

    assert (user_id, None) in told()


def test_a_deleted_person_is_told(person: Person) -> None:
    Person.objects.filter(pk=person.pk).delete()

    assert (person.user_id, None) in told()


def test_a_deleted_grant_ends_the_sessions(person: Person) -> None:
    Grant.objects.all().delete()

    assert (person.user_id, None) in told()
    assert User.objects.get(pk=person.user_id or 0).session_round == 1


def test_a_company_that_is_switched_off_is_told_and_one_that_is_on_is_not(domain: Domain) -> None:
    domain.save()
    assert told() == set()

    domain.is_active = False
    domain.save()

    assert told() == {(None, domain.pk)}
