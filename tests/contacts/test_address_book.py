"""Who the caller is to the company: found by number, chosen among several, saved from the card."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import AuditEntry, Person
from tests.desk.conftest import HANNA, Company
from tests.desk.test_desk_views import PAGE, post
from wallboard.contacts import address_book, caller_ids
from wallboard.contacts.address_book import ContactInput, InvalidInput
from wallboard.contacts.models import Contact
from wallboard.desk.models import Note, Outcome

SignIn = Callable[[Person], Client]


def pop(client: Client, leg: Any) -> dict[str, Any]:
    card: dict[str, Any] = post(client, "pop", {"leg": leg.pk, "page": PAGE}).json()["card"]
    return card


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("030 901820", HANNA),
        ("+49 (30) 901-820", HANNA),
        ("tel:+4930901820", HANNA),
        ("0049 30 901820", HANNA),
        ("sip:+4930901820@trunk.example", HANNA),
        ("102", "102"),
        ("١٠٢", "102"),
        ("*２１", "*21"),
        ("٠٣٠ ٩٠١٨٢٠ x٣", HANNA),
        ("sip:Ana@Example.COM;transport=tls", "ana@example.com"),
        ("<sip:ana@example.com>", "ana@example.com"),
        ("\u202a+49 30 901820\u202c", HANNA),
        ("(030) 90\u20111820", HANNA),
        ("+49 30 901820,,12#", HANNA),
        ("030 901820 ext. 12", HANNA),
        ("sip:mia.x12@example.com", "mia.x12@example.com"),
        ("anonymous", ""),
        ("", ""),
        ("Hanna", ""),
        ("=1+1", ""),
        ("1" * 5000, ""),
    ],
)
def test_an_address_has_one_writing(text: str, address: str) -> None:
    assert caller_ids.normalize(text, "DE") == address


def test_the_only_contact_with_the_number_names_the_caller(company: Company, signed_in: SignIn) -> None:
    saved = address_book.save(company.domain, ContactInput("Hanna Brandt-Koch", "Brandt GmbH", numbers=("030 901820",)))

    card = pop(signed_in(company.mia), company.leg(from_name=""))

    assert (card["name"], card["number"]) == ("Hanna Brandt-Koch", "030 901820")
    assert card["contacts"] == [{"id": saved.pk, "name": "Hanna Brandt-Koch", "company": "Brandt GmbH"}]
    assert card["can_save"] is False


def test_of_several_the_chosen_one_stays_chosen(company: Company, signed_in: SignIn) -> None:
    ben, ada = (address_book.save(company.domain, ContactInput(name, numbers=(HANNA,))) for name in ("Ben", "Ada"))
    leg, mia = company.leg(), signed_in(company.mia)

    unchosen = pop(mia, leg)
    post(mia, "note", {"leg": leg.pk, "text": "", "stamp": 1, "contact": ben.pk})

    assert unchosen["name"] == "Hanna Brandt"
    assert [one["id"] for one in unchosen["contacts"]] == [ada.pk, ben.pk]
    assert pop(mia, leg)["name"] == "Ben"


def test_a_sip_address_and_an_unknown_extension_are_found(company: Company, signed_in: SignIn) -> None:
    address_book.save(company.domain, ContactInput("By address", numbers=("sip:Lab@Partner.example",)))
    address_book.save(company.domain, ContactInput("Door", numbers=("555",)))
    mia = signed_in(company.mia)
    strange: dict[str, Any] = {"caller_e164": "", "from_name": ""}

    assert pop(mia, company.leg(from_number="sip:lab@partner.example", **strange))["name"] == "By address"
    assert pop(mia, company.leg(from_number="555", **strange))["name"] == "Door"


def test_a_colleague_is_never_renamed_by_a_contact(company: Company, signed_in: SignIn) -> None:
    address_book.save(company.domain, ContactInput("Not Ana", numbers=("101",)))
    internal = company.leg(from_user="101", from_number="101", from_name="", caller_e164="", on_net=True)

    card = pop(signed_in(company.mia), internal)

    assert (card["name"], card["contacts"], card["can_save"]) == ("Ana", [], False)


def test_contacts_of_another_company_are_unknown(company: Company, neighbours: Company, signed_in: SignIn) -> None:
    theirs = address_book.save(neighbours.domain, ContactInput("Theirs", numbers=(HANNA,)))
    outcome = Outcome.objects.create(domain=neighbours.domain, name="sold")
    leg, mia = company.leg(), signed_in(company.mia)

    kept = post(mia, "note", {"leg": leg.pk, "text": "x", "stamp": 1, "contact": theirs.pk, "outcome": outcome.pk})

    assert (kept.json()["contact"], kept.json()["outcome"]) == (None, None)
    assert pop(mia, leg)["contacts"] == []


def test_a_caller_is_saved_once_from_the_card(company: Company, signed_in: SignIn) -> None:
    leg, mia = company.leg(), signed_in(company.mia)
    wish = {"leg": leg.pk, "name": " Hanna  Brandt ", "company": "Brandt\u202e GmbH"}

    first, again = (post(mia, "contact", wish).json() for _each in range(2))

    assert first == again == {"id": Contact.objects.get().pk, "name": "Hanna Brandt", "company": "Brandt GmbH"}
    assert pop(mia, leg)["contacts"] == [first]


@pytest.mark.parametrize("name", ["", " \u202e ", "x" * 121])
def test_a_contact_without_a_usable_name_is_refused(company: Company, signed_in: SignIn, name: str) -> None:
    answer = post(signed_in(company.mia), "contact", {"leg": company.leg().pk, "name": name})

    assert (answer.status_code, Contact.objects.count()) == (400, 0)


def test_nobody_saves_whom_they_did_not_hear_or_who_withholds(company: Company, signed_in: SignIn) -> None:
    mia = signed_in(company.mia)
    withheld = company.leg(from_number="anonymous", caller_e164="")

    assert post(mia, "contact", {"leg": company.leg("101").pk, "name": "x"}).status_code == 404
    assert pop(mia, withheld)["can_save"] is False
    assert post(mia, "contact", {"leg": withheld.pk, "name": "x"}).status_code == 400


def test_an_outcome_is_kept_with_the_note_and_told_next_time(company: Company, signed_in: SignIn) -> None:
    outcome = Outcome.objects.create(domain=company.domain, name="order placed")
    leg, mia = company.leg(rang=4, minutes_ago=5), signed_in(company.mia)

    kept = post(mia, "note", {"leg": leg.pk, "text": "", "stamp": 1, "outcome": outcome.pk}).json()

    assert kept["outcome"] == outcome.pk
    told = pop(mia, company.leg())["earlier"][0]["notes"]
    assert told == [{"by": "Mia", "text": "", "outcome": "order placed"}]


def test_the_card_offers_the_companys_outcomes_that_are_not_retired(
    company: Company, neighbours: Company, signed_in: SignIn
) -> None:
    first = Outcome.objects.create(domain=company.domain, name="solved", order=1)
    Outcome.objects.create(domain=company.domain, name="old word", is_offered=False)
    Outcome.objects.create(domain=neighbours.domain, name="theirs")

    card = pop(signed_in(company.mia), company.leg())

    assert card["outcomes"] == [{"id": first.pk, "name": "solved"}]


def test_merging_moves_numbers_and_notes_and_fills_gaps(company: Company) -> None:
    into = address_book.save(company.domain, ContactInput("Hanna", numbers=(HANNA, "555")))
    other = address_book.save(
        company.domain, ContactInput("H. Brandt", "Brandt GmbH", "h@brandt.test", (HANNA, "0171 1234567"))
    )
    note = Note.objects.create(domain=company.domain, person=company.mia, call_id="c", contact=other)

    address_book.merge(into, other)

    note.refresh_from_db()
    kept = Contact.objects.get()
    assert (kept.name, kept.company, kept.email) == ("Hanna", "Brandt GmbH", "h@brandt.test")
    assert sorted(kept.numbers.values_list("number", flat=True)) == sorted([HANNA, "+491711234567", "555"])
    assert note.contact == kept


def test_what_could_not_be_done_with_contacts_is_not_noted(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    into, other = (
        address_book.save(company.domain, ContactInput(name, numbers=(HANNA,))) for name in ("Hanna", "Hannah")
    )
    noted = AuditEntry.objects.count()

    def fail(*_args: Any) -> None:
        raise OperationalError("the disk is full")

    monkeypatch.setattr(Contact, "delete", fail)
    for act in (lambda: address_book.merge(into, other), lambda: address_book.remove(other)):
        with pytest.raises(OperationalError):
            act()

    assert AuditEntry.objects.count() == noted
    monkeypatch.undo()
    address_book.merge(into, other)
    address_book.remove(into)
    assert list(AuditEntry.objects.order_by("pk").values_list("what", flat=True)[noted:]) == [
        "contacts merged",
        "contact removed",
    ]


def test_contacts_are_not_merged_beyond_what_can_be_saved_again(company: Company, signed_in: SignIn) -> None:
    into, other = (
        address_book.save(company.domain, ContactInput(name, numbers=tuple(f"{begin + each}" for each in range(11))))
        for name, begin in (("Reception", 510), ("Front desk", 519))  # two numbers are of both
    )
    more = address_book.save(company.domain, ContactInput("Porter", numbers=tuple(f"54{each}" for each in range(10))))
    Person.objects.filter(pk=company.ana.pk).update(role=Person.Role.SUPERVISOR)
    client = signed_in(company.ana)

    client.post(f"/desk/contacts/{into.pk}/merge/", {"other": other.pk})
    assert into.numbers.count() == 20
    refused = client.post(f"/desk/contacts/{into.pk}/merge/", {"other": more.pk}, follow=True)

    assert "A contact may have 20 numbers." in refused.content.decode()
    assert more.numbers.count() == 10


def test_contacts_of_two_companies_are_not_merged(company: Company, neighbours: Company) -> None:
    one, other = (address_book.save(each.domain, ContactInput("X", numbers=(HANNA,))) for each in (company, neighbours))

    with pytest.raises(InvalidInput):
        address_book.merge(one, other)


def test_the_day_names_known_callers_with_one_query(company: Company, signed_in: SignIn) -> None:
    address_book.save(company.domain, ContactInput("Hanna B", numbers=(HANNA,)))
    mia = signed_in(company.mia)
    company.leg(minutes_ago=0.01, rang=1)
    with CaptureQueriesContext(
        connection,
    ) as for_one:
        mia.get("/desk/day/")
    company.leg(minutes_ago=0.005, rang=1)
    company.leg(minutes_ago=0.004, rang=1)
    with CaptureQueriesContext(connection) as for_three:
        calls = mia.get("/desk/day/").json()["calls"]

    assert [call["name"] for call in calls] == ["Hanna B"] * 3
    assert len(for_three) == len(for_one)
