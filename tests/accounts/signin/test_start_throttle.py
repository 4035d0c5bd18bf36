"""How many sign-ins one address may begin, and who cannot use them up."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from accounts.signin import start_throttle
from tests.accounts.conftest import Visitor
from wallboard.live.backends import shared_counts

NewVisitor = Callable[[], Visitor]


def test_one_address_begins_only_so_many_sign_ins(new_visitor: NewVisitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.views.signin.sign_ins", start_throttle.StartThrottle(3))
    told = [new_visitor().client.get("/accounts/login/start/", {"domain": "main"}) for _ in range(5)]

    assert [answer.status_code for answer in told] == [302, 302, 302, 429, 429]
    assert "Too many sign-ins" in told[-1].content.decode()
    assert Session.objects.count() == 3
    elsewhere = Client(REMOTE_ADDR="192.0.2.9").get("/accounts/login/start/", {"domain": "main"})
    assert elsewhere.status_code == 302


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Dest": "image", "Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Dest": "iframe", "Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Dest": "script", "Sec-Fetch-Site": "cross-site"},
        {"Accept": "image/webp,image/apng,*/*;q=0.8"},
        {"Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "cross-site"},
    ],
)
def test_a_page_of_another_site_uses_up_no_sign_ins(
    new_visitor: NewVisitor, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str]
) -> None:
    monkeypatch.setattr("accounts.views.signin.sign_ins", start_throttle.StartThrottle(3))

    for _ in range(5):
        answer = new_visitor().client.get("/accounts/login/start/", {"domain": "main"}, headers=headers)
        assert answer.status_code == 403 or answer["Location"] == "/accounts/login/?next=%2F"

    assert Session.objects.count() == 0
    usual = {"Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "same-origin", "Accept": "text/html,*/*;q=0.8"}
    assert new_visitor().client.get("/accounts/login/start/", {"domain": "main"}, headers=usual).status_code == 302
    assert Session.objects.count() == 1


def test_starts_are_counted_by_network_and_forgotten_after_ten_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 6000.0
    monkeypatch.setattr(shared_counts, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(start_throttle, "MAX_ADDRESSES", 3)
    begun = start_throttle.StartThrottle(1)

    assert [begun.is_exceeded(f"2001:db8:{each}") for each in (":1", "0:9::2", "1::1")] == [False, True, False]
    assert [begun.is_exceeded(each) for each in ("::ffff:192.0.2.1", "192.0.2.1", "192.0.2.2")] == [False, True, False]
    assert begun.is_exceeded("192.0.2.3") is True

    now += 600
    assert begun.is_exceeded("192.0.2.3") is False
