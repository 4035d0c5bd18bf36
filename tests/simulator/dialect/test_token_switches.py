"""Signing in, tokens and errors in other dialects."""

import base64
import hashlib

import pytest
import requests

from tests.simulator.conftest import STATS, Provider

pytestmark = pytest.mark.flow
VERIFIER = "a-verifier-of-at-least-forty-three-characters-in-length"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
PKCE = {"code_challenge": CHALLENGE, "code_challenge_method": "S256"}


@pytest.mark.parametrize(("form", "statuses"), [("both", (200, 200)), ("api", (200, 404)), ("bare", (404, 200))])
def test_authorize_path(provider: Provider, form: str, statuses: tuple[int, int]) -> None:
    provider.dialect(authorize_path=form)

    addresses = [f"{provider.url}{prefix}/oauth/authorize/" for prefix in ("/api", "")]

    for method in ("GET", "POST"):
        answers = [
            requests.request(method, address, params=provider.authorize_query(), timeout=5) for address in addresses
        ]
        assert tuple(200 if each.status_code == 422 else each.status_code for each in answers) == statuses


@pytest.mark.parametrize(("form", "with_verifier", "without"), [("accepted", 200, 400), ("ignored", 200, 200)])
def test_pkce(provider: Provider, form: str, with_verifier: int, without: int) -> None:
    provider.dialect(pkce=form)

    codes = [provider.code(**PKCE) for _ in "12"]

    assert provider.exchange(codes[0], code_verifier=VERIFIER).status_code == with_verifier
    assert provider.exchange(codes[1]).status_code == without


def test_pkce_can_be_refused(provider: Provider) -> None:
    provider.dialect(pkce="refused")

    assert provider.authorize("101", state="s", **PKCE)["error"] == "invalid_request"
    assert "code" in provider.authorize("101", state="s")


@pytest.mark.parametrize("status", ["401", "403"])
def test_expired_token_status(provider: Provider, status: str) -> None:
    provider.dialect(expired_token_status=status)
    token = provider.company_token()
    assert provider.stats(token).status_code == 200

    provider.control("tokens", do="expire")

    assert provider.stats(token).status_code == int(status)


@pytest.mark.parametrize("status", ["401", "403"])
def test_good_token_refusal_share_and_good_token_refusal_status(provider: Provider, status: str) -> None:
    token = provider.company_token()
    provider.dialect(good_token_refusal_share=0.5, good_token_refusal_status=status)

    statuses = [provider.stats(token).status_code for _ in range(40)]

    assert set(statuses) == {200, int(status)}


def test_a_good_token_can_be_refused_once_on_command(provider: Provider) -> None:
    token = provider.company_token()
    provider.control("faults", at="stats", do="status", status=403, times=1)

    assert [provider.stats(token).status_code for _ in "12"] == [403, 200]


def test_token_requests_can_be_refused_for_a_while(provider: Provider) -> None:
    provider.control("faults", at="token", do="status", status=400, body='{"error": "invalid_client"}', for_seconds=60)

    assert [provider.company().status_code for _ in "12"] == [400, 400]
    provider.control("faults/clear")
    assert provider.company().status_code == 200


@pytest.mark.parametrize(
    ("form", "value"), [("3599", 3599), ("0", 0), ("1", 1), ("missing", None), ("text", "3599"), ("words", "an hour")]
)
def test_token_expires_in(provider: Provider, form: str, value: object) -> None:
    provider.dialect(token_expires_in=form)

    answer = provider.company().json()

    assert answer.get("expires_in") == value
    assert ("expires_in" in answer) == (form != "missing")
    assert provider.stats(answer["access_token"]).status_code == 200


def test_refresh_tokens(provider: Provider) -> None:
    first = provider.exchange(provider.code()).json()["refresh_token"]
    provider.dialect(refresh_tokens="rotate")

    second = provider.refresh(first).json()["refresh_token"]

    assert provider.refresh(first).status_code == 400
    provider.dialect(refresh_tokens="keep")
    assert "refresh_token" not in provider.refresh(second).json()
    provider.dialect(refresh_tokens="none")
    assert "refresh_token" not in provider.exchange(provider.code()).json()


def test_refresh_token_field(provider: Provider) -> None:
    provider.dialect(refresh_token_field="renewal_token")

    answer = provider.exchange(provider.code()).json()

    assert "refresh_token" not in answer
    assert provider.refresh(answer["renewal_token"]).status_code == 200


def test_version_check(provider: Provider) -> None:
    token = provider.company_token()
    assert provider.call("GET", "/api/call_queues/stats/live/", token, "*/*").status_code == 406

    provider.dialect(version_check="lenient")

    assert provider.call("GET", "/api/call_queues/stats/live/", token, "*/*").status_code == 200


@pytest.mark.parametrize(("form", "kind"), [("json", "application/json"), ("text", "text/plain"), ("empty", None)])
def test_error_body(provider: Provider, form: str, kind: str | None) -> None:
    provider.dialect(error_body=form)

    answers = [
        provider.stats("wrong.token"),
        provider.company(client_secret="wrong"),
        provider.call("GET", "/api/nothing/", None, STATS),
    ]

    assert [answer.status_code for answer in answers] == [401, 401, 404]
    for answer in answers:
        assert bool(answer.content) == (form != "empty")
        assert kind is None or answer.headers["Content-Type"].startswith(kind)
    assert answers[0].headers["WWW-Authenticate"].startswith("Bearer")
