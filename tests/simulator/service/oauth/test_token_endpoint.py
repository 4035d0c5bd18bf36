"""The token endpoint, statement by statement of the provider's document."""

import base64
import hashlib
from datetime import datetime

import pytest
import requests

from tests.simulator.conftest import Provider

pytestmark = pytest.mark.flow


def test_access_token_answer_has_the_documented_fields_and_types(provider: Provider) -> None:
    answer = provider.company()

    assert answer.status_code == 200
    types = {name: type(value) for name, value in answer.json().items()}
    assert types == {"access_token": str, "scope": str, "token_type": str, "expires_in": int, "expires": str}
    assert answer.json()["token_type"] == "Bearer"


def test_a_full_hour_is_reported_as_3599(provider: Provider) -> None:
    assert provider.company().json()["expires_in"] == 3599


def test_expires_is_utc_with_a_fraction_and_without_a_zone(provider: Provider) -> None:
    text = provider.company().json()["expires"]

    moment = datetime.fromisoformat(text)
    assert moment.tzinfo is None
    assert "." in text
    now = datetime.fromisoformat(provider.control("clock", seconds=0)["now"]).replace(tzinfo=None)
    assert 3590 < (moment - now).total_seconds() <= 3600


def test_the_access_token_is_valid_for_one_hour(provider: Provider) -> None:
    token = provider.company_token()

    provider.control("clock", seconds=3590)
    assert provider.stats(token).status_code == 200
    provider.control("clock", seconds=15)
    assert provider.stats(token).status_code == 401


def test_client_credentials_give_access_to_the_whole_domain(provider: Provider) -> None:
    token = provider.company_token()

    assert provider.stats(token).status_code == 200
    assert provider.subscribe(token, "http://127.0.0.1:9/", user=["101", "102"]).status_code == 201


def test_authorization_code_answer_has_the_token_shape_and_a_refresh_token(provider: Provider) -> None:
    answer = provider.exchange(provider.code())

    assert answer.status_code == 200
    fields = {"access_token", "scope", "token_type", "expires_in", "expires", "refresh_token"}
    assert set(answer.json()) == fields
    assert answer.json()["expires_in"] == 3599


def test_the_code_is_valid_for_60_seconds(provider: Provider) -> None:
    in_time, too_late = provider.code(), provider.code()

    provider.control("clock", seconds=55)
    assert provider.exchange(in_time).status_code == 200
    provider.control("clock", seconds=10)
    assert provider.exchange(too_late).json()["error"] == "invalid_grant"


def test_the_code_is_valid_once_and_its_second_use_ends_the_first_tokens(provider: Provider) -> None:
    code = provider.code()
    first = provider.exchange(code).json()
    assert provider.refresh(first["refresh_token"]).status_code == 200

    assert provider.exchange(code).json()["error"] == "invalid_grant"
    assert provider.refresh(first["refresh_token"]).json()["error"] == "invalid_grant"


def test_the_redirect_uri_must_be_the_one_of_the_code(provider: Provider) -> None:
    answer = provider.exchange(provider.code(), redirect_uri="http://testserver/accounts/callback")

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")


def test_the_refresh_token_gives_a_new_access_token_after_expiry(provider: Provider) -> None:
    first = provider.exchange(provider.code("103")).json()
    provider.control("clock", seconds=3700)

    second = provider.refresh(first["refresh_token"])

    assert second.status_code == 200
    assert second.json()["access_token"] != first["access_token"]
    created = provider.subscribe(second.json()["access_token"], "http://127.0.0.1:9/").json()
    read = provider.read(second.json()["access_token"], created["id"]).json()
    assert read["events"] == [{"type": "calls", "user": "103"}]


def test_the_refresh_token_is_valid_for_90_days(provider: Provider) -> None:
    refresh_token = provider.exchange(provider.code()).json()["refresh_token"]

    provider.control("clock", seconds=90 * 86_400 - 60)
    assert provider.refresh(refresh_token).status_code == 200
    provider.control("clock", seconds=120)
    assert provider.refresh(refresh_token).json()["error"] == "invalid_grant"


def test_the_token_endpoint_is_called_without_the_versioned_header(provider: Provider) -> None:
    answer = provider.company()

    assert "vnd.service" not in str(answer.request.headers["Accept"])
    assert answer.status_code == 200


