"""Passkeys at a company's own host: made and used there, and worth nothing anywhere else."""

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.companies import key_sites
from accounts.models import Domain, Passkey, Person
from tests.accounts.conftest import make_domain
from tests.accounts.keys import added, entered, local, options
from tests.harness.authenticator import SoftKey

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("named_site")]
HOST, OTHER = "acme.example.com", "beta.example.com"


@pytest.fixture
def acme() -> Domain:
    make_domain("beta", host=OTHER)
    made = make_domain("acme", host=HOST)
    cache.clear()
    return made


def at(host: str) -> Client:
    return Client(headers={"host": host})


def test_a_key_of_a_companys_host_signs_in_there_alone(acme: Domain) -> None:
    user = local(acme, "eve")
    owner = at(HOST)
    owner.force_login(user)
    asked = owner.post("/accounts/passkeys/options/").json()
    key = added(owner, SoftKey(origin=f"https://{HOST}", host=HOST))
    there, other, main = at(HOST), at(OTHER), Client()

    assert asked["rp"]["id"] == HOST
    assert Passkey.objects.get().host == HOST
    assert options(there)["rpId"] == HOST
    assert entered(there, key.answer(options(there))) == 302
    assert entered(other, key.answer(options(other))) == 400
    assert entered(main, key.answer(options(main))) == 400
    assert there.get("/accounts/").status_code == 200
    site = Client()
    site.force_login(user)
    assert f"at {HOST} only".encode() in site.get("/accounts/").content


def test_nobody_of_another_company_gets_in_with_a_key_of_this_host(acme: Domain) -> None:
    owner = at(HOST)
    owner.force_login(local(acme, "mallory"))
    key = added(owner, SoftKey(origin=f"https://{HOST}", host=HOST))
    there = at(HOST)
    Person.objects.update(domain=Domain.objects.get(slug="beta"))

    assert entered(there, key.answer(options(there))) == 400


def test_a_key_of_the_installation_does_not_count_at_a_companys_host(acme: Domain) -> None:
    owner = Client()
    owner.force_login(local(acme, "eve"))
    key = added(owner)
    there = at(HOST)

    assert entered(there, key.answer(options(there))) == 400


def test_a_site_is_named_as_browsers_write_it() -> None:
    site = key_sites.Site("wall.example.com", "https://wall.example.com")

    assert site.is_possible
    assert not key_sites.Site("192.0.2.1", "https://192.0.2.1").is_possible
