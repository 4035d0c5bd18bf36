"""A provider that names the wrong person, or writes names in its own way, over real HTTP."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import Domain, Person
from tests.accounts.flow import company_at, sign_in
from tests.harness.simulator import Simulator
from wallboard.simulator.floor.company import DOMAIN

pytestmark = [pytest.mark.flow, pytest.mark.django_db(transaction=True)]
WRONG = [
    {"read_back_user": "other", "token_user_field": "extension"},
    {"token_user_field": "extension", "named_user": "other"},
]


@pytest.mark.parametrize("switches", WRONG, ids=["read-back", "token answer"])
def test_one_wrong_word_signs_nobody_in_as_somebody_else(
    simulator: Simulator, client: Client, switches: dict[str, Any]
) -> None:
    company_at(simulator, identity_field="extension")
    simulator.control("dialect", switches)

    answer = sign_in(client, "101")

    assert answer["Location"] == "/accounts/link/"
    assert not Person.objects.exclude(user=None).exists()
    assert "They contradict each other" in client.get("/accounts/link/").content.decode()


def test_a_wrong_read_back_alone_takes_over_nobody(simulator: Simulator, client: Client) -> None:
    """Nothing but the read-back speaks, and it names a colleague: that one's account is not shown what ours made."""
    company_at(simulator)
    assert sign_in(client, "102")["Location"] == "/desk/"
    assert sign_in(Client(), "102")["Location"] == "/desk/", "a second browser of theirs is welcome"
    simulator.control("dialect", {"read_back_user": "other"})
    stranger = Client()

    answer = sign_in(stranger, "101")

    assert answer["Location"] == "/accounts/link/"
    assert Person.objects.exclude(user=None).count() == 1
    assert "is linked to another account at the provider" in stranger.get("/accounts/link/").content.decode()


def test_names_with_the_companys_domain_count_once_it_is_known(simulator: Simulator, client: Client) -> None:
    domain = company_at(simulator)
    simulator.control("dialect", {"user_form": "address"})
    assert sign_in(client, "101")["Location"] == "/accounts/link/"

    Domain.objects.filter(pk=domain.pk).update(provider_domain=DOMAIN)

    assert sign_in(Client(), "101")["Location"] == "/desk/"
    assert Person.objects.exclude(user=None).get().extension == "101"


def test_a_provider_that_refuses_pkce_is_signed_in_at_without(simulator: Simulator, client: Client) -> None:
    company_at(simulator)
    simulator.control("dialect", {"pkce": "refused"})
    away = client.get("/accounts/login/start/", {"domain": "main", "next": "/desk/"})["Location"]
    state = away.partition("state=")[2].partition("&")[0]

    again = client.get("/accounts/callback/", {"state": state, "error": "invalid_request"})

    assert "code_challenge" not in again["Location"]
    assert sign_in(client, "101")["Location"] == "/desk/"
    assert Domain.objects.get().uses_pkce is False