def test_token_answers_are_not_stored(provider: Provider) -> None:
    assert provider.company().headers["Cache-Control"] == "no-store"
    assert provider.company(client_secret="wrong").headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("changes", "status", "error"),
    [
        ({"client_secret": "wrong"}, 401, "invalid_client"),
        ({"client_id": "nobody"}, 401, "invalid_client"),
        ({"client_id": "n\u00f6body", "client_secret": "\u00fc"}, 401, "invalid_client"),
        ({"grant_type": "password"}, 400, "unsupported_grant_type"),
        ({"grant_type": ""}, 400, "invalid_request"),
        ({"grant_type": "authorization_code"}, 400, "unauthorized_client"),
    ],
)
def test_token_errors_are_those_of_rfc_6749(
    provider: Provider, changes: dict[str, str], status: int, error: str
) -> None:
    answer = provider.company(**changes)

    assert (answer.status_code, answer.json()["error"]) == (status, error)


def test_the_sign_in_application_cannot_act_for_the_company(provider: Provider) -> None:
    answer = provider.login(grant_type="client_credentials")

    assert (answer.status_code, answer.json()["error"]) == (400, "unauthorized_client")


def test_a_code_and_a_refresh_token_must_be_sent(provider: Provider) -> None:
    assert provider.login(grant_type="authorization_code").json()["error"] == "invalid_request"
    assert provider.login(grant_type="refresh_token").json()["error"] == "invalid_request"
    assert provider.exchange("made-up").json()["error"] == "invalid_grant"
    assert provider.refresh("made.up").json()["error"] == "invalid_grant"


def test_an_access_token_is_no_refresh_token_and_the_other_way_round(provider: Provider) -> None:
    tokens = provider.exchange(provider.code()).json()

    assert provider.refresh(tokens["access_token"]).json()["error"] == "invalid_grant"
    assert provider.read(tokens["refresh_token"], 1).status_code == 401


def test_only_form_fields_are_read(provider: Provider) -> None:
    answer = requests.post(f"{provider.url}/api/oauth/token/", json={"grant_type": "client_credentials"}, timeout=10)

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


def test_a_field_sent_twice_is_refused(provider: Provider) -> None:
    fields = [("grant_type", "client_credentials")] * 2

    answer = requests.post(f"{provider.url}/api/oauth/token/", data=fields, timeout=10)

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


def test_a_code_asked_for_with_a_challenge_needs_its_verifier(provider: Provider) -> None:
    verifier = "a-verifier-of-at-least-forty-three-characters-in-length"
    digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    codes = [provider.code(code_challenge=digest, code_challenge_method="S256") for _ in range(3)]

    assert provider.exchange(codes[0]).json()["error"] == "invalid_grant"
    assert provider.exchange(codes[1], code_verifier=verifier + "x").json()["error"] == "invalid_grant"
    assert provider.exchange(codes[2], code_verifier=verifier).status_code == 200


def test_refresh_tokens_can_be_set_to_rotate(provider: Provider) -> None:
    provider.control("refresh", mode="rotate")
    first = provider.exchange(provider.code()).json()["refresh_token"]

    second = provider.refresh(first).json()["refresh_token"]

    assert provider.refresh(first).json()["error"] == "invalid_grant"
    assert provider.refresh(second).status_code == 200


def test_refresh_tokens_stay_the_same_unless_told_otherwise(provider: Provider) -> None:
    refresh_token = provider.exchange(provider.code()).json()["refresh_token"]

    assert "refresh_token" not in provider.refresh(refresh_token).json()
    assert provider.refresh(refresh_token).status_code == 200


def test_refresh_tokens_can_be_withheld(provider: Provider) -> None:
    provider.control("refresh", mode="none")

    assert "refresh_token" not in provider.exchange(provider.code()).json()


def test_tokens_outlive_a_restart_of_the_service(provider: Provider) -> None:
    company, refresh_token = provider.company_token(), provider.exchange(provider.code()).json()["refresh_token"]

    provider.simulator.child.stop()
    provider.simulator.start()

    assert provider.stats(company).status_code == 200
    assert provider.refresh(refresh_token).status_code == 200
