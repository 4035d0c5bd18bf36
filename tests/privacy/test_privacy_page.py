"""The administrator's page: how long things are kept, and one number looked at, taken away as a file and erased."""

import csv
import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import AuditEntry, Domain, Person
from tests.desk.conftest import HANNA, Company
from tests.privacy.caller_data import delivery, everywhere, record_of
from wallboard.boards import editing
from wallboard.boards.models import Board
from wallboard.contacts import address_book, imports
from wallboard.contacts.address_book import ContactInput
from wallboard.desk.models import CallBack, Note
from wallboard.privacy.models import Erasure

pytestmark = pytest.mark.usefixtures("worker")
SignIn = Callable[[Person], Client]


@pytest.fixture
def admin(company: Company, signed_in: SignIn) -> Client:
    company.mia.role = Person.Role.ADMINISTRATOR
    company.mia.save()
    return signed_in(company.mia)


def known(company: Company) -> None:
    """Something of every kind about Hanna."""
    leg = company.leg(minutes_ago=30, talked=60)
    record_of(leg)
    delivery(company, '{"calls": {"from": {"id": "+4930901820"}}}')
    address_book.save(company.domain, ContactInput("=Hanna", numbers=(HANNA, "+4989111222")))
    Note.objects.create(
        domain=company.domain, person=company.mia, call_id=leg.from_call_id, number_e164=HANNA, text="wants a quote"
    )
    CallBack.objects.create(domain=company.domain, number_e164=HANNA, owner=company.ana)
    imports.create(company.domain, None, "x.csv", b"Name;Number\nHanna;030 901820\nOther;030 111111\n")


def post(client: Client, what: str, **data: Any) -> Any:
    return client.post(f"/setup/privacy/{what}", data)


def test_how_long_things_are_kept_is_set_and_noted(company: Company, admin: Client) -> None:
    assert post(admin, "", calls="90", notes="").status_code == 302

    kept = Domain.objects.values_list("calls_kept_days", "notes_kept_days").get(pk=company.domain.pk)
    assert kept == (90, None)
    assert AuditEntry.objects.get(what="keeping changed").changes == {"calls_kept_days": [None, 90]}
    assert 'value="90"' in admin.get("/setup/privacy/").content.decode()


def test_how_long_calls_and_minutes_are_kept_is_set_and_noted(company: Company, admin: Client) -> None:
    post(admin, "", log="730", samples="60", boards="14")

    domain = Domain.objects.get(pk=company.domain.pk)
    assert (domain.log_kept_days, domain.samples_kept_days, domain.replay_kept_days) == (730, 60, 14)
    assert AuditEntry.objects.get(what="keeping changed").changes == {
        "log_kept_days": [400, 730],
        "samples_kept_days": [400, 60],
        "replay_kept_days": [30, 14],
    }
    page = post(admin, "", log="29").content.decode()
    assert 'aria-invalid="true"' in page
    assert Domain.objects.get(pk=company.domain.pk).log_kept_days == 730


@pytest.mark.parametrize("days", ["0", "-1", "3651", "x", "1e9"])
def test_nonsense_is_refused_beside_its_field(company: Company, admin: Client, days: str) -> None:
    answer = post(admin, "", calls=days, notes="30")

    assert 'aria-invalid="true"' in answer.content.decode()
    assert not Domain.objects.exclude(notes_kept_days=None).exists()


def test_everything_about_a_number_is_shown_and_no_log_holds_it(
    company: Company, admin: Client, neighbours: Company
) -> None:
    known(company)
    address_book.save(neighbours.domain, ContactInput("Theirs", numbers=(HANNA,)))

    page = post(admin, "number/", number="030 / 90 18 20").content.decode()

    for text in (
        "Calls, by phone that rang",
        "Call detail records",
        "wants a quote",
        "=Hanna",
        "Call-backs",
        "Hanna;030 901820",
    ):
        assert text in page
    assert "Other;030 111111" not in page
    assert "Theirs" not in page
    assert AuditEntry.objects.get(what="number looked for").about == "••• ••20"


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("hello", "neither a phone number nor a SIP address"),
        ("anonymous@anonymous.invalid", "neither a phone number"),
        ("+4989999999", "Nothing is kept"),
        ("bo@example.org", "Nothing is kept"),
        ("bo\0@example.org", "neither a phone number"),  # PostgreSQL cannot look for a NUL
    ],
)
def test_a_number_without_anything_is_said_in_words(company: Company, admin: Client, number: str, words: str) -> None:
    assert words in post(admin, "number/", number=number).content.decode()


def test_the_file_holds_everything_and_no_formula(company: Company, admin: Client) -> None:
    known(company)

    answer = post(admin, "export/", number=HANNA)

    assert answer["Content-Disposition"] == 'attachment; filename="number-20.zip"'
    file = zipfile.ZipFile(io.BytesIO(answer.content))
    told = json.loads(file.read("everything.json"))
    kinds = {*("calls", "records", "notes", "contacts", "call_backs", "imports", "deliveries")}
    assert set(told) == kinds, told.get("elsewhere")
    assert {name.removesuffix(".csv") for name in file.namelist()} == kinds | {"everything.json"}
    assert told["notes"][0]["text"] == "wants a quote"
    rows = list(csv.reader(io.StringIO(file.read("contacts.csv").decode("utf-8-sig"))))
    assert rows[1][0] == "'=Hanna"
    assert AuditEntry.objects.get(what="number exported").about == "••• ••20"


def test_no_character_of_an_address_gets_into_the_name_of_the_file(company: Company, admin: Client) -> None:
    answer = post(admin, "export/", number="bo@example.ör\\")

    assert answer["Content-Disposition"] == 'attachment; filename="number-sip.zip"'


def test_a_number_is_erased_once_somebody_is_sure(company: Company, admin: Client) -> None:
    known(company)

    assert (
        "tick that you are sure" in admin.post("/setup/privacy/erase/", {"number": HANNA}, follow=True).content.decode()
    )
    assert everywhere(company.domain.pk)
    page = admin.post("/setup/privacy/erase/", {"number": HANNA, "sure": "1"}, follow=True).content.decode()

    assert "••• ••20 is erased from" in page
    assert everywhere(company.domain.pk) == []
    entry = AuditEntry.objects.get(what="number erased")
    assert (entry.who, entry.about) == ("102 Mia", "••• ••20")


def test_a_live_call_is_waited_for_in_words(company: Company, admin: Client) -> None:
    company.leg()

    page = admin.post("/setup/privacy/erase/", {"number": HANNA, "sure": "1"}, follow=True).content.decode()

    assert "Nothing was erased. A call with this number is still going on." in page
    assert not AuditEntry.objects.filter(what="number erased").exists()


@pytest.mark.parametrize("what", ["", "number/", "export/", "erase/"])
def test_only_administrators_come_near(company: Company, signed_in: SignIn, what: str) -> None:
    company.ana.role = Person.Role.SUPERVISOR
    company.ana.save()

    assert post(signed_in(company.ana), what, number=HANNA, sure="1").status_code == 403

    assert not Erasure.objects.exists()


def test_what_other_things_are_found_by_is_named_and_left(company: Company, admin: Client) -> None:
    known(company)
    editing.create(company.domain, editing.BoardInput("Hanna 030 901820"), slug="hanna-030-901820")

    post(admin, "erase/", number=HANNA, sure="1")

    text = admin.get("/setup/privacy/").content.decode()
    assert "board: slug" in text
    assert Board.objects.get(slug="hanna-030-901820").name == "Hanna •••"
    assert "It still stands where other things are found by it" in text
