"""The upkeep of sign-ins: notice from day 83, the end on day 90, and what nobody uses is forgotten."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from cryptography.fernet import Fernet
from django.utils import timezone

from accounts import leases, people, tasks
from accounts.models import Domain, Grant, Passkey, Person, User
from accounts.signin import login
from accounts.tokens import grants
from tests.accounts.conftest import Provider, Visitor
from wallboard.telephony import oauth


def days(number: float) -> Any:
    return time_machine.travel(timezone.now() + timedelta(days=number))


@pytest.mark.parametrize(("day", "notice"), [(1, ""), (82, ""), (83.1, "ends in 6 days"), (89.5, "ends today")])
def test_end_of_the_sign_in_is_announced_from_day_83_on(visitor: Visitor, day: float, notice: str) -> None:
    visitor.sign_in()

    with days(day):
        page = visitor.client.get("/accounts/").content.decode()

    assert "Your account" in page
    assert ("Your sign-in ends" in page) == bool(notice)
    assert notice in page


def test_after_day_90_the_session_is_over(visitor: Visitor) -> None:
    visitor.sign_in()

    with days(91):
        answer = visitor.client.get("/accounts/")

    assert answer["Location"].startswith("/accounts/login/")


def test_rotated_refresh_tokens_do_not_hide_that_the_session_ends(visitor: Visitor) -> None:
    visitor.sign_in()
    with days(88):
        Grant.objects.update(refresh_issued_at=timezone.now())
        assert "Your sign-in ends" in visitor.client.get("/accounts/").content.decode()


def test_keeping_refreshes_those_who_are_signed_in(visitor: Visitor, provider: Provider) -> None:
    visitor.sign_in()
    with days(0.1):
        tasks.maintain_grants()
        tasks.maintain_grants()

        assert visitor.client.get("/accounts/").status_code == 200
    assert len(provider.refreshes) == 1


def test_refused_refresh_signs_the_user_out_once(
    visitor: Visitor, provider: Provider, closed: list[int], django_capture_on_commit_callbacks: Any
) -> None:
    visitor.sign_in()
    provider.refusal = 400, {"error": "invalid_grant"}
    with days(0.1):
        with django_capture_on_commit_callbacks(execute=True):
            grants.maintain()
            grants.maintain()

        assert visitor.client.get("/accounts/").status_code == 302
    assert closed == [User.objects.get().pk]
    assert len(provider.refreshes) == 1


@pytest.mark.parametrize("is_gone", [False, True])
def test_a_sign_in_that_cannot_be_looked_at_keeps_nobody_elses_from_it(
    visitor: Visitor, new_visitor: Any, provider: Provider, monkeypatch: pytest.MonkeyPatch, is_gone: bool
) -> None:
    visitor.sign_in()
    first = Grant.objects.get()
    lost = Fernet(Fernet.generate_key()).encrypt(b"refresh").decode()
    Grant.objects.update(access_token=lost, refresh_token=lost)
    provider.users = ("102",)
    new_visitor().sign_in()
    provider.refusal = 400, {"error": "invalid_grant"}
    real = grants.check

    def check(grant: Grant) -> None:
        if is_gone and grant == first:
            Grant.objects.filter(pk=grant.pk).delete()
        real(grant)

    monkeypatch.setattr(grants, "check", check)
    with days(0.1):
        grants.maintain()

    assert Grant.objects.exclude(pk=first.pk).get().refused_at
    assert Grant.objects.filter(pk=first.pk, refused_at=None).exists() != is_gone


@pytest.mark.parametrize("refusal", [(401, {"error": "invalid_client"}), (503, {}), (500, {})])
def test_trouble_at_the_provider_signs_nobody_out(
    visitor: Visitor, provider: Provider, refusal: tuple[int, dict[str, object]]
) -> None:
    visitor.sign_in()
    provider.refusal = refusal
    with days(0.1):
        grants.maintain()

        assert visitor.client.get("/accounts/").status_code == 200


def test_disabled_user_is_signed_out_for_good(visitor: Visitor, provider: Provider) -> None:
    visitor.sign_in()
    User.objects.update(is_active=False)

    grants.maintain()
    User.objects.update(is_active=True)

    assert visitor.client.get("/accounts/").status_code == 302
    assert Grant.objects.get().refresh_token == ""


def test_grants_without_sessions_are_forgotten_after_a_day(domain: Domain, provider: Provider) -> None:
    person = people.get_or_create(domain, "101")
    people.link(person, User.objects.create(username="main-101"))
    waiting = User.objects.create(username="main-waiting", link_code="4821")
    assert person.user is not None
    for user in (person.user, waiting):
        login.store_grant(domain, user, oauth.Token("x", timezone.now() + timedelta(hours=1), "y"))
    grants.maintain()
    assert Grant.objects.count() == 2

    with days(2):
        grants.maintain()

    assert not Grant.objects.exists()
    assert list(User.objects.values_list("username", flat=True)) == ["main-101"]
    assert Person.objects.get().user is not None


@pytest.mark.parametrize(
    ("password", "is_operator", "has_key"),
    [("a-long-enough-phrase", False, False), (None, True, False), (None, False, True)],
)
def test_an_account_with_another_way_in_outlives_its_grant(
    domain: Domain, provider: Provider, password: str | None, is_operator: bool, has_key: bool
) -> None:
    user = User.objects.create_user("ada", password=password, is_operator=is_operator)
    if has_key:
        Passkey.objects.create(user=user, name="Only", credential_id=b"1", user_handle=b"h", public_key=b"k")
    login.store_grant(domain, user, oauth.Token("x", timezone.now() + timedelta(hours=1), "y"))

    with days(2):
        grants.maintain()

    assert not Grant.objects.exists()
    assert User.objects.get() == user


def test_one_process_at_a_time_keeps_grants(visitor: Visitor, provider: Provider) -> None:
    visitor.sign_in()
    assert leases.acquire("grants", 60)

    with days(0.1):
        grants.maintain()

    assert provider.refreshes == []
