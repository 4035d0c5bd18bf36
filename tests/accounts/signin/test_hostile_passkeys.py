"""Whatever a hostile browser could send in the place of a passkey's answer: nobody gets in, and nothing breaks."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import AuditEntry, Domain, Passkey, Person, User
from accounts.signin import passkeys
from accounts.signin.start_throttle import StartThrottle
from accounts.views import passkeys as views
from tests.accounts.keys import added, entered, local, options, signed_in
from tests.harness.authenticator import PRESENT, SoftKey

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("named_site")]


def is_in(client: Client) -> bool:
    return client.get("/accounts/").status_code == 200


WRONG: dict[str, Callable[[SoftKey], Any]] = {
    "origin": lambda key: setattr(key, "origin", "https://wallboard.example.com.evil.example"),
    "plain http": lambda key: setattr(key, "origin", "http://wallboard.example.com"),
    "another site": lambda key: setattr(key, "host", "evil.example"),
    "nobody verified": lambda key: setattr(key, "flags", PRESENT),
    "nobody present": lambda key: setattr(key, "flags", 0x04),
}


@pytest.mark.parametrize("what", WRONG)
def test_an_answer_that_is_wrong_signs_nobody_in(what: str, key: SoftKey) -> None:
    browser = Client()
    WRONG[what](key)

    assert entered(browser, key.answer(options(browser))) == 400
    assert not is_in(browser)


@pytest.mark.parametrize("what", WRONG)
def test_a_key_that_is_made_wrongly_is_not_kept(what: str, ada: User) -> None:
    wrong = SoftKey()
    WRONG[what](wrong)

    added(signed_in(ada), wrong)

    assert not Passkey.objects.exists()


def test_a_challenge_counts_once_and_in_its_own_session(key: SoftKey) -> None:
    browser, thief = Client(), Client()
    asked, of_the_thief = options(browser), options(thief)

    assert entered(thief, key.answer(asked)) == 400  # caught on its way
    answer = key.answer(asked)
    assert entered(browser, answer) == 302
    browser.post("/accounts/logout/")
    assert entered(browser, answer) == 400  # and once more
    assert entered(browser, key.answer(of_the_thief)) == 400
    assert not is_in(thief)
    assert not is_in(browser)


def test_a_challenge_is_too_old_after_ten_minutes(key: SoftKey) -> None:
    browser = Client()
    asked = options(browser)
    session = browser.session
    for kept in session[passkeys.SESSION].values():
        kept["at"] -= 601
    session.save()

    assert entered(browser, key.answer(asked)) == 400


def test_a_challenge_to_sign_in_makes_no_key_and_the_other_way_round(ada: User, key: SoftKey) -> None:
    browser = signed_in(ada)
    to_make = browser.post("/accounts/passkeys/options/").json()
    for_sign_in = options(browser) | {"user": to_make["user"]}

    browser.post("/accounts/passkeys/", {"credential": SoftKey().make(for_sign_in)})

    assert entered(browser, key.answer(to_make)) == 400
    assert Passkey.objects.count() == 1


def test_a_challenge_that_somebody_else_got_adds_no_key(domain: Domain, ada: User) -> None:
    browser = signed_in(ada)
    asked = browser.post("/accounts/passkeys/options/").json()
    kept = browser.session[passkeys.SESSION]
    browser.force_login(local(domain, "eve"))
    session = browser.session
    session[passkeys.SESSION] = kept
    session.save()

    browser.post("/accounts/passkeys/", {"credential": SoftKey().make(asked)})

    assert not Passkey.objects.exists()


def test_a_count_that_goes_back_is_a_copy_and_is_told(key: SoftKey) -> None:
    for count, status in [(5, 302), (5, 400), (4, 400), (0, 400), (6, 302)]:
        browser = Client()
        key.count = count
        assert (count, entered(browser, key.answer(options(browser)))) == (count, status)

    refused = AuditEntry.objects.filter(what="passkey refused")
    assert [each.changes["count"] for each in refused.order_by("pk")] == [[5, 5], [5, 4], [5, 0]]


def test_a_key_that_never_counts_is_fine(key: SoftKey) -> None:
    for _ in range(2):
        browser = Client()
        assert entered(browser, key.answer(options(browser))) == 302


def test_a_key_answers_for_its_own_user_only(domain: Domain, key: SoftKey) -> None:
    other = added(signed_in(local(domain, "bob")))
    browser = Client()
    key.handle, mine = other.handle, key.handle

    assert entered(browser, key.answer(options(browser))) == 400  # the handle of somebody else
    key.handle, key.private = mine, other.private
    assert entered(browser, key.answer(options(browser))) == 400  # the signature of somebody else
    key.handle = b""
    assert entered(browser, key.answer(options(browser))) == 400


def test_a_key_that_somebody_has_is_nobody_elses(domain: Domain, ada: User, key: SoftKey) -> None:
    copy = SoftKey(credential_id=key.credential_id)

    added(signed_in(local(domain, "eve")), copy)

    assert [each.user for each in Passkey.objects.all()] == [ada]
    browser = Client()
    assert entered(browser, copy.answer(options(browser))) == 400


def test_keys_of_others_and_of_other_companies_are_out_of_reach(ada: User, key: SoftKey) -> None:
    theirs = Domain.objects.create(slug="theirs", name="Theirs", base_url="https://theirs.test", client_id="x")
    eve, stored = signed_in(local(theirs, "eve")), Passkey.objects.get()
    for act in ("remove", "rename"):
        assert eve.post(f"/accounts/passkeys/{stored.pk}/", {"act": act, "name": "mine"}).status_code == 404

    assert Passkey.objects.get().name == "Laptop"
    assert b"Laptop" not in eve.get("/accounts/").content


def test_an_account_that_is_switched_off_or_has_no_page_stays_out(domain: Domain, ada: User, key: SoftKey) -> None:
    browser = Client()
    User.objects.update(is_active=False)
    assert entered(browser, key.answer(options(browser))) == 400
    User.objects.update(is_active=True)
    Domain.objects.update(is_active=False)
    assert entered(browser, key.answer(options(browser))) == 400
    Domain.objects.update(is_active=True)
    Person.objects.update(user=None)
    assert entered(browser, key.answer(options(browser))) == 400


NONSENSE = ["", "null", "[]", "{}", "x" * 30_000, '{"response": {"clientDataJSON": "!"}}', "[" * 9_000, "\0"]


@pytest.mark.parametrize("sent", NONSENSE, ids=range(len(NONSENSE)))
def test_nonsense_is_refused_and_breaks_nothing(sent: str, ada: User) -> None:
    browser, mine = Client(), signed_in(ada)
    options(browser)

    assert entered(browser, sent) == 400
    assert mine.post("/accounts/passkeys/", {"credential": sent}).status_code == 302
    assert not Passkey.objects.exists()


@pytest.mark.parametrize("part", ["clientDataJSON", "authenticatorData", "signature", "userHandle"])
def test_an_answer_with_a_spoiled_part_is_refused(part: str, key: SoftKey) -> None:
    browser = Client()
    answer = key.answer(options(browser))

    assert entered(browser, answer.replace(f'"{part}": "', f'"{part}": "AAAA')) == 400


def test_challenges_are_rationed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "tries", StartThrottle(1))

    assert [Client().post("/accounts/passkey/options/").status_code for _ in range(2)] == [200, 429]
    assert Client(REMOTE_ADDR="192.0.2.7").post("/accounts/passkey/options/").status_code == 200
