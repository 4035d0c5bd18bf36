"""`manage.py setup`: from the environment to an installation, and again."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import Domain, Person, User
from wallboard.boards.models import Board
from wallboard.queues.models import Target

pytestmark = pytest.mark.django_db


@pytest.fixture
def provider(settings: Any) -> None:
    """Settings of a provider, as the environment would give them."""
    settings.PROVIDER_BASE_URL = "https://provider.example.com"
    settings.PROVIDER_CLIENT_ID = "company-id"
    settings.PROVIDER_CLIENT_SECRET = "company-secret"
    settings.PROVIDER_LOGIN_CLIENT_ID = "login-id"
    settings.PROVIDER_LOGIN_CLIENT_SECRET = "login-secret"


def said(*, no_static: bool = True) -> str:
    """What it prints; static files are collected once, by the first test of them all."""
    output = StringIO()
    call_command("setup", no_static=no_static, stdout=output)
    return output.getvalue()


def test_setup_makes_a_company_with_a_board_and_a_target(provider: None) -> None:
    output = said()

    domain = Domain.objects.get()
    assert domain.base_url == "https://provider.example.com"
    assert domain.client_secret.open() == "company-secret"
    assert Board.objects.get(domain=domain).slug == "main"
    assert Target.objects.get(domain=domain, queue=None).longest_wait_late_seconds == 120
    assert "http://testserver/boards/main/" in output
    assert "secret" not in output


def test_setup_can_be_repeated_and_follows_the_environment(provider: None, settings: Any) -> None:
    said()
    Target.objects.update(longest_wait_late_seconds=300)
    Board.objects.update(name="Front office")
    settings.PROVIDER_CLIENT_SECRET = "a-newer-secret"

    said()

    assert Domain.objects.get().client_secret.open() == "a-newer-secret"
    assert Target.objects.get().longest_wait_late_seconds == 300
    assert Board.objects.get().name == "Front office"


def test_setup_without_a_provider_prints_where_the_first_administrator_begins() -> None:
    output, again = said(), said()

    assert Domain.objects.count() == 0
    assert "http://testserver/setup/first/" in output
    assert "works once and for 60 minutes" in output
    assert again != output


def test_setup_invites_nobody_once_there_is_an_administrator() -> None:
    domain = Domain.objects.create(slug="main", name="Your company")
    Person.objects.create(domain=domain, extension="101", role=Person.Role.ADMINISTRATOR)

    assert "/setup/first/" not in said()


def test_setup_names_only_the_next_steps_that_are_left(provider: None) -> None:
    first = said()
    Person.objects.create(domain=Domain.objects.get(), extension="101", role=Person.Role.ADMINISTRATOR)
    User.objects.create_superuser("admin", password="a-long-password")
    second = said()

    assert "manage.py person EXTENSION --role administrator" in first
    assert "/setup/first/" in first
    assert "/setup/first/" not in second
    assert "createsuperuser" in first
    assert "manage.py person" not in second
    assert "createsuperuser" not in second
    assert "manage.py screen main" in second
