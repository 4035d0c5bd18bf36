from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import responses
import time_machine

from wallboard.telephony import errors, oauth, transport

BASE_URL = "https://provider.test"
TOKEN_URL = f"{BASE_URL}/api/oauth/token/"
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
CANARY = "canary-77aa"


@pytest.fixture
def http() -> Iterator[Any]:
    with responses.RequestsMock() as mock, time_machine.travel(NOW, tick=False):
        yield mock


def company_token() -> Any:
    return oauth.company_token(BASE_URL, "id", CANARY)


def form(http: responses.RequestsMock) -> Any:
    body = http.calls[0].request.body
    assert isinstance(body, bytes)
    return {name: values[0] for name, values in parse_qs(body.decode()).items()}


def test_company_token_asks_by_form_without_a_version(http: responses.RequestsMock) -> None:
    http.post(TOKEN_URL, json={"access_token": "t", "expires_in": 3599, "scope": "all", "token_type": "Bearer"})

    token = company_token()

    assert form(http) == {"grant_type": "client_credentials", "client_id": "id", "client_secret": CANARY}
    assert "vnd.service" not in http.calls[0].request.headers["Accept"]
    assert "Authorization" not in http.calls[0].request.headers
    assert (token.access_token, token.refresh_token, token.scope) == ("t", "", "all")
    assert token.expires_at == NOW + timedelta(seconds=3599)


def test_a_code_is_exchanged_with_its_verifier(http: responses.RequestsMock) -> None:
    http.post(
        TOKEN_URL, json={"access_token": "t", "refresh_token": "r", "expires_in": 3599, "user_id": 101, "deep": {}}
    )

    token = oauth.exchange_code(BASE_URL, "id", "s", "c0de", "https://us/cb/", "verifier")

    assert form(http) == {
        "grant_type": "authorization_code", "client_id": "id", "client_secret": "s",
        "code": "c0de", "redirect_uri": "https://us/cb/", "code_verifier": "verifier",
    }  # fmt: skip
    assert token.refresh_token == "r"
    assert token.fields == {"expires_in": "3599", "user_id": "101"}


@pytest.mark.parametrize("name", ["refresh_token", "refreshToken", "refresh"])
def test_the_refresh_token_is_found_under_any_likely_name_and_never_shown(
    http: responses.RequestsMock, name: str
) -> None:
    http.post(TOKEN_URL, json={"access_token": "t", name: CANARY, "expires_in": 3599})

    token = oauth.exchange_code(BASE_URL, "id", "s", "c0de", "https://us/cb/")

    assert (token.refresh_token, token.fields) == (CANARY, {"expires_in": "3599"})


def test_refresh_asks_as_rfc_6749_says(http: responses.RequestsMock) -> None:
    http.post(TOKEN_URL, json={"access_token": "t2", "expires_in": 3599})

    token = oauth.refresh(BASE_URL, "id", "s", "old")

    assert form(http) == {
        "grant_type": "refresh_token",
        "refresh_token": "old",
        "client_id": "id",
        "client_secret": "s",
    }
    assert token.refresh_token == ""


@pytest.mark.parametrize(
    ("lifetime", "seconds"),
    [
        ({"expires_in": 3599}, 3599),
        ({"expires_in": "3599"}, 3599),
        ({"expires_in": 3599.5}, 3599.5),
        ({"expires_in": 0}, 0),
        ({"expires_in": -20}, 0),
        ({"expires_in": 1e11}, 90 * 86_400),
        ({"expires_in": 600, "expires": "2026-03-01T20:00:00.000"}, 600),
        ({"expires": "2026-03-01T12:30:00.000000"}, 1800),
        ({"expires": "2026-03-01T11:30:00"}, 3600),
        ({"expires": "2036-03-01T11:30:00"}, 3600),
        ({"expires": "soon"}, 3600),
        ({"expires": 12}, 3600),
        ({"expires_in": None}, 3600),
        ({"expires_in": "an hour"}, 3600),
        ({"expires_in": "nan"}, 3600),
        ({"expires_in": True}, 3600),
        ({"expires_in": {}}, 3600),
        ({}, 3600),
    ],
    ids=str,
)
def test_the_end_is_counted_by_our_receipt_clock(http: responses.RequestsMock, lifetime: Any, seconds: Any) -> None:
    http.post(TOKEN_URL, json={"access_token": "t", **lifetime})

    assert company_token().expires_at == NOW + timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (400, {"error": "invalid_grant", "error_description": CANARY}, errors.GrantRefused),
        (401, {"error": "invalid_grant"}, errors.GrantRefused),
        (400, {"error": "invalid_client"}, errors.NotAuthorized),
        (401, {"error": "invalid_client"}, errors.NotAuthorized),
        (400, {"error": "unauthorized_client"}, errors.NotAuthorized),
        (400, {"error": "invalid_request"}, errors.RequestRefused),
        (400, {"error": [CANARY]}, errors.RequestRefused),
        (400, [CANARY], errors.RequestRefused),
        (401, {}, errors.NotAuthorized),
        (404, {}, errors.NotFound),
        (429, {"error": "invalid_grant"}, errors.RateLimited),
        (500, {"error": "invalid_grant"}, errors.InTrouble),
        (503, {}, errors.Unavailable),
        (302, {}, errors.BadResponse),
        (200, [], errors.BadResponse),
        (200, {}, errors.BadResponse),
        (200, {"access_token": None}, errors.BadResponse),
        (200, {"access_token": 5}, errors.BadResponse),
        (200, {"access_token": f"{CANARY}\r\nX: y"}, errors.BadResponse),
        (200, {"access_token": "ümlaut"}, errors.BadResponse),
        (200, {"access_token": "t", "refresh_token": {"a": 1}}, errors.BadResponse),
    ],
)
def test_refusals_are_named_and_tell_no_secret(
    http: responses.RequestsMock, status: Any, body: Any, error: Any
) -> None:
    http.post(TOKEN_URL, status=status, json=body)

    with pytest.raises(error) as caught:
        company_token()

    assert type(caught.value) is error
    assert caught.value.status == (None if status == 200 else status)
    assert CANARY not in repr(caught.value)


