"""The way back from the provider: once, within one deadline, and not given up for a hiccup."""

import json
import time
from typing import Any

import pytest
import requests
import responses
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore

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
