"""The address that makes the first administrator: once, for an hour, and worth nothing to anybody else."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.utils import timezone

from accounts.encryption import sealed
from accounts.models import AuditEntry, Domain, Person, User
from accounts.signin import joining
from accounts.signin.start_throttle import StartThrottle
from tests.harness.authenticator import SoftKey
from wallboard.calls.models import Favourite, Presence
from wallboard.desk.models import Note
from wallboard.notifications.models import Choice, Destination
from wallboard.replay.models import Departure
from wallboard.reports.models import ReportMail
from wallboard.setup import first_key
from wallboard.setup.models import FirstKey
from wallboard.setup.views import first

pytestmark = pytest.mark.django_db
FORM = {"username": "ada", "password1": "a-long-enough-phrase", "password2": "a-long-enough-phrase"}


@pytest.fixture(autouse=True)
def fresh_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first, "tries", StartThrottle(first.MOST_TRIES))


def path() -> str:
    return first_key.issue().removeprefix("http://testserver")


def test_whoever_opens_it_becomes_the_administrator_and_goes_on_in_the_wizard() -> None:
    address, visitor = path(), Client()

    shown = visitor.get(address)
    answer = visitor.post(address, FORM)

    assert shown.headers["Referrer-Policy"] == "strict-origin"
    assert "no-store" in shown.headers["Cache-Control"]
    assert answer.headers["Location"] == "/setup/start/"
    person = Person.objects.get()
    assert (person.role, person.is_hidden, person.user.username) == ("administrator", True, "ada")  # type: ignore[union-attr]
    assert visitor.get("/setup/start/").headers["Location"] == "/setup/start/provider/"
    assert visitor.get("/setup/start/provider/").status_code == 200
    assert AuditEntry.objects.filter(what="first administrator made").exists()
    user = User.objects.get()
    assert not user.is_staff
    assert not user.is_superuser


def test_it_works_once_and_nobody_else_gets_anything() -> None:
    address = path()
    Client().post(address, FORM)

    gone = Client().get(address)
    assert gone.status_code == 404
    assert "once and for an hour" in gone.content.decode()
    assert gone.headers["Referrer-Policy"] == "strict-origin"
    assert "once and for an hour" in Client().post(address, FORM | {"username": "eve"}).content.decode()
    assert Client().post(address, FORM | {"username": "eve"}).status_code == 404
    assert Client().get(path()).status_code == 404  # somebody administrates: even a fresh key opens nothing
    assert User.objects.count() == 1
    assert Person.objects.count() == 1


def test_of_two_at_once_one_gets_it() -> None:
    key = first_key.issue().rstrip("/").rpartition("/")[2]
    FirstKey.objects.all().delete()

    with pytest.raises(first_key.Spent):
        first_key.spend(key, User(username="late"))
    assert not User.objects.exists()


def test_it_ends_after_an_hour_and_a_new_one_takes_its_place() -> None:
    old, new = path(), path()
    assert Client().get(old).status_code == 404
    assert Client().get(new).status_code == 200
    FirstKey.objects.update(until=timezone.now() - timedelta(seconds=1))

    assert Client().post(new, FORM).status_code == 404
    assert not User.objects.exists()


def test_the_page_tells_nothing_of_a_company_and_a_look_spends_nothing() -> None:
    Domain.objects.create(slug="main", name="Canary Works", base_url="https://canary.example", client_id="canary")
    address = path()

    assert b"anary" not in Client().get(address).content
    assert FirstKey.objects.exists()
    wrong = Client().get("/setup/first/wrong/")
    assert (wrong.status_code, "once and for an hour" in wrong.content.decode()) == (404, True)


@pytest.mark.parametrize("password", ["short", "12345678901", "password123"])
def test_weak_passwords_are_refused(password: str) -> None:
    answer = Client().post(path(), FORM | {"password1": password, "password2": password})

    assert answer.status_code == 400
    assert not User.objects.exists()
    assert FirstKey.objects.exists()


def test_guessing_is_slowed_down() -> None:
    address = path()
    for _ in range(first.MOST_TRIES):
        Client().get("/setup/first/guess/")

    assert Client().get(address).status_code == 429
    assert Client(REMOTE_ADDR="192.0.2.9").get(address).status_code == 200


def test_no_other_site_can_post_it() -> None:
    assert Client(enforce_csrf_checks=True).post(path(), FORM).status_code == 403


def test_the_account_signs_in_again_with_its_password() -> None:
    Client().post(path(), FORM)
    browser = Client()

    assert b"/accounts/password/" in browser.get("/accounts/login/").content
    wrong = browser.post("/accounts/password/", {"username": "ada", "password": "wrong"})
    right = browser.post("/accounts/password/", {"username": "ada", "password": FORM["password1"], "next": "/setup/"})

    assert wrong.status_code == 400
    assert right.headers["Location"] == "/setup/"
    assert browser.get("/setup/").status_code == 200


def test_password_guesses_are_slowed_down_and_operators_come_to_their_companies() -> None:
    Client().post(path(), FORM)
    User.objects.create_superuser("root", password="quite-a-long-phrase")
    root = Client(REMOTE_ADDR="192.0.2.1").post(
        "/accounts/password/", {"username": "root", "password": "quite-a-long-phrase"}
    )
    for _ in range(10):
        Client().post("/accounts/password/", {"username": "ada", "password": "wrong"})
    locked = Client().post("/accounts/password/", {"username": "ada", "password": FORM["password1"]})

    assert root.headers["Location"] == "/operator/companies/"
    assert b"Too many wrong passwords" in locked.content


def test_an_account_that_is_linked_keeps_its_rights(domain: Any) -> None:
    Domain.objects.exclude(pk=domain.pk).delete()
    browser = Client()
    browser.post(path(), FORM)
    known = Person.objects.create(domain=domain, extension="101", name="Ada")

    person = joining.join(domain, User.objects.get(), "101")

    assert (person.pk, person.role, person.user) == (known.pk, "administrator", User.objects.get())
    assert Person.objects.count() == 1
    assert browser.get("/setup/").status_code == 200
    with pytest.raises(Person.DoesNotExist):
        joining.join(domain, User.objects.get(), "102")


def test_what_was_set_up_before_is_theirs_under_an_extension_that_was_seen(domain: Domain) -> None:
    Client().post(path(), FORM)
    user, ada = User.objects.get(), Person.objects.get()
    Person.objects.filter(pk=ada.pk).update(domain=domain, name="Ada")
    known, bea = (Person.objects.create(domain=domain, extension=each) for each in ("101", "102"))
    for person, is_subscribed in ((ada, True), (known, False)):
        Choice.objects.create(person=person, is_subscribed=is_subscribed)
        Favourite.objects.create(domain=domain, owner=person, person=bea)
        Note.objects.create(domain=domain, person=person, call_id="1", text=person.extension)
        Presence.objects.create(person=person, state="talking" if person == known else "unknown")
    Destination.objects.create(domain=domain, person=ada, user=user, channel="email", address=sealed("a@example.com"))
    Note.objects.create(domain=domain, person=ada, call_id="2")
    ReportMail.objects.create(domain=domain, owner=ada).people.add(ada, bea)

    person = joining.join(domain, user, "101")

    assert (person.pk, person.name, person.user) == (known.pk, "Ada", user)
    assert Choice.objects.get().is_subscribed
    assert Favourite.objects.get().owner == Destination.objects.get().person == person
    mail = ReportMail.objects.get()
    assert (mail.owner, set(mail.people.all())) == (person, {person, bea})
    assert Presence.objects.get().state == "talking"
    notes = Note.objects.order_by("call_id", "text").values_list("call_id", "text", "person")
    assert list(notes) == [("1", "101", person.pk), ("1", "local-administrator", None), ("2", "", person.pk)]
    assert not Departure.objects.exclude(name="").exists()


def test_an_extension_of_somebody_else_is_never_taken(domain: Any) -> None:
    Client().post(path(), FORM)
    Person.objects.create(domain=domain, extension="101", user=User.objects.create_user("bob"))

    with pytest.raises(joining.Taken):
        joining.join(domain, User.objects.get(username="ada"), "101")
    assert Person.objects.get(user__username="ada").extension == joining.LOCAL_EXTENSION


@pytest.fixture
def named(settings: Any) -> None:
    """A site at a name with https, as browsers want it for passkeys."""
    settings.PUBLIC_URL = "https://wallboard.example.com"
    settings.PUBLIC = urlsplit(settings.PUBLIC_URL)


def test_a_passkey_instead_of_a_password(named: None) -> None:
    address, browser, key = path(), Client(), SoftKey()
    assert b"data-passkey" in browser.get(address).content

    options = browser.post(f"{address}passkey/", {"username": "ada"}).json()
    answer = browser.post(address, {"username": "ada", "credential": key.make(options)})

    assert answer.headers["Location"] == "/setup/start/"
    assert options["user"]["name"] == "ada"
    user = User.objects.get()
    assert not user.has_usable_password()
    assert user.passkeys.count() == 1
    assert Client().get(address).status_code == 404
    again = Client()
    asked = again.post("/accounts/passkey/options/").json()
    again.post("/accounts/passkey/", {"credential": key.answer(asked)})
    assert again.get("/setup/start/provider/").status_code == 200


def test_a_passkey_that_is_refused_spends_nothing(named: None) -> None:
    address, browser = path(), Client()
    options = browser.post(f"{address}passkey/", {"username": "ada"}).json()
    wrong = SoftKey(origin="https://evil.example")

    answer = browser.post(address, {"username": "ada", "credential": wrong.make(options)})

    assert answer.status_code == 400
    assert b"not accepted" in answer.content
    assert not User.objects.exists()
    assert browser.get(address).status_code == 200


def test_a_passkey_needs_the_address_and_a_name(named: None) -> None:
    assert Client().post("/setup/first/wrong/passkey/", {"username": "ada"}).status_code == 404
    refused = Client().post(f"{path()}passkey/", {"username": ""})
    assert refused.status_code == 400
    assert refused.json()["message"]
    monkeyed = Client()
    for _ in range(first.MOST_TRIES):
        monkeyed.post("/setup/first/guess/passkey/")
    assert monkeyed.post(f"{path()}passkey/", {"username": "ada"}).status_code == 429
