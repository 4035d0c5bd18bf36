"""Contacts found by what people remember of them."""

import pytest

from tests.desk.conftest import HANNA, Company
from wallboard.desk import contacts, finding
from wallboard.desk.contacts import Wish
from wallboard.desk.keeping import keep
from wallboard.desk.models import Contact, ContactWord


def found(company: Company, text: str) -> list[str]:
    return [contact.name for contact in finding.search(company.domain, text).contacts]


@pytest.mark.parametrize(
    "text",
    ["mül", "MUL", "lüdenscheid", "jos mül", "mül jos", "garcon", "müller-lüd", "jose@partner", "partner.ex", HANNA,
     "030 9018", "4930", "+49 30 901", "0049 30", "901820", "0182"],
)  # fmt: skip
def test_by_the_beginning_of_words_without_accents_or_in_any_part_of_a_number(company: Company, text: str) -> None:
    contacts.save(company.domain, Wish("José Müller-Lüdenscheid", "Garçon AG", "jose@partner.example", (HANNA, "102")))
    contacts.save(company.domain, Wish("Somebody else", numbers=("555",)))

    assert found(company, text) == ["José Müller-Lüdenscheid"]


@pytest.mark.parametrize("text", ["ller", "jos meier", "", "  ", "%", "_", "'; --", "123456789", "\u202e"])
def test_nothing_else_is_found(company: Company, text: str) -> None:
    contacts.save(company.domain, Wish("José Müller", numbers=(HANNA,)))

    assert found(company, text) == []


def test_extensions_and_sip_addresses_are_found(company: Company) -> None:
    contacts.save(company.domain, Wish("Door", numbers=("555", "sip:lab@partner.example")))

    assert found(company, "555") == found(company, "lab") == found(company, "sip:lab@partner.example") == ["Door"]


def test_what_changes_is_found_by_its_new_words_only(company: Company) -> None:
    hanna = contacts.save(company.domain, Wish("Hanna Brandt", numbers=(HANNA,)))

    contacts.save(company.domain, Wish("Hanna Koch", numbers=("0171 1234567",)), hanna)

    assert found(company, "koch") == found(company, "0171") == ["Hanna Koch"]
    assert found(company, "brandt") == found(company, "030 9018") == []


def test_imported_and_completed_contacts_are_found(company: Company) -> None:
    keep(company.domain, [Wish("Hanna Brandt", numbers=(HANNA,)), Wish("Paul", numbers=("555",))])
    keep(company.domain, [Wish("Hanna Brandt", "Holm AG", numbers=(HANNA, "+491711234567"))])

    assert found(company, "holm") == found(company, "0171") == found(company, "030 901820") == ["Hanna Brandt"]
    hanna = Contact.objects.get(name="Hanna Brandt")
    assert sorted(hanna.words.values_list("word", flat=True)) == sorted(
        ["hanna", "brandt", "holm", "ag", "4930901820", "30901820", "491711234567", "1711234567"]
    )


def test_another_company_is_never_found(company: Company, neighbours: Company) -> None:
    contacts.save(neighbours.domain, Wish("Hanna", numbers=(HANNA,)))

    assert found(company, "hanna") == found(company, "030 901820") == found(company, "0182") == []


def test_too_many_are_cut_and_said_to_be(company: Company) -> None:
    keep(company.domain, [Wish(f"Anna Anders {n}", numbers=(f"+4930{1000000 + n}",)) for n in range(120)])

    cut = finding.search(company.domain, "an")

    assert (len(cut.contacts), cut.is_cut) == (100, True)
    assert finding.search(company.domain, "an 119").is_cut is False
    assert finding.listed(company.domain, 3).is_cut is False
    assert len(finding.listed(company.domain, 3).contacts) == 20


def test_a_removed_contact_leaves_no_words(company: Company) -> None:
    contacts.save(company.domain, Wish("Hanna", numbers=(HANNA,))).delete()

    assert not ContactWord.objects.exists()
