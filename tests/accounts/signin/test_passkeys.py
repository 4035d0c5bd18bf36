"""Passkeys of local accounts: made, used, named, removed."""

from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client

from accounts.models import AuditEntry, Domain, Passkey, User
from accounts.signin import joining, passkeys, recent
from tests.accounts.keys import added, entered, local, options, signed_in
from tests.harness.authenticator import SoftKey

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("named_site")]


def test_a_key_signs_in_without_a_name(ada: User, key: SoftKey) -> None:
    browser = Client()
    asked = options(browser)
    key.count = 1

    answer = browser.post("/accounts/passkey/", {"credential": key.answer(asked), "next": "/accounts/?x=1"})

    assert answer.headers["Location"] == "/accounts/?x=1"
    assert browser.session["_auth_user_id"] == str(ada.pk)
    assert (asked["rpId"], asked["userVerification"]) == ("wallboard.example.com", "required")
    assert not asked.get("allowCredentials")
    assert Passkey.objects.get().sign_count == 1
    assert Passkey.objects.get().last_used_at
    told = AuditEntry.objects.filter(what="signed in with a passkey").get()
    assert told.about == "local-ada: Laptop"


def test_what_a_browser_is_asked_to_make(ada: User, key: SoftKey) -> None:
    asked = signed_in(ada).post("/accounts/passkeys/options/").json()

    assert asked["rp"] == {"id": "wallboard.example.com", "name": "Wallboard"}
    wanted = asked["authenticatorSelection"]
    assert (wanted["residentKey"], wanted["userVerification"]) == ("required", "required")
    assert asked["attestation"] == "none"
    assert len(asked["excludeCredentials"]) == 1  # no key twice


def test_several_keys_are_named_renamed_and_removed(ada: User, key: SoftKey) -> None:
    browser = signed_in(ada)
    added(browser, name="Office")
    office = Passkey.objects.get(name="Office")
    page = browser.get("/accounts/").content.decode()
    assert "Laptop" in page
    assert "Office" in page

    browser.post(f"/accounts/passkeys/{office.pk}/", {"act": "rename", "name": "Desk"})
    browser.post(f"/accounts/passkeys/{Passkey.objects.get(name='Laptop').pk}/", {"act": "remove"})

    assert [each.name for each in ada.passkeys.all()] == ["Desk"]
    stranger = Client()
    assert entered(stranger, key.answer(options(stranger))) == 400
    done = list(AuditEntry.objects.order_by("pk").values_list("what", flat=True))
    assert done == ["passkey added", "passkey added", "passkey renamed", "passkey removed"]
    assert len({bytes(each) for each in Passkey.objects.values_list("user_handle", flat=True)}) == 1


def test_keys_are_changed_shortly_after_a_sign_in_only(ada: User, key: SoftKey) -> None:
    browser, stored = signed_in(ada), Passkey.objects.get()
    asked = browser.post("/accounts/passkeys/options/").json()
    session = browser.session
    session[recent.SIGNED_IN_AT] -= recent.SECONDS
    session.save()

    assert browser.post("/accounts/passkeys/options/").status_code == 409
    browser.post("/accounts/passkeys/", {"credential": SoftKey().make(asked)})
    browser.post(f"/accounts/passkeys/{stored.pk}/", {"act": "remove"})
    assert [each.name for each in Passkey.objects.all()] == ["Laptop"]
    assert b"Sign in again" in browser.get("/accounts/").content

    assert entered(browser, key.answer(options(browser))) == 302  # a key is a proof as good as a password
    assert browser.post("/accounts/passkeys/options/").status_code == 200


def test_the_last_way_in_stays(domain: Domain) -> None:
    bob = local(domain, "bob", password=None)
    Passkey.objects.create(user=bob, name="Only", credential_id=b"1", user_handle=b"h", public_key=b"k")
    browser, only = signed_in(bob), Passkey.objects.get()

    browser.post(f"/accounts/passkeys/{only.pk}/", {"act": "remove"})
    assert Passkey.objects.exists()

    added(browser)
    browser.post(f"/accounts/passkeys/{only.pk}/", {"act": "remove"})
    assert [each.name for each in bob.passkeys.all()] == ["Laptop"]


def test_whoever_signs_in_at_the_provider_has_no_keys_here(domain: Domain) -> None:
    browser = signed_in(local(domain, "carl", password=None))

    assert browser.post("/accounts/passkeys/options/").status_code == 403
    assert b"Passkeys" not in browser.get("/accounts/").content


def test_there_are_not_endlessly_many(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passkeys, "MOST", 2)
    for _ in range(3):
        added(signed_in(ada))

    assert ada.passkeys.count() == 2


@pytest.mark.parametrize(
    ("url", "is_so"),
    [
        ("https://wallboard.example.com", True),
        ("http://localhost:8000", True),
        ("https://192.0.2.1", False),
        ("https://[2001:db8::1]", False),
        ("http://127.0.0.1:8000", False),
        ("http://wallboard.lan", False),
    ],
)
def test_where_browsers_take_passkeys(url: str, is_so: bool, settings: Any, ada: User) -> None:
    settings.PUBLIC_URL, settings.PUBLIC = url, urlsplit(url)

    assert (b"data-passkey" in Client().get("/accounts/password/").content) == is_so


def test_the_way_in_is_offered_where_a_key_is_all_there_is(domain: Domain) -> None:
    bob = local(domain, "bob", password=None)
    assert not joining.has_local_accounts()
    Passkey.objects.create(user=bob, name="Only", credential_id=b"1", user_handle=b"h", public_key=b"k")

    assert joining.has_local_accounts()