@pytest.mark.parametrize(
    ("status", "body", "of_code", "of_refresh"),
    [
        (400, b"", errors.GrantRefused, errors.GrantDoubted),
        (400, b"<h1>Bad request</h1>", errors.GrantRefused, errors.GrantDoubted),
        (400, b'{"detail": "Token is expired."}', errors.GrantRefused, errors.GrantDoubted),
        (400, b'{"error": "token_expired"}', errors.GrantRefused, errors.GrantDoubted),
        (400, b'{"error": {"code": 7}}', errors.GrantRefused, errors.GrantDoubted),
        (400, b'{"error": "invalid_request"}', errors.RequestRefused, errors.RequestRefused),
        (400, b'{"error": "unsupported_grant_type"}', errors.RequestRefused, errors.RequestRefused),
        (400, b'{"error": "invalid_client"}', errors.NotAuthorized, errors.NotAuthorized),
        (401, b'{"detail": "Invalid token."}', errors.NotAuthorized, errors.GrantDoubted),
        (401, b'{"error": "invalid_client"}', errors.NotAuthorized, errors.NotAuthorized),
        (403, b"", errors.NotAuthorized, errors.NotAuthorized),
        (404, b"", errors.NotFound, errors.NotFound),
        (500, b"", errors.InTrouble, errors.InTrouble),
    ],
)
def test_refusals_without_a_known_word_are_judged_by_status_and_grant(
    http: responses.RequestsMock, status: Any, body: Any, of_code: Any, of_refresh: Any
) -> None:
    http.post(TOKEN_URL, status=status, body=body)

    with pytest.raises(errors.ProviderError) as code:
        oauth.exchange_code(BASE_URL, "id", "s", "c0de", "https://us/cb/")
    with pytest.raises(errors.ProviderError) as refresh:
        oauth.refresh(BASE_URL, "id", "s", "old")

    assert (type(code.value), type(refresh.value)) == (of_code, of_refresh)


def test_a_token_shows_none_of_its_secrets() -> None:
    token = oauth.Token(CANARY, NOW, CANARY, "all", {"x": CANARY})

    assert CANARY not in repr(token)


def test_authorize_url_carries_state_and_challenge() -> None:
    url = oauth.authorize_url(BASE_URL + "/", "id", "https://us/cb/?a=b", "st&te", "challenge")

    parts = urlsplit(url)
    assert url.startswith(f"{BASE_URL}/api/oauth/authorize/?")
    assert {name: values[0] for name, values in parse_qs(parts.query).items()} == {
        "response_type": "code", "client_id": "id", "redirect_uri": "https://us/cb/?a=b", "state": "st&te",
        "code_challenge": "challenge", "code_challenge_method": "S256",
    }  # fmt: skip
    assert "code_challenge" not in oauth.authorize_url(BASE_URL, "id", "https://us/cb/", "s")


@pytest.mark.parametrize("path", ["/oauth/authorize/", "oauth/authorize/"])
def test_a_provider_may_serve_the_authorize_page_elsewhere(path: str) -> None:
    url = oauth.authorize_url(BASE_URL, "id", "https://us/cb/", "s", path=path)

    assert url.startswith(f"{BASE_URL}/oauth/authorize/?response_type=code&")


@pytest.mark.parametrize(
    "ask",
    [
        lambda: oauth.company_token(BASE_URL, "id", "s"),
        lambda: oauth.exchange_code(BASE_URL, "id", "s", "c0de", "https://us/cb/"),
        lambda: oauth.refresh(BASE_URL, "id", "s", "old"),
    ],
)
def test_no_token_is_asked_for_after_the_deadline(http: responses.RequestsMock, ask: Any) -> None:
    with transport.all_within(0), pytest.raises(errors.Unreachable, match="no time was left"):
        ask()


def test_a_refusal_carries_the_providers_time(http: responses.RequestsMock) -> None:
    http.post(TOKEN_URL, status=400, json={"error": "invalid_grant"}, headers={"Date": "Sun, 01 Mar 2026 12:05:00 GMT"})

    with pytest.raises(errors.GrantRefused) as caught:
        oauth.refresh(BASE_URL, "id", "s", "old")

    assert caught.value.provider_time == NOW + timedelta(minutes=5)
