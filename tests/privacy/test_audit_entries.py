"""Who was erased, or is past the time for which callers are remembered, is not named by the audit log."""

from datetime import timedelta

import time_machine
from django.utils import timezone

from accounts import audit
from accounts.models import AuditEntry
from tests.desk.conftest import HANNA, Company
from tests.privacy.caller_data import hanna, keeps
from tests.privacy.erasing import erase
from wallboard.contacts import address_book
from wallboard.contacts.address_book import ContactInput
from wallboard.privacy import erasing

WEBER = ContactInput("Hanna Weber", "Weber AG", "weber@example.org", (HANNA,))


def test_entries_do_not_tell_who_an_erased_contact_was(company: Company) -> None:
    contact = address_book.save(company.domain, ContactInput("Anna Veber", "Weber AG", "hanna@example.org", (HANNA,)))
    address_book.save(company.domain, WEBER, contact)

    erase(company.domain, hanna())

    added, changed = AuditEntry.objects.filter(what__startswith="contact ").order_by("pk")
    # As the contact was called before, too.
    assert (added.about, changed.about) == ("•••", "•••")
    assert {name: added.changes[name][1] for name in ("name", "company", "email")} == {
        "name": "•••",
        "company": "•••",
        "email": "•••",
    }
    assert added.changes["name"][0] == ""
    assert changed.changes == {"name": ["•••", "•••"], "email": ["•••", "•••"]}


def test_searches_for_an_erased_contact_do_not_name_it(company: Company) -> None:
    address_book.save(company.domain, WEBER)
    for text in ("hanna weber", "Weber@example.org", "Weberei"):
        audit.log(company.domain.pk, "contacts searched", text, once=text)

    erase(company.domain, hanna())

    searches = AuditEntry.objects.filter(what="contacts searched").order_by("pk")
    assert [(entry.about, entry.once is None) for entry in searches] == [
        ("•••", True),
        ("•••", True),
        ("Weberei", False),
    ]


def test_old_searches_tell_nothing_of_whom_they_were_for(company: Company) -> None:
    with time_machine.travel(timezone.now() - timedelta(days=5)):
        audit.log(company.domain.pk, "calls searched", "Hanna Weber")
        audit.log(company.domain.pk, "calls searched", "sip:hanna.weber@carrier.example")
        audit.log(company.domain.pk, "board changed", "Floor")
        audit.log(company.domain.pk, "contact removed", "Hanna ٠٣٠ ٩٠١٨٢٠")
    audit.log(company.domain.pk, "calls searched", "Weber")

    erasing.apply_retention(keeps(company, calls=1))

    assert list(AuditEntry.objects.order_by("pk").values_list("about", flat=True)) == [
        "•••",
        "•••",
        "Floor",
        "Hanna •••",
        "Weber",
    ]


def test_contacts_that_stay_and_those_of_others_stay_in_the_log(company: Company, neighbours: Company) -> None:
    address_book.save(company.domain, ContactInput("Both", numbers=(HANNA, "+4940111222")))
    address_book.save(neighbours.domain, WEBER)

    erase(company.domain, hanna())

    abouts = set(AuditEntry.objects.filter(what="contact added").values_list("about", flat=True))
    assert abouts == {"Both", "Hanna Weber"}
