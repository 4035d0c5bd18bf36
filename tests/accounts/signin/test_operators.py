"""Operators' pages open for operators with a fresh proof of who sits there, and for nobody else."""

import time

import pytest
from django.contrib.auth.hashers import make_password
from django.test import Client

from accounts.companies import editing
from accounts.models import Domain, Person, User
from accounts.signin import recent
from tests.accounts.conftest import make_domain
from tests.accounts.keys import added, entered, local, options
from tests.accounts.keys import signed_in as signed_in_as

pytestmark = pytest.mark.django_db
PAGE = "/operator/companies/"
PASSWORD = "a-long-enough-phrase"


def signed_in(**rights: bool) -> Client:
    client = Client()
    client.force_login(User.objects.create_user("ada", None, PASSWORD, **rights))
    return client


def proved_ago(client: Client, seconds: float) -> None:
    session = client.session
    session[recent.SIGNED_IN_AT] = int(time.time() - seconds)
    session.save()


@pytest.mark.parametrize(
    ("rights", "status"),
    [({"is_operator": True}, 200), ({"is_superuser": True}, 200), ({"is_staff": True}, 403), ({}, 403)],
)
def test_it_is_for_operators(rights: dict[str, bool], status: int) -> None:
    assert signed_in(**rights).get(PAGE).status_code == status


@pytest.mark.parametrize("right", ["is_superuser", "is_operator"])
def test_an_operator_who_is_nobody_at_a_company_signs_in_with_a_password(right: str) -> None:
    User.objects.create_user("ada", None, PASSWORD, **{right: True})
    make_domain("acme", host="acme.localhost")
    form = {"username": "ada", "password": PASSWORD}
    client = Client(enforce_csrf_checks=True)
    client.get("/accounts/password/")
    token = {"csrfmiddlewaretoken": client.cookies["csrftoken"].value}
    signed = client.post("/accounts/password/", form | token, headers={"origin": "http://testserver"})
    elsewhere = Client(headers={"host": "acme.localhost"}).post("/accounts/password/", form)

    assert signed.headers["Location"] == PAGE
    assert client.get(PAGE).status_code == 200
    assert elsewhere.status_code == 400


@pytest.mark.usefixtures("named_site")
@pytest.mark.parametrize("is_paused", [False, True])
def test_an_operator_with_a_passkey_alone_goes_on_without_a_company(domain: Domain, is_paused: bool) -> None:
    user = local(domain)
    key = added(signed_in_as(user))
    User.objects.update(is_operator=True, password=make_password(None))
    if is_paused:
        editing.pause(domain)
    else:
        Person.objects.all().delete()
    client = Client()

    answer = client.post("/accounts/passkey/", {"credential": key.answer(options(client))})

    assert answer.headers["Location"] == PAGE
    assert client.get(PAGE).status_code == 200


@pytest.mark.usefixtures("named_site")
def test_nobody_else_enters_a_paused_company_with_a_passkey(domain: Domain) -> None:
    key = added(signed_in_as(local(domain)))
    editing.pause(domain)
    client = Client()

    assert entered(client, key.answer(options(client))) == 400


def test_nobody_is_sent_to_sign_in() -> None:
    assert Client().get(PAGE).headers["Location"].startswith("/accounts/login/")


@pytest.mark.parametrize("ago", [recent.SECONDS + 5, -60])
def test_an_old_sign_in_is_asked_for_the_password_again(ago: float) -> None:
    client = signed_in(is_operator=True)
    proved_ago(client, ago)

    away = client.get(PAGE).headers["Location"]
    posted = client.post(PAGE, {"name": "Acme"})
    wrong = client.post(away, {"password": "wrong"})
    still = client.get(PAGE).status_code
    right = client.post(away, {"password": PASSWORD, "next": PAGE})

    assert away == "/accounts/confirm/?next=%2Foperator%2Fcompanies%2F"
    assert posted.headers["Location"] == away
    assert (wrong.status_code, still) == (400, 302)
    assert right.headers["Location"] == PAGE
    assert client.get(PAGE).status_code == 200


def test_whoever_has_no_password_is_told_to_sign_in_anew() -> None:
    client = signed_in(is_operator=True)
    user = User.objects.get()
    user.set_unusable_password()
    user.save()
    client.force_login(user)
    proved_ago(client, 10_000)

    page = client.get("/accounts/confirm/").content.decode()

    assert "sign out, sign in again" in page
    assert 'name="password"' not in page
