"""Signing in: the authorize endpoint, statement by statement, and its page."""

from html.parser import HTMLParser
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import requests

from tests.simulator.conftest import REDIRECT, Provider

pytestmark = pytest.mark.flow


def ask(provider: Provider, path: str = "/api/oauth/authorize/", **changes: str) -> requests.Response:
    return requests.get(
        f"{provider.url}{path}", params=provider.authorize_query(**changes), allow_redirects=False, timeout=10
    )


def arguments(answer: requests.Response) -> dict[str, str]:
    assert answer.headers["Location"].partition("?")[0] == REDIRECT
    return {name: values[0] for name, values in parse_qs(urlsplit(answer.headers["Location"]).query).items()}


class SignInPage(HTMLParser):
    """The extensions that can be chosen on the page, and where its form leads."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.extensions: list[str] = []
        self.action = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "button" and given.get("name") == "extension":
            self.extensions.append(str(given["value"]))
        if tag == "form" and given.get("method") == "post":
            self.action = str(given["action"])


def test_the_user_signs_in_at_the_service_and_is_redirected_with_a_code(provider: Provider) -> None:
    page = ask(provider)
    assert (page.status_code, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert "101" in SignInPage(page.text).extensions

    came_back = provider.authorize("101")

    assert set(came_back) == {"code"}
    assert provider.exchange(came_back["code"]).status_code == 200


@pytest.mark.parametrize("state", ["xyz", "a b&c=d/é", ""])
def test_state_is_echoed_if_it_was_supplied(provider: Provider, state: str) -> None:
    came_back = provider.authorize("101", state=state)

    assert came_back.get("state", "") == state
    assert ("state" in came_back) == bool(state)


@pytest.mark.parametrize("state", ["%25", "%2525", "a#b", "a+b c&d=e", "é", "100%", "&amp;"])
def test_state_comes_back_through_the_page_as_it_was_sent(provider: Provider, state: str) -> None:
    page = SignInPage(ask(provider, state=state).text)

    url = f"{provider.url}{page.action}"
    answer = requests.post(url, data={"extension": "101"}, allow_redirects=False, timeout=10)

    assert arguments(answer)["state"] == state


@pytest.mark.parametrize("state", ["%FF%FE", "%ED%A0%80"])
def test_state_of_any_bytes_comes_back_as_it_was_sent(provider: Provider, state: str) -> None:
    query = urlencode(provider.authorize_query())
    address = f"{provider.url}/api/oauth/authorize/?{query}&state={state}"
    page = SignInPage(requests.get(address, timeout=10).text)

    url = f"{provider.url}{page.action}"
    answer = requests.post(url, data={"extension": "101"}, allow_redirects=False, timeout=10)

    assert answer.headers["Location"].partition("state=")[2] == state


@pytest.mark.parametrize("path", ["/api/oauth/authorize/", "/oauth/authorize/"])
def test_the_authorize_path_works_in_both_forms(provider: Provider, path: str) -> None:
    assert ask(provider, path).status_code == 200


def test_the_authorize_endpoint_needs_neither_token_nor_version(provider: Provider) -> None:
    assert ask(provider).status_code == 200


@pytest.mark.parametrize(
    "redirect_uri",
    [
        "",
        "http://testserver/accounts/callback",
        f"{REDIRECT}?x=1",
        "http://TESTSERVER/accounts/callback/",
        "http://evil/",
    ],
)
def test_a_redirect_uri_that_does_not_match_exactly_is_told_on_a_page(provider: Provider, redirect_uri: str) -> None:
    answer = ask(provider, redirect_uri=redirect_uri)

    assert answer.status_code == 400
    assert "Location" not in answer.headers
    assert "redirect URL" in answer.text


@pytest.mark.parametrize("client_id", ["", "nobody", "company-id"])
def test_an_unknown_client_is_told_on_a_page(provider: Provider, client_id: str) -> None:
    answer = ask(provider, client_id=client_id)

    assert answer.status_code == 400
    assert "Location" not in answer.headers


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": ""}, "invalid_request"),
        ({"code_challenge": "x" * 43}, "invalid_request"),
        ({"code_challenge": "x" * 43, "code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": "S256"}, "invalid_request"),
        ({"code_challenge": "short", "code_challenge_method": "S256"}, "invalid_request"),
    ],
)
def test_other_mistakes_are_sent_back_with_error_and_state(
    provider: Provider, changes: dict[str, str], error: str
) -> None:
    came_back = arguments(ask(provider, state="s1", **changes))

    assert (came_back["error"], came_back["state"]) == (error, "s1")
    assert "code" not in came_back


def test_a_person_can_decline(provider: Provider) -> None:
    answer = requests.post(
        f"{provider.url}/api/oauth/authorize/",
        params=provider.authorize_query(state="s2"),
        data={"decline": "1"},
        allow_redirects=False,
        timeout=10,
    )

    assert arguments(answer)["error"] == "access_denied"
    assert arguments(answer)["state"] == "s2"


def test_nobody_can_sign_in_as_somebody_who_is_not_there(provider: Provider) -> None:
    answer = requests.post(
        f"{provider.url}/api/oauth/authorize/", params=provider.authorize_query(), data={"extension": "99"}, timeout=10
    )

    assert answer.status_code == 422
    assert "Choose who you are" in answer.text


def test_the_form_is_checked_like_the_page(provider: Provider) -> None:
    answer = requests.post(
        f"{provider.url}/api/oauth/authorize/",
        params=provider.authorize_query(redirect_uri="http://evil/"),
        data={"extension": "101"},
        allow_redirects=False,
        timeout=10,
    )

    assert answer.status_code == 400
    assert "Location" not in answer.headers


def test_people_can_be_searched_by_name_or_extension(provider: Provider) -> None:
    everybody = SignInPage(ask(provider).text).extensions
    found = SignInPage(ask(provider, find="ana ").text).extensions

    assert len(everybody) == 14
    assert found == ["101"]
    assert SignInPage(ask(provider, find="114").text).extensions == ["114"]


def test_the_page_allows_no_scripts_of_others_and_its_form_may_lead_back(provider: Provider) -> None:
    policy = ask(provider).headers["Content-Security-Policy"]

    assert "default-src 'none'" in policy
    assert "unsafe-inline" not in policy
    assert "frame-ancestors 'none'" in policy
    assert "form-action 'self' http://testserver" in policy


def test_what_the_query_says_cannot_become_markup(provider: Provider) -> None:
    text = ask(provider, state='"><script>alert(1)</script>', find="<script>alert(2)</script>").text

    assert "<script>alert" not in text
