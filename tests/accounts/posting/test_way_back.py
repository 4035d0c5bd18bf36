"""Whoever was signed out while a page was open comes back to that page, not to an address that only takes forms."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from tests.accounts.conftest import make_domain

pytestmark = pytest.mark.django_db


def next_after(method: str, path: str, referrer: str = "", host: str = "testserver") -> str:
    """Where the sign-in will lead to that somebody signed out is sent to."""
    headers = {"host": host} | ({"referer": referrer} if referrer else {})
    answer = getattr(Client(headers=headers), method)(path)
    to = urlsplit(answer.headers["Location"])
    assert to.path == "/accounts/login/"
    return str(parse_qs(to.query)["next"][0])


@pytest.mark.parametrize(
    "path", ["/alerts/rules/", "/screens/make/", "/accounts/language/", "/operator/companies/1/invite/"]
)
def test_a_form_leads_back_to_its_page(path: str) -> None:
    assert next_after("post", path, "http://testserver/alerts/?day=1#rules") == "/alerts/?day=1"


@pytest.mark.parametrize(
    "referrer",
    [
        "",
        "https://evil.example/alerts/",
        "http://testserver.evil.example/",
        "http://[broken",
        "nonsense",
        "http://testserver",
    ],
)
def test_where_no_page_of_ours_is_named_it_leads_to_the_start(referrer: str) -> None:
    assert next_after("post", "/alerts/rules/", referrer) == "/"


def test_a_page_that_was_asked_for_is_what_is_shown_afterwards() -> None:
    assert next_after("get", "/reports/?days=7", "http://testserver/alerts/") == "/reports/?days=7"


def test_a_company_at_its_own_host_stays_there() -> None:
    make_domain("acme", host="acme.localhost")

    assert next_after("post", "/alerts/rules/", "http://acme.localhost/alerts/", "acme.localhost") == "/alerts/"
    assert next_after("post", "/alerts/rules/", "http://testserver/alerts/", "acme.localhost") == "/"
