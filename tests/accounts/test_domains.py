"""The company of the environment."""

import io
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command

from accounts import domains
from accounts.encryption import sealed
from accounts.models import CompanyToken, Domain, Grant, Person, User

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def environment(settings: Any) -> Any:
    settings.PROVIDER_BASE_URL = "https://phones.example"
    settings.PROVIDER_CLIENT_ID = "company"
    settings.PROVIDER_CLIENT_SECRET = "secret"
    settings.PROVIDER_LOGIN_CLIENT_ID = "login"
    settings.PROVIDER_LOGIN_CLIENT_SECRET = "login-secret"
    settings.PROVIDER_TIME_ZONE = "Europe/Berlin"
    return settings


def test_domain_is_made_from_the_environment() -> None:
    domain = domains.from_environment()

    assert domain == Domain.objects.get(slug="main", call_time_zone="Europe/Berlin", login_client_id="login")
    assert domain is not None
    assert domain.client_secret.open() == "secret"
    assert domain.callback_key == ""  # what is known everywhere: /accounts/callback/


def test_repeating_keeps_what_was_edited() -> None:
    domains.from_environment()
    Domain.objects.update(name="Acme", slug="acme", country="DE", time_zone="Europe/Paris", uses_pkce=True)
    before = Domain.objects.values().get()

    domains.from_environment()

    assert Domain.objects.values().get() == before


def test_new_credentials_replace_the_old_and_end_the_pause(environment: Any) -> None:
    domain = domains.from_environment()
    assert domain is not None
    CompanyToken.objects.create(domain=domain, failure="not_authorized", access_token="x")
    environment.PROVIDER_BASE_URL, environment.PROVIDER_CLIENT_SECRET = "https://new.example", "new"

    domains.from_environment()

    domain = Domain.objects.get()
    assert (domain.base_url, domain.client_secret.open()) == ("https://new.example", "new")
    assert CompanyToken.objects.get().access_token == ""


def test_another_address_in_the_environment_gets_nothing_of_the_one_before(environment: Any) -> None:
    environment.PROVIDER_LOGIN_CLIENT_ID = environment.PROVIDER_LOGIN_CLIENT_SECRET = ""
    domain = domains.from_environment()
    assert domain is not None
    domains.set_login(domain, "login", "canary-login-secret")
    Grant.objects.create(domain=domain, user=User.objects.create(username="ana"))
    domains.from_environment()
    assert Grant.objects.exists()

    environment.PROVIDER_BASE_URL = "https://new.example"
    domain = domains.from_environment()

    assert domain is not None
    assert (domain.login_client_id, domain.login_client_secret.open()) == ("", "")
    assert not Grant.objects.exists()


def test_lost_key_is_healed_by_the_environment(environment: Any) -> None:
    domains.from_environment()
    environment.TOKEN_KEYS = ["MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="]

    domain = domains.from_environment()

    assert domain is not None
    assert domain.client_secret.open() == "secret"


def test_without_provider_there_is_no_domain(environment: Any) -> None:
    environment.PROVIDER_BASE_URL = ""

    assert domains.from_environment() is None


def test_unknown_zone_is_told(environment: Any) -> None:
    environment.PROVIDER_TIME_ZONE = "Mars/Base"

    with pytest.raises(ImproperlyConfigured, match="Mars/Base"):
        domains.from_environment()


def test_first_administrator_by_command() -> None:
    domains.from_environment()

    call_command("person", "101", "--name", "Carla", "--role", "administrator", stdout=io.StringIO())

    person = Person.objects.get()
    assert (person.extension, person.name, person.role) == ("101", "Carla", "administrator")


def test_the_command_says_that_a_person_is_new() -> None:
    domains.from_environment()

    def said(*words: str) -> str:
        out = io.StringIO()
        call_command("person", "999", *words, stdout=out)
        return out.getvalue().partition(" at ")[0]

    assert said() == "999 is new and is agent"
    assert said() == "999 is agent"
    assert said("--name", "Carla") == "999 Carla is agent"


@pytest.mark.parametrize("extension", ["", "1 01", "<b>", "x" * 65])
def test_the_command_takes_as_new_only_what_the_page_does(extension: str) -> None:
    domains.from_environment()

    with pytest.raises(CommandError, match="at most 64 letters"):
        call_command("person", extension)
    assert not Person.objects.exists()


def test_the_command_takes_no_longer_name_than_the_page_does() -> None:
    domains.from_environment()

    with pytest.raises(CommandError, match=r"--name: .* at most 200 characters"):
        call_command("person", "101", "--name", "x" * 500)
    assert not Person.objects.exists()


def test_person_command_asks_which_company() -> None:
    with pytest.raises(CommandError, match="run `manage"):
        call_command("person", "101")


def test_another_address_gets_nothing_that_was_meant_for_the_one_before() -> None:
    domain = domains.from_environment()
    assert domain is not None
    Grant.objects.create(
        domain=domain, user=User.objects.create(username="ana"), refresh_token=sealed("of the old one")
    )

    domains.connect(domain, "https://phones.example", "another", "secret")
    assert Grant.objects.filter(domain=domain).exists()

    domains.connect(domain, "https://other.example", "another", "secret")
    assert not Grant.objects.filter(domain=domain).exists()
    assert (domain.login_client_id, domain.login_client_secret.open()) == ("", "")
