"""The contact pages: who may do what, finding people, and taking the list along."""

import csv
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import AuditEntry, Person
from tests.desk.conftest import HANNA, Company
from wallboard.contacts import address_book, imports
from wallboard.contacts.address_book import ContactInput
from wallboard.contacts.models import Contact

SignIn = Callable[[Person], Client]


@pytest.fixture
def boss(company: Company, signed_in: SignIn) -> Client:
    """A browser with a supervisor."""
    company.ana.role = Person.Role.SUPERVISOR
    company.ana.save()
    return signed_in(company.ana)


def names(answer: Any) -> list[str]:
    return [contact.name for contact in answer.context["found"].contacts]


def test_an_agent_adds_and_mends_a_contact(company: Company, signed_in: SignIn) -> None:
    mia = signed_in(company.mia)

    mia.post("/desk/contacts/add/", {"name": "Hanna", "company": "", "email": "", "numbers": "030 901820\n\n555"})
    hanna = Contact.objects.get()
    mia.post(f"/desk/contacts/{hanna.pk}/", {"name": "Hanna B", "company": "", "email": "", "numbers": "0171 1234567"})

    hanna.refresh_from_db()
    assert (hanna.name, [row.number for row in hanna.numbers.all()]) == ("Hanna B", ["+491711234567"])


@pytest.mark.parametrize(
    ("wish", "word"),
    [
        ({"name": "", "numbers": "555"}, "name is missing"),
        ({"name": "X", "numbers": ""}, "required"),
        ({"name": "X", "numbers": "555\nHanna"}, "Hanna"),
        ({"name": "X", "numbers": "555", "email": "nothing"}, "no e-mail address"),
        ({"name": "X", "numbers": "\n".join(str(number) for number in range(100, 121))}, "20 numbers"),
    ],
)
def test_what_cannot_be_kept_is_said_and_nothing_is_kept(
    company: Company, signed_in: SignIn, wish: dict[str, str], word: str
) -> None:
    answer = signed_in(company.mia).post("/desk/contacts/add/", wish)

    assert word in answer.content.decode()
    assert not Contact.objects.exists()


@pytest.mark.parametrize("words", ["hanna", "brandt gm", "030 901820", "+4930901820", "0901820", "h@brandt"])
def test_contacts_are_found_by_what_one_remembers(company: Company, signed_in: SignIn, words: str) -> None:
    address_book.save(company.domain, ContactInput("Hanna", "Brandt GmbH", "h@brandt.test", (HANNA,)))
    address_book.save(company.domain, ContactInput("Somebody else", numbers=("555",)))

    assert names(signed_in(company.mia).get("/desk/contacts/", {"q": words})) == ["Hanna"]


def test_contacts_of_another_company_do_not_exist(company: Company, neighbours: Company, boss: Client) -> None:
    own = address_book.save(company.domain, ContactInput("Own", numbers=("555",)))
    theirs = address_book.save(neighbours.domain, ContactInput("Theirs", numbers=("555",)))

    answers = [
        boss.get(f"/desk/contacts/{theirs.pk}/").status_code,
        boss.post(f"/desk/contacts/{theirs.pk}/remove/").status_code,
        boss.post(f"/desk/contacts/{own.pk}/merge/", {"other": theirs.pk}).status_code,
        boss.post(f"/desk/contacts/{own.pk}/merge/", {"other": "9" * 30}).status_code,
    ]

    assert answers == [404] * 4
    assert names(boss.get("/desk/contacts/")) == ["Own"]
    assert "Theirs" not in boss.get("/desk/contacts/export/").content.decode()


def test_a_supervisor_merges_and_removes(company: Company, boss: Client) -> None:
    into, other = (
        address_book.save(company.domain, ContactInput(name, numbers=(HANNA,))) for name in ("Hanna", "H. Brandt")
    )

    page = boss.get(f"/desk/contacts/{into.pk}/").content.decode()
    boss.post(f"/desk/contacts/{into.pk}/merge/", {"other": other.pk})

    assert "H. Brandt" in page
    assert names(boss.get("/desk/contacts/")) == ["Hanna"]
    boss.post(f"/desk/contacts/{into.pk}/remove/")
    assert names(boss.get("/desk/contacts/")) == []


