"""PKCE is used unless the provider refuses it, which nobody but the provider itself can say."""

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
import responses

from accounts.models import AuditEntry, Domain, Lease
from accounts.signin import pkce
from tests.accounts.conftest import PROVIDER, Provider, Visitor

AUTHORIZE = f"{PROVIDER}/api/oauth/authorize/"
Answer = tuple[int, dict[str, str], str]
CALLBACK = "http://testserver/accounts/callback/"


def refuses(request: requests.PreparedRequest) -> Answer:
    """Takes no challenge."""
    if "code_challenge" in parse_qs(urlsplit(str(request.url)).query):
        return 302, {"Location": f"{CALLBACK}?error=invalid_request"}, ""
    return 200, {}, "sign in"


def shows_a_page(request: requests.PreparedRequest) -> Answer:
    return (400 if "code_challenge" in str(request.url) else 302), {}, ""


def accepts(request: requests.PreparedRequest) -> Answer:
    return 200, {}, "sign in"


def refuses_everything(request: requests.PreparedRequest) -> Answer:
    return 302, {"Location": f"{CALLBACK}?error=unauthorized_client"}, ""


def is_away(request: requests.PreparedRequest) -> Answer:
    return 502, {}, ""


@pytest.mark.parametrize("answer", [refuses, shows_a_page])
def test_a_provider_that_refuses_the_challenge_is_signed_in_at_without(
    visitor: Visitor, http: responses.RequestsMock, answer: Callable[..., Answer]
) -> None:
    http.add_callback("GET", AUTHORIZE, answer)
    state = visitor.start(next="/desk/")["state"]

    again = visitor.come_back(state=state, error="invalid_request")

    assert again["Location"].startswith(AUTHORIZE)
    assert "code_challenge" not in again["Location"]
    assert Domain.objects.get().uses_pkce is False
    assert AuditEntry.objects.get().what == "PKCE refused by the provider"
    state = parse_qs(urlsplit(again["Location"]).query)["state"][0]
    assert visitor.come_back(state=state, code="a-code")["Location"] == "/desk/"


@pytest.mark.parametrize("answer", [accepts, refuses_everything, is_away])
def test_a_browser_that_comes_back_with_an_error_switches_nothing_off(
    visitor: Visitor, http: responses.RequestsMock, answer: Callable[..., Answer]
) -> None:
    http.add_callback("GET", AUTHORIZE, answer)
    state = visitor.start()["state"]

    assert visitor.come_back(state=state, error="invalid_request").status_code == 400
    assert Domain.objects.get().uses_pkce is True


def test_somebody_who_declines_asks_the_provider_nothing(visitor: Visitor, http: responses.RequestsMock) -> None:
    state = visitor.start()["state"]

    assert visitor.come_back(state=state, error="access_denied").status_code == 400
    assert len(http.calls) == 0


def test_the_provider_is_asked_once_a_minute(domain: Domain, provider: Provider, http: responses.RequestsMock) -> None:
    http.add_callback("GET", AUTHORIZE, accepts)

    assert [pkce.learn(domain) for _ in range(5)] == [False] * 5
    assert len(http.calls) == 1
    Lease.objects.all().delete()
    pkce.learn(domain)
    assert len(http.calls) == 2
