"""Guessing at the admin site."""

import io
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.models import FailedSignIn, KnownAddress, User
from accounts.signin import password_throttle

pytestmark = pytest.mark.django_db
ATTACKER, OFFICE = "198.51.100.7", "192.0.2.1"


@pytest.fixture(autouse=True)
def root(monkeypatch: pytest.MonkeyPatch) -> User:
    assert password_throttle.MAX_FOR_USER > password_throttle.MAX_PER_ADDRESS  # or one address could shut a user out
    monkeypatch.setattr(password_throttle, "MAX_FOR_USER", password_throttle.MAX_PER_ADDRESS + 2)
    return User.objects.create_superuser("root", password="right")


def try_in(password: str, address: str = ATTACKER, name: str = "root", **headers: str) -> bool:
    """Whether a fresh browser gets in."""
    client = Client(REMOTE_ADDR=address, headers=headers)
    client.post("/admin/login/", {"username": name, "password": password})
    return client.get("/admin/").status_code == 200


def test_eleventh_guess_is_not_even_looked_at() -> None:
    assert [try_in(f"wrong {number}") for number in range(10)] == [False] * 10

    assert try_in("right") is False
    assert FailedSignIn.objects.count() == password_throttle.MAX_PER_ADDRESS


def test_one_password_for_many_accounts_is_guessing_too() -> None:
    for number in range(10):
        try_in("wrong", name=f"user-{number}")

    assert try_in("right") is False


def test_administrator_elsewhere_is_not_locked_out() -> None:
    for _ in range(20):
        try_in("wrong")

    assert try_in("right", OFFICE) is True


def test_attempts_come_back_after_a_quarter_of_an_hour() -> None:
    for _ in range(15):
        try_in("wrong")

    with time_machine.travel(timezone.now() + timedelta(minutes=16)):
        assert try_in("right") is True


def test_right_password_costs_no_attempt() -> None:
    assert [try_in("right") for _ in range(12)] == [True] * 12


def test_made_up_forwarded_addresses_do_not_help() -> None:
    for number in range(10):
        try_in("wrong", x_forwarded_for=f"203.0.113.{number}")

    assert try_in("right", x_forwarded_for="203.0.113.99") is False


def test_own_proxy_is_believed_for_its_own_entry_only(settings: Any) -> None:
    settings.TRUSTED_PROXIES = 1
    for number in range(10):
        try_in("wrong", "10.0.0.1", x_forwarded_for=f"203.0.113.{number}, {ATTACKER}")

    assert try_in("right", "10.0.0.1", x_forwarded_for=f"203.0.113.99, {ATTACKER}") is False
    assert try_in("right", "10.0.0.1", x_forwarded_for=OFFICE) is True


def test_unlock_command_breaks_the_glass() -> None:
    for _ in range(10):
        try_in("wrong")
    out = io.StringIO()

    call_command("unlock", ATTACKER, stdout=out)

    assert out.getvalue().startswith("10 ")
    assert try_in("right") is True


def guess_from_everywhere(name: str = "root") -> None:
    """Wrong passwords about one user, each from another network."""
    for number in range(password_throttle.MAX_FOR_USER):
        try_in("wrong", f"203.0.113.{number}", name)


def words_for(name: str, address: str) -> bool:
    """Whether this visitor is told that the user has to pause."""
    page = Client(REMOTE_ADDR=address).post("/admin/login/", {"username": name, "password": "wrong"})
    return "for this user" in page.content.decode()


def test_guesses_about_one_user_from_everywhere_make_a_pause_for_that_user() -> None:
    User.objects.create_superuser("other", password="right")
    guess_from_everywhere()

    assert try_in("right", OFFICE) is False
    assert try_in("right", OFFICE, "other") is True
    with time_machine.travel(timezone.now() + timedelta(minutes=16)):
        assert try_in("right", OFFICE) is True


def test_administrator_gets_in_where_they_did_before_whatever_others_guess() -> None:
    assert try_in("right", OFFICE) is True

    guess_from_everywhere()

    assert try_in("right", "192.0.2.77") is False
    assert try_in("right", OFFICE) is True


def test_pause_does_not_tell_which_users_there_are() -> None:
    guess_from_everywhere("nobody")
    guess_from_everywhere("root")

    assert (words_for("nobody", OFFICE), words_for("root", OFFICE)) == (True, True)


def test_known_address_is_forgotten_in_the_end() -> None:
    assert try_in("right", OFFICE) is True
    KnownAddress.objects.update(at=timezone.now() - timedelta(days=401))

    guess_from_everywhere()

    assert try_in("right", OFFICE) is False
    assert try_in("right", ATTACKER, "root") is False
    call_command("unlock", "root", stdout=io.StringIO())
    assert try_in("right", ATTACKER) is True
    assert try_in("right", OFFICE) is True


def test_one_owner_of_many_addresses_has_ten_tries() -> None:
    for number in range(10):
        try_in("wrong", f"2001:db8:7:{number}::1", f"user-{number}")

    assert try_in("right", "2001:db8:7:99::1") is False
    call_command("unlock", "2001:db8:7:5::1", stdout=io.StringIO())
    assert try_in("right", "2001:db8:7:99::1") is True


def test_name_that_was_typed_is_not_kept() -> None:
    try_in("wrong", name="a password in the wrong field")

    assert "password" not in str(list(FailedSignIn.objects.values()))