def test_what_takes_contacts_away_or_along_is_noted(company: Company, boss: Client) -> None:
    into, other = (
        address_book.save(company.domain, ContactInput(name, numbers=(HANNA,))) for name in ("Hanna", "H. Brandt")
    )

    boss.post(f"/desk/contacts/{into.pk}/merge/", {"other": other.pk})
    boss.get("/desk/contacts/export/")
    boss.post(f"/desk/contacts/{into.pk}/remove/")

    noted = AuditEntry.objects.order_by("pk").values_list("what", "about").exclude(what="contact added")
    assert list(noted) == [("contacts merged", "Hanna"), ("contacts exported", ""), ("contact removed", "Hanna")]


def test_before_merging_everybody_can_be_found_and_the_outcome_is_shown(company: Company, boss: Client) -> None:
    into = address_book.save(company.domain, ContactInput("Hanna", email="h@brandt.test", numbers=(HANNA,)))
    other = address_book.save(company.domain, ContactInput("Johanna Koch", "Brandt GmbH", numbers=("555", HANNA)))
    address_book.save(company.domain, ContactInput("Somebody else", numbers=("556",)))
    address = f"/desk/contacts/{into.pk}/merge/"

    suggested = boss.get(address).context["others"]
    found = boss.get(address, {"q": "some"}).context["others"]
    preview = boss.get(address, {"other": other.pk})

    assert [each.name for each in suggested] == ["Johanna Koch"]
    assert [each.name for each in found] == ["Somebody else"]
    assert preview.context["merged"] == {
        "name": "Hanna", "company": "Brandt GmbH", "email": "h@brandt.test", "numbers": [HANNA, "555"], "notes": 0,
    }  # fmt: skip
    assert Contact.objects.count() == 3
    boss.post(address, {"other": other.pk})
    assert names(boss.get("/desk/contacts/", {"q": "brandt gm"})) == ["Hanna"]
    assert names(boss.get("/desk/contacts/", {"q": "koch"})) == []


def test_nobody_is_merged_with_themselves(company: Company, boss: Client) -> None:
    hanna = address_book.save(company.domain, ContactInput("Hanna", numbers=(HANNA,)))

    answer = boss.get(f"/desk/contacts/{hanna.pk}/merge/", {"other": hanna.pk}, follow=True)

    assert "Choose two different contacts." in answer.content.decode()


@pytest.mark.parametrize("path", ["{}/merge/", "{}/remove/", "export/", "import/", "import/1/", "import/1/skip/"])
def test_an_agent_may_not(company: Company, signed_in: SignIn, path: str) -> None:
    contact = address_book.save(company.domain, ContactInput("Own", numbers=("555",)))
    mia, address = signed_in(company.mia), f"/desk/contacts/{path.format(contact.pk)}"

    assert mia.get(address).status_code in (403, 405)
    assert mia.post(address).status_code in (403, 405)
    assert Contact.objects.count() == 1


def test_an_export_holds_no_formula(company: Company, boss: Client) -> None:
    address_book.save(company.domain, ContactInput("=HYPERLINK(1)", "@evil", "-1@x.test", (HANNA, "555")))

    rows = list(csv.reader(boss.get("/desk/contacts/export/").content.decode("utf-8-sig").splitlines()))

    assert rows[0] == ["Name", "Company", "E-mail", "Number 1", "Number 2"]
    assert rows[1] == ["'=HYPERLINK(1)", "'@evil", "'-1@x.test", f"'{HANNA}", "555"]


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_the_sheet_is_read_again_as_it_was_written(company: Company, boss: Client, language: str) -> None:
    wanted = ContactInput("Hanna Brandt", "Brandt AG", "hanna@brandt.test", (HANNA, "555"))
    address_book.save(company.domain, wanted)
    boss.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    sheet = b"".join(boss.get("/desk/contacts/export/"))

    running = imports.create(company.domain, company.mia, "contacts.csv", sheet)

    read = imports.preview(running)[0][2]
    assert isinstance(read, ContactInput)
    assert (read.name, read.company, read.email, read.numbers) == (
        wanted.name, wanted.company, wanted.email, wanted.numbers,
    )  # fmt: skip


@pytest.mark.parametrize(("country", "number"), [("NL", "+3114020"), ("NO", "+4702000")])
def test_a_change_of_something_else_leaves_a_short_number(
    company: Company, boss: Client, country: str, number: str
) -> None:
    company.domain.country = country
    company.domain.save()
    contact = address_book.save(company.domain, ContactInput("Town hall", numbers=(number,)))
    page = f"/desk/contacts/{contact.pk}/"

    boss.post(page, {**boss.get(page).context["form"].initial, "company": "Town"})

    contact.refresh_from_db()
    assert (contact.company, [row.number for row in contact.numbers.all()]) == ("Town", [number])
