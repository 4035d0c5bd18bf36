"""Signing in at the simulator over real HTTP."""

import pytest
import requests
from django.contrib.auth import SESSION_KEY
from django.test import Client

from accounts.models import Grant, Person, User
from accounts.tokens import clients, grants
from tests.accounts.flow import company_at, sign_in
from tests.harness.simulator import Simulator
from wallboard.telephony import errors

pytestmark = [pytest.mark.flow, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("uses_pkce", [False, True])
def test_signing_in_as_extension_101_leads_to_person_101(simulator: Simulator, client: Client, uses_pkce: bool) -> None:
    company_at(simulator, uses_pkce=uses_pkce)

    answer = sign_in(client, "101")

    assert answer["Location"] == "/desk/"
    assert client.session[SESSION_KEY] == str(Person.objects.get(extension="101").user_id)


def test_declining_at_the_provider_is_told(simulator: Simulator, client: Client) -> None:
    company_at(simulator)

    answer = sign_in(client, "101", decline=True)

    assert answer.status_code == 400
    assert not User.objects.exists()


@pytest.mark.parametrize("mode", ["keep", "rotate"])
def test_refreshing_works_with_and_without_rotation(simulator: Simulator, client: Client, mode: str) -> None:
    company_at(simulator)
    simulator.control("refresh", {"mode": mode})
    sign_in(client, "101")
    before = Grant.objects.get()

    for _ in range(3):
        keeper = clients.GrantTokenSource(before)
        assert keeper(keeper()) != before.access_token.open()
        Grant.objects.update(replaced_at=None)

    after = Grant.objects.get()
    is_same = after.refresh_token.open() == before.refresh_token.open()
    assert is_same == (mode == "keep")
    assert client.get("/accounts/").status_code == 200


def test_provider_without_refresh_tokens_still_signs_in(simulator: Simulator, client: Client) -> None:
    company_at(simulator)
    simulator.control("refresh", {"mode": "none"})
    sign_in(client, "101")

    keeper = clients.GrantTokenSource(Grant.objects.get())
    token = keeper()

    with pytest.raises(errors.GrantRefused):
        keeper(token)


def test_revoked_user_loses_the_session_at_the_next_look(
    simulator: Simulator, client: Client, closed: list[int]
) -> None:
    company_at(simulator)
    sign_in(client, "101")
    assert client.get("/accounts/").status_code == 200
    simulator.control("tokens", {"do": "revoke"})
    Grant.objects.update(usable_until=None)

    grants.maintain()

    assert client.get("/accounts/").status_code == 302
    assert closed == [User.objects.get().pk]


def test_probe_leaves_no_subscription_behind(simulator: Simulator, client: Client) -> None:
    company_at(simulator)
    sign_in(client, "101")

    answer = requests.get(f"{simulator.base_url}/control/requests", timeout=10).json()["requests"]

    asked = [(each["method"], each["status"]) for each in answer if "/subscriptions/" in each["path"]]
    assert [method for method, _ in asked] == ["POST", "GET", "DELETE"]
    assert asked[-1][1] == 204
