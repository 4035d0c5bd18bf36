"""People and queues of a document are those that the company has."""

from urllib.parse import unquote

import msgspec
import pytest
from django.urls import resolve, reverse

from accounts import people
from accounts.models import Domain, Person
from tests.boards.conftest import domain as domain
from wallboard.configuration import document, importing
from wallboard.configuration.document import NotUnderstood
from wallboard.queues.models import Queue

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


def test_queues_are_known_in_whatever_digits_they_are_written(domain: Domain) -> None:
    queue = Queue.objects.create(domain=domain, number="800")

    take(domain, queues=[{"number": "٨٠٠", "name": "Orders"}, {"number": "８０１"}])

    queue.refresh_from_db()
    assert (queue.name, numbers(domain)) == ("Orders", {"800", "801"})


@pytest.mark.parametrize("number", ["a/b", ".", "..", "4001 ", " 4001", "x y", "<b>", "4\t1", "4\u200b1", "4001\n"])
def test_what_can_be_no_number_of_a_queue_is_refused_with_its_place(domain: Domain, number: str) -> None:
    with pytest.raises(NotUnderstood, match=r"cannot be the number of a queue: .* - at `\$\.queues\[1\]`"):
        take(domain, queues=[{"number": "800"}, {"number": number}])

    assert numbers(domain) == set()


@pytest.mark.parametrize("number", ["7", "+4930901820", "-1", "*45", "#9", "sales-2.north_b", "مبيعات"])
def test_what_may_be_one_is_added_and_opens(domain: Domain, number: str) -> None:
    take(domain, queues=[{"number": number}])

    assert numbers(domain) == {number}
    assert resolve(unquote(reverse("boards:queue", args=[number]))).kwargs == {"number": number}


def test_a_queue_that_is_there_stays_editable_whatever_its_number(domain: Domain) -> None:
    queue = Queue.objects.create(domain=domain, number="Sales team/2")

    take(domain, queues=[{"number": "Sales team/2", "name": "Sales"}])

    queue.refresh_from_db()
    assert (queue.name, numbers(domain)) == ("Sales", {"Sales team/2"})


def numbers(domain: Domain) -> set[str]:
    return set(Queue.objects.filter(domain=domain).values_list("number", flat=True))
