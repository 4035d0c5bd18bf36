"""Whose sign-in it is: a field of the token answer, the probe, or an administrator's word."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts import identity, people
from accounts.models import Domain, IdentityProbe, Person, User
from tests.accounts.conftest import Provider, Visitor
from wallboard.calls import addresses


def test_field_of_the_token_answer_names_the_person_without_a_probe(
    visitor: Visitor, provider: Provider, domain: Domain
) -> None:
    Domain.objects.update(identity_field="uid", provider_domain="acme.example")
    provider.extra = {"uid": "102@Acme.example"}

    visitor.sign_in()

    assert Person.objects.get().extension == "102"
    assert provider.probes == []


def test_field_that_names_another_company_counts_for_nothing(visitor: Visitor, provider: Provider) -> None:
    Domain.objects.update(identity_field="uid", provider_domain="acme.example")
    provider.extra = {"uid": "102@rival.example"}
    provider.users = ()

    assert visitor.sign_in()["Location"] == "/accounts/link/"
    assert Person.objects.count() == 0


@pytest.mark.parametrize("users", [(), ("101", "102")])
def test_unclear_probe_lets_the_person_wait(visitor: Visitor, provider: Provider, users: tuple[str, ...]) -> None:
    provider.users = users

    assert visitor.sign_in(next="/desk/")["Location"] == "/accounts/link/"

    user = User.objects.get()
    assert len(user.link_code) == 4
    page = visitor.client.get("/accounts/link/")
    assert user.link_code in page.content.decode()
    assert visitor.client.get("/accounts/link/state/").json()["is_over"] is False


def test_refused_probe_lets_the_person_wait(visitor: Visitor, provider: Provider) -> None:
    provider.subscription_status = 403

    assert visitor.sign_in()["Location"] == "/accounts/link/"


def test_waiting_ends_when_an_administrator_confirms(visitor: Visitor, provider: Provider, domain: Domain) -> None:
    provider.users = ()
    visitor.sign_in(next="/desk/")

    people.link(people.seen(domain, "103"), User.objects.get())

    assert visitor.client.get("/accounts/link/state/").json() == {"is_over": True}
    assert visitor.client.get("/accounts/link/")["Location"] == "/desk/"


def test_waiting_twice_in_one_browser_leaves_one_entry(visitor: Visitor, provider: Provider) -> None:
    provider.users = ()
    visitor.sign_in()
    visitor.sign_in()

    assert User.objects.count() == 1


def test_probe_address_is_known_to_the_webhook_door_for_a_while(visitor: Visitor, provider: Provider) -> None:
    visitor.sign_in()
    secret = provider.probes[0].rstrip("/").rsplit("/", 1)[1]

    assert addresses.from_database()[addresses.hash_of(secret)].is_probe
    assert secret not in str(list(IdentityProbe.objects.values()))
    with time_machine.travel(timezone.now() + timedelta(minutes=10)):
        assert addresses.from_database() == {}
        identity.forget_old_probes()
        assert not IdentityProbe.objects.exists()
