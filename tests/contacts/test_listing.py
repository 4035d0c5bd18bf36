"""Contacts as lists show them."""

import gc

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.desk.conftest import HANNA, Company
from wallboard.contacts import address_book, listing, search
from wallboard.contacts.address_book import ContactInput
from wallboard.contacts.bulk_import import store
from wallboard.contacts.models import Contact


def test_each_has_its_own_numbers_in_the_order_in_which_they_were_added(company: Company) -> None:
    hanna = address_book.save(company.domain, ContactInput("Hanna", "Holm AG", "h@holm.example", (HANNA, "102")))
    address_book.save(company.domain, ContactInput("Paul", numbers=("555",)))
    address_book.save(company.domain, ContactInput("Hanna", "Holm AG", "h@holm.example", ("999", HANNA, "102")), hanna)

    listed = listing.read(Contact.objects.order_by("name"))

    assert [(each.name, each.numbers) for each in listed] == [("Hanna", [HANNA, "102", "999"]), ("Paul", ["555"])]
    assert (listed[0].pk, listed[0].company, listed[0].email) == (hanna.pk, "Holm AG", "h@holm.example")
    assert (listed[0].changed_at, listed[0].book_id) == (hanna.changed_at, None)


def test_however_many_there_are_they_take_two_statements_and_leave_no_circles(company: Company) -> None:
    store(company.domain, [ContactInput(f"Anna {n}", numbers=(f"+4930{1000000 + n}",)) for n in range(100)])
    search.search(company.domain, "anna")
    gc.collect()
    gc.disable()

    try:
        with CaptureQueriesContext(connection) as asked:
            assert len(listing.read(Contact.objects.all())) == 100
        left = gc.collect()
    finally:
        gc.enable()

    assert len(asked) == 2
    assert left < 100, "what only the garbage collector can free makes searches wait for it"
