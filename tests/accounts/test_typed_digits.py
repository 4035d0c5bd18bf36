"""An extension is the same one in whatever digits somebody types it."""

from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from accounts import people
from accounts.models import Domain, Person, User
from tests.accounts.conftest import Provider, Visitor
from tests.accounts.test_people import administrator as administrator

pytestmark = pytest.mark.django_db
TYPED = ["١٠٣", "۱۰۳", "１０３"]


def extensions() -> set[str]:
    return set(Person.objects.values_list("extension", flat=True))


@pytest.mark.parametrize("typed", TYPED)
def test_somebody_who_is_there_is_not_added_again(administrator: Client, domain: Domain, typed: str) -> None:
    people.get_or_create(domain, "103")

    administrator.post("/accounts/people/add/", {"extension": typed, "name": "Mona"})

    assert extensions() == {"100", "103"}
    assert Person.objects.get(extension="103").name == "Mona"


def test_a_waiting_sign_in_is_linked_to_the_person_who_is_there(
    administrator: Client, visitor: Visitor, provider: Provider, domain: Domain
) -> None:
    person, provider.users = people.get_or_create(domain, "103"), ()
    visitor.sign_in()
    user = User.objects.exclude(link_code="").get()

    administrator.post("/accounts/people/link/", {"user": user.pk, "extension": TYPED[0]})

    person.refresh_from_db()
    assert (person.user, extensions()) == (user, {"100", "103"})


def test_people_are_found_by_either_writing(administrator: Client, domain: Domain) -> None:
    for extension, name in (("103", "Mona"), ("104", "Omar"), (TYPED[0], "Stray")):
        people.get_or_create(domain, extension, name)

    page = administrator.get("/accounts/people/", {"q": TYPED[0]}).content.decode()

    assert [name in page for name in ("Mona", "Omar", "Stray")] == [True, False, True]


def test_the_command_means_the_person_who_is_there(domain: Domain, capsys: Any) -> None:
    people.get_or_create(domain, "103")
    people.get_or_create(domain, "۱۰۴")

    for typed in (*TYPED, "۱۰۴"):
        call_command("person", typed, "--role", "supervisor", "--domain", domain.slug)

    assert set(Person.objects.values_list("extension", "role")) == {("103", "supervisor"), ("۱۰۴", "supervisor")}


def test_the_admin_site_adds_nobody_twice(admin_client: Client, domain: Domain) -> None:
    people.get_or_create(domain, "103")
    posted = {"domain": domain.pk, "role": "agent", "only_queues": "null"}

    refused = admin_client.post("/admin/accounts/person/add/", {**posted, "extension": TYPED[0]})
    admin_client.post("/admin/accounts/person/add/", {**posted, "extension": "١٠٤"})

    assert "already exists" in refused.content.decode()
    assert extensions() == {"103", "104"}
