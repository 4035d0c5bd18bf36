"""The form of a company in the Django admin: secrets go in, never come out, and are sent to no other address."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.admin import KEPT
from accounts.models import CompanyToken, Domain, Grant, User
from tests.accounts.conftest import PROVIDER, Provider, Visitor


@pytest.fixture
def root(client: Client, domain: Domain) -> Client:
    client.force_login(User.objects.create_superuser("root", password="x"))
    return client


def fields(domain: Domain, **changes: str) -> dict[str, str]:
    names = ["name", "slug", "base_url", "client_id", "login_client_id", "time_zone", "country", "wait_unit"]
    names += ["call_time_zone", "clock", "day_starts_hour", "longest_call_hours", "authorize_path", *KEPT]
    form = {name: str(getattr(domain, name)) for name in names}
    return form | {"is_active": "on", "new_client_secret": "", "new_login_client_secret": ""} | changes


def test_empty_secret_keeps_the_stored_one(root: Client, domain: Domain) -> None:
    answer = root.post(f"/admin/accounts/domain/{domain.pk}/change/", fields(domain, name="Acme"))

    assert answer.status_code == 302, answer.content.decode()
    domain.refresh_from_db()
    assert domain.name == "Acme"
    assert domain.client_secret.open() == "canary-company-secret"


def test_new_secret_is_sealed_and_starts_afresh(root: Client, domain: Domain, provider: Provider) -> None:
    CompanyToken.objects.create(domain=domain, failure="not_authorized", retry_at=timezone.now() + timedelta(minutes=5))

    root.post(f"/admin/accounts/domain/{domain.pk}/change/", fields(domain, new_client_secret="better"))

    domain.refresh_from_db()
    assert domain.client_secret.open() == "better"
    assert CompanyToken.objects.get().retry_at is None


def test_new_company_needs_a_secret(root: Client, domain: Domain) -> None:
    form = fields(domain, slug="north", name="North")
    assert root.post("/admin/accounts/domain/add/", form).status_code == 200

    assert root.post("/admin/accounts/domain/add/", form | {"new_client_secret": "n"}).status_code == 302
    assert Domain.objects.get(slug="north").client_secret.open() == "n"
    assert Domain.objects.get(slug="north").base_url == PROVIDER
    assert Domain.objects.get(slug="north").callback_key


@pytest.mark.parametrize("change", [{"base_url": "https://new.example"}, {"client_id": "another"}])
def test_a_stored_secret_is_sent_nowhere_else(root: Client, domain: Domain, change: dict[str, str]) -> None:
    answer = root.post(f"/admin/accounts/domain/{domain.pk}/change/", fields(domain, **change))

    assert "Enter the secret that belongs to this address and client id." in answer.content.decode()


@pytest.mark.parametrize(("typed", "login"), [("", ("", "")), ("fresh", ("login", "fresh"))])
def test_another_address_gets_no_sign_in_of_the_one_before(
    root: Client, domain: Domain, visitor: Visitor, typed: str, login: tuple[str, str]
) -> None:
    visitor.sign_in()
    form = fields(domain, base_url="https://new.example", new_client_secret="new", new_login_client_secret=typed)

    assert root.post(f"/admin/accounts/domain/{domain.pk}/change/", form).status_code == 302

    domain.refresh_from_db()
    assert domain.client_secret.open() == "new"
    assert (domain.login_client_id, domain.login_client_secret.open()) == login
    assert not Grant.objects.exists()


@pytest.mark.parametrize(
    "change",
    [
        {"base_url": "http://8.8.8.8"},
        {"base_url": "https://["},
        {"time_zone": "Nowhere"},
        {"country": "zz"},
        {"poll_seconds": "0"},
    ],
)
def test_nonsense_is_refused(root: Client, domain: Domain, change: dict[str, str]) -> None:
    answer = root.post(f"/admin/accounts/domain/{domain.pk}/change/", fields(domain, **change))

    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()


@pytest.mark.parametrize(("typed", "kept"), [({}, ""), ({"provider_domain": "second.example"}, "second.example")])
def test_another_address_forgets_the_old_providers_domain(
    root: Client, domain: Domain, typed: dict[str, str], kept: str
) -> None:
    Domain.objects.update(provider_domain="first.example")
    elsewhere = {"base_url": "https://second.example", "new_client_secret": "new", "provider_domain": "first.example"}

    answer = root.post(f"/admin/accounts/domain/{domain.pk}/change/", fields(domain, **elsewhere) | typed)

    assert answer.status_code == 302
    assert Domain.objects.get().provider_domain == kept
