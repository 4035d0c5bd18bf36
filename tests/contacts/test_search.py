"""Contacts found by what people remember of them."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.desk.conftest import HANNA, Company
from wallboard.contacts import address_book, search
from wallboard.contacts.address_book import ContactInput
from wallboard.contacts.bulk_import import store
from wallboard.contacts.models import Contact, ContactWord


def found(company: Company, text: str) -> list[str]:
    return [contact.name for contact in search.search(company.domain, text).contacts]


@pytest.mark.parametrize(
    "text",
    ["mül", "MUL", "lüdenscheid", "jos mül", "mül jos", "garcon", "müller-lüd", "jose@partner", "partner.ex", HANNA,
     "030 9018", "4930", "+49 30 901", "0049 30", "901820", "0182", "٩٠١", "٠٣٠ ٩٠١٨", "９０１８"],
)  # fmt: skip
def test_by_the_beginning_of_words_without_accents_or_in_any_part_of_a_number(company: Company, text: str) -> None:
    address_book.save(
        company.domain, ContactInput("José Müller-Lüdenscheid", "Garçon AG", "jose@partner.example", (HANNA, "102"))
    )
    address_book.save(company.domain, ContactInput("Somebody else", numbers=("555",)))

    assert found(company, text) == ["José Müller-Lüdenscheid"]


@pytest.mark.parametrize("text", ["ller", "jos meier", "", "  ", "%", "_", "'; --", "123456789", "\u202e"])
def test_nothing_else_is_found(company: Company, text: str) -> None:
    address_book.save(company.domain, ContactInput("José Müller", numbers=(HANNA,)))

    assert found(company, text) == []


@pytest.mark.parametrize("number", ["+\\.@x", "+\\N@x", "+\\b1@x", "+49\\t@x.example"])
def test_an_address_that_means_something_to_copy_spoils_no_import(company: Company, number: str) -> None:
    wishes = [ContactInput("Odd", numbers=(number,)), ContactInput("Hanna", numbers=(HANNA,))]

    assert store(company.domain, [address_book.clean(company.domain, wish) for wish in wishes]) == (2, 0)

    assert found(company, "odd") == ["Odd"]
    assert found(company, "hanna") == ["Hanna"]
    assert all(word.word.isalnum() for word in ContactWord.objects.all())


def test_extensions_and_sip_addresses_are_found(company: Company) -> None:
    address_book.save(company.domain, ContactInput("Door", numbers=("555", "sip:lab@partner.example")))

    assert (
        found(company, "555")
        == found(company, "٥٥٥")
        == found(company, "lab")
        == found(company, "sip:lab@partner.example")
        == ["Door"]
    )


def test_what_changes_is_found_by_its_new_words_only(company: Company) -> None:
    hanna = address_book.save(company.domain, ContactInput("Hanna Brandt", numbers=(HANNA,)))

    address_book.save(company.domain, ContactInput("Hanna Koch", numbers=("0171 1234567",)), hanna)

    assert found(company, "koch") == found(company, "0171") == ["Hanna Koch"]
    assert found(company, "brandt") == found(company, "030 9018") == []


def test_imported_and_completed_contacts_are_found(company: Company) -> None:
    store(company.domain, [ContactInput("Hanna Brandt", numbers=(HANNA,)), ContactInput("Paul", numbers=("555",))])
    before = timezone.now()
    store(company.domain, [ContactInput("Hanna Brandt", "Holm AG", numbers=(HANNA, "+491711234567"))])

    assert found(company, "holm") == found(company, "0171") == found(company, "030 901820") == ["Hanna Brandt"]
    hanna = Contact.objects.get(name="Hanna Brandt")
    assert hanna.changed_at > before  # programs follow contacts by it
    assert sorted(hanna.words.values_list("word", flat=True)) == sorted(
        ["hanna", "brandt", "holm", "ag", "4930901820", "30901820", "491711234567", "1711234567"]
    )


def test_another_company_is_never_found(company: Company, neighbours: Company) -> None:
    address_book.save(neighbours.domain, ContactInput("Hanna", numbers=(HANNA,)))

    assert found(company, "hanna") == found(company, "030 901820") == found(company, "0182") == []


def test_too_many_are_cut_and_said_to_be(company: Company) -> None:
    store(company.domain, [ContactInput(f"Anna Anders {n}", numbers=(f"+4930{1000000 + n}",)) for n in range(120)])

    cut = search.search(company.domain, "an")

    assert (len(cut.contacts), cut.is_cut) == (100, True)
    assert search.search(company.domain, "an 119").is_cut is False
    assert search.page(company.domain, 3).is_cut is False
    assert len(search.page(company.domain, 3).contacts) == 20


def test_a_removed_contact_leaves_no_words(company: Company) -> None:
    address_book.save(company.domain, ContactInput("Hanna", numbers=(HANNA,))).delete()

    assert not ContactWord.objects.exists()


def test_the_index_is_entered_by_the_word_that_the_fewest_have(company: Company) -> None:
    people = [ContactInput(name, "Gmbh", numbers=(f"+49301000{n}",)) for n, name in enumerate(["Ann", "Bo", "Bob"])]
    store(company.domain, people)

    with CaptureQueriesContext(connection) as asked:
        names = found(company, "gmbh ann")

    assert names == ["Ann"]
    main = next(each["sql"] for each in asked if "EXISTS" in each["sql"])
    assert main.index("ann") < main.index("gmbh")


def test_a_contact_with_many_words_alike_leaves_room_for_others(
    company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "MOST_FOUND", 3)
    monkeypatch.setattr(search, "USUALLY_ENOUGH", 4)
    people = [
        ContactInput(name, numbers=(f"+49301000{n}",)) for n, name in enumerate(["Ana Anb Anc And", "Anna", "Ante"])
    ]
    store(company.domain, people)

    assert found(company, "an") == ["Ana Anb Anc And", "Anna", "Ante"]
