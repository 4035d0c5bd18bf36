"""People and queues of a document are those that the company has."""

import msgspec
import pytest

from accounts import people
from accounts.models import Domain, Person
from tests.boards.conftest import domain as domain
from wallboard.configuration import document, importing

pytestmark = pytest.mark.django_db


def take(domain: Domain, **sections: object) -> None:
    importing.take(domain, document.read(msgspec.json.encode({"version": 1, **sections})))


def test_people_are_known_in_whatever_digits_they_are_written(domain: Domain) -> None:
    people.get_or_create(domain, "103")
    people.get_or_create(domain, "۱۰۴")

    take(domain, teams=[{"name": "Day", "people": ["١٠٣", "۱۰۴", "１０５"]}])

    extensions = set(Person.objects.filter(domain=domain).values_list("extension", flat=True))
    assert extensions == {"103", "۱۰۴", "105"}
    assert set(domain.teams.get().people.values_list("extension", flat=True)) == extensions
