"""The way back from the provider: once, within one deadline, and not given up for a hiccup."""

import json
import time
from typing import Any

import pytest
import requests
import responses
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore

from accounts.companies import editing
from accounts.encryption import sealed
from accounts.models import Domain
from accounts.signin import login
from tests.accounts.conftest import PROVIDER, Provider, Visitor


def test_equal_callbacks_at_once_are_one(visitor: Visitor, provider: Provider) -> None:
    state = visitor.start()["state"]
    at_once = [SessionStore(visitor.client.session.session_key) for _ in range(4)]
    assert all(len(session[login.ATTEMPTS]) == 1 for session in at_once)  # each has read what the others will take

    taken = [login.take_attempt(session, state) for session in at_once]

    assert [attempt is not None for attempt in taken] == [True, False, False, False]


def test_another_attempt_that_begins_meanwhile_is_not_lost(visitor: Visitor, provider: Provider) -> None:
    first, second = visitor.start()["state"], visitor.start(next="/desk/")["state"]
    early, late = (SessionStore(visitor.client.session.session_key) for _ in range(2))
    assert len(early[login.ATTEMPTS]) == len(late[login.ATTEMPTS]) == 2

    taken = [login.take_attempt(early, first), login.take_attempt(late, second)]

    assert [attempt and attempt.next for attempt in taken] == ["/", "/desk/"]


@pytest.mark.parametrize(("begun_at", "registered_by"), [("evil", "main"), ("main", "evil"), ("evil", "other")])
def test_a_code_that_comes_back_to_another_companys_address_is_given_to_nobody(
    visitor: Visitor, provider: Provider, begun_at: str, registered_by: str
) -> None:
    for name in ("evil", "other"):
        row = editing.add(name)
        Domain.objects.filter(pk=row.pk).update(base_url=PROVIDER, login_client_id="x", login_client_secret=sealed("x"))
    # The sign-in page of "evil" is its administrator's, who sends people on to the page of another company's provider.
    state = visitor.start(domain=begun_at)["state"]
    address = login.redirect_uri(Domain.objects.get(slug=registered_by))

    answer = visitor.client.get(address.removeprefix("http://testserver"), {"state": state, "code": "a-code"})

    assert answer.status_code == 400
    assert provider.forms == []
    assert SESSION_KEY not in visitor.client.session


def test_a_further_company_has_an_address_of_its_own_to_come_back_to(visitor: Visitor, provider: Provider) -> None:
    row = editing.add("Acme")
    Domain.objects.filter(pk=row.pk).update(base_url=PROVIDER, login_client_id="x", login_client_secret=sealed("x"))
    asked = visitor.start(domain="acme")
    path = asked["redirect_uri"].removeprefix("http://testserver")

    visitor.client.get(path, {"state": asked["state"], "code": "a-code"})

    assert path == f"/accounts/callback/{row.callback_key}/" != "/accounts/callback/"
    assert provider.forms[0]["redirect_uri"] == asked["redirect_uri"]
    assert SESSION_KEY in visitor.client.session
    editing.edit(row, "Acme", "acme", "acme.localhost")
    assert login.redirect_uri(row) == "http://acme.localhost/accounts/callback/"  # nobody else is at its host


@pytest.mark.parametrize("more", [{}, {"state": "of-no-attempt"}])
def test_a_refusal_without_a_state_that_is_known_is_told_as_one_and_changes_nothing(
    visitor: Visitor, provider: Provider, more: dict[str, str]
) -> None:
    state = visitor.start(next="/desk/")["state"]
    before = dict(visitor.client.session)

    answer = visitor.come_back(error="access_denied", error_description="<script>canary</script>", **more)

    assert answer.status_code == 400
    assert "The provider did not let you in, or you turned back there." in answer.content.decode()
    assert "canary" not in answer.content.decode()
    assert dict(visitor.client.session) == before
    assert provider.forms == []
    assert visitor.come_back(state=state, code="a-code")["Location"] == "/desk/"


@pytest.mark.parametrize("status", [401, 403])
def test_a_sign_in_that_is_refused_once_is_tried_once_more(
    visitor: Visitor, provider: Provider, http: responses.RequestsMock, status: int
) -> None:
    answers: list[Any] = [
        (status, {}, ""),
        (200, {}, json.dumps({"access_token": "a", "refresh_token": "r", "expires_in": 3599})),
    ]
    http.remove("POST", f"{PROVIDER}/api/oauth/token/")
    http.add_callback("POST", f"{PROVIDER}/api/oauth/token/", lambda _: answers.pop(0))

    assert visitor.sign_in(next="/desk/")["Location"] == "/desk/"

    assert SESSION_KEY in visitor.client.session
    assert answers == []


def test_all_exchanges_of_a_callback_have_one_deadline(
    visitor: Visitor, provider: Provider, http: responses.RequestsMock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accounts.views.signin.CALLBACK_SECONDS", 0.5)

    def slowly(request: requests.PreparedRequest) -> Any:
        time.sleep(0.6)
        return provider.create(request)

    http.remove("POST", f"{PROVIDER}/api/subscriptions/")
    http.add_callback("POST", f"{PROVIDER}/api/subscriptions/", slowly)
    began = time.monotonic()

    answer = visitor.sign_in()

    assert answer["Location"] == "/accounts/link/"  # the token came in time; whose it is could not be learned
    assert provider.deleted == []
    assert time.monotonic() - began < 5
