"""An address book is followed: first all of it, then what changed; and what becomes of it when something is wrong."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts import domains, leases
from accounts.encryption import sealed
from accounts.models import AuditEntry, Domain
from tests.carddav.conftest import MIA, TOM, Sync, people
from tests.carddav.server import CardServer, vcard
from tests.privacy.erasing import erase
from wallboard.calls.retention import traces
from wallboard.carddav import books, client, syncing
from wallboard.carddav.books import BookInput
from wallboard.contacts import address_book, bulk_import, search
from wallboard.contacts.address_book import ContactInput, FromBook
from wallboard.contacts.models import Contact, SyncedBook, SyncedCard

pytestmark = pytest.mark.django_db


@pytest.mark.usefixtures("_two")
def test_the_first_time_all_of_it_comes_and_is_found(domain: Domain, sync: Sync) -> None:
    book = sync()

    (mia,) = address_book.find_by_caller_id(domain.pk, MIA)
    assert (mia.name, mia.company, mia.email, mia.book_id) == ("Mia Berg", "Berg AG", "mia@example.com", book.pk)
    assert people(domain) == {"Mia Berg": [MIA], "Tom": [TOM]}
    assert [each.name for each in search.search(domain, "ber").contacts] == ["Mia Berg"]
    assert (book.cards, book.left_out, book.failures, book.failure) == (2, 0, 0, "")
    assert book.synced_at is not None
    assert book.next_at > timezone.now() + timedelta(minutes=14)
    entry = AuditEntry.objects.get(what="address book read")
    assert (entry.about, entry.changes) == ("Office", {"added": [None, 2]})


@pytest.mark.parametrize("can_sync", [True, False])
@pytest.mark.usefixtures("_two")
def test_changes_and_removals_follow_and_nothing_else_is_fetched(
    domain: Domain, server: CardServer, sync: Sync, *, can_sync: bool
) -> None:
    server.can_sync = can_sync
    sync()
    before = Contact.objects.get(name="Mia Berg").pk
    server.fetched()
    server.put("mia", vcard("Mia Tal", "+4930901829"))
    server.put("eva", vcard("Eva", "+4930901830"))
    server.delete("tom")

    book = sync()

    assert people(domain) == {"Eva": ["+4930901830"], "Mia Tal": ["+4930901829"]}
    assert Contact.objects.get(name="Mia Tal").pk == before  # notes stay with it
    assert not search.search(domain, "berg").contacts
    assert (server.fetched(), book.cards) == (2, 2)
    entry = AuditEntry.objects.filter(what="address book read").latest("pk")
    assert entry.changes == {"added": [None, 1], "changed": [None, 1], "removed": [None, 1]}
    sync()
    assert server.fetched() == 0


@pytest.mark.parametrize("status", [403, 409, 410])
@pytest.mark.usefixtures("_two")
def test_a_token_that_has_expired_leads_to_one_comparison_of_everything(
    domain: Domain, server: CardServer, sync: Sync, status: int
) -> None:
    sync()
    server.delete("tom")
    server.put("eva", vcard("Eva", "+4930901830"))
    server.oldest_token, server.expired_status = len(server.log), status
    server.fetched()

    book = sync()

    assert people(domain) == {"Eva": ["+4930901830"], "Mia Berg": [MIA]}
    assert (server.fetched(), book.failure) == (1, "")
    assert book.sync_token == server.token()


def test_a_list_in_pieces_is_put_together_before_anything_is_removed(
    domain: Domain, server: CardServer, sync: Sync
) -> None:
    server.page_size = 2
    for number in range(5):
        server.put(f"c{number}", vcard(f"C{number}", f"+493090182{number}"))

    sync()
    sync()

    assert len(people(domain)) == 5


def test_an_entry_that_cannot_be_called_is_left_out_and_counted(domain: Domain, server: CardServer, sync: Sync) -> None:
    server.put("a", vcard("Nobody"))
    server.put("b", "no card at all")
    server.put("c", vcard("Half", "call me", "+4930901822"))
    server.put("d", vcard("Group", "+4930901823", more="X-ADDRESSBOOKSERVER-KIND:group\r\n"))

    book = sync()

    assert people(domain) == {"Half": ["+4930901822"]}
    assert (book.cards, book.left_out) == (4, 3)
    server.put("c", vcard("Half"))
    assert (sync().left_out, people(domain)) == (4, {})


@pytest.mark.usefixtures("_two")
def test_contacts_of_our_own_are_never_touched_and_come_first(domain: Domain, server: CardServer, sync: Sync) -> None:
    own = address_book.save(domain, ContactInput("mia berg", "Ours", numbers=(MIA, "+4930901899")))
    sync()

    assert [each.pk for each in address_book.find_by_caller_id(domain.pk, MIA)] == [own.pk]
    assert address_book.unique_by_caller_id(domain.pk, {MIA})[MIA].pk == own.pk
    server.delete("mia")
    sync()
    own.refresh_from_db()
    assert (own.company, own.numbers.count()) == ("Ours", 2)


@pytest.mark.usefixtures("_two")
def test_a_contact_of_a_book_is_changed_nowhere_else(domain: Domain, sync: Sync) -> None:
    sync()
    mia = Contact.objects.get(name="Mia Berg")
    own = address_book.save(domain, ContactInput("Own", numbers=("+4930901899",)))

    for refused in (
        lambda: address_book.save(domain, ContactInput("Other", numbers=(MIA,)), mia),
        lambda: address_book.remove(mia),
        lambda: address_book.merge(own, mia),
        lambda: address_book.merge(mia, own),
        lambda: address_book.preview_merge(own, mia),
    ):
        with pytest.raises(FromBook):
            refused()
    bulk_import.store(domain, [ContactInput("Mia Berg", "Another", numbers=(MIA, "+4930901877"))])
    mia.refresh_from_db()
    assert (mia.company, mia.numbers.count()) == ("Berg AG", 1)


@pytest.mark.usefixtures("_two")
def test_an_erased_number_does_not_come_back(domain: Domain, server: CardServer, sync: Sync) -> None:
    sync()
    trace = traces.of(MIA, "DE")
    assert trace is not None
    erase(domain, trace)
    assert people(domain) == {"Tom": [TOM]}

    server.put("mia", vcard("Mia 030-901820", MIA, "+4930901829"))
    sync()
    SyncedCard.objects.update(etag="")
    again = books.add(domain, BookInput("Again", server.book_url, "mia", server.password))
    syncing.run(again.pk)

    assert people(domain) == {"Mia": ["+4930901829"], "Tom": [TOM]}
    other = Domain.objects.create(
        slug="other", name="Other", base_url="http://127.0.0.1:1", client_id="i", client_secret=sealed("s"),
        country="DE",
    )  # fmt: skip
    theirs = books.add(other, BookInput("Theirs", server.book_url, "mia", server.password))
    syncing.run(theirs.pk)
    assert MIA in people(other)["Mia 030-901820"]


@pytest.mark.usefixtures("_two")
def test_a_run_that_takes_too_long_goes_on_where_it_was(
    domain: Domain, server: CardServer, sync: Sync, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "AT_ONCE", 1)
    monkeypatch.setattr(syncing, "RUN_SECONDS", -1.0)
    book = sync()
    assert (len(people(domain)), book.sync_token, book.synced_at) == (0, "", None)
    assert book.pk in syncing.due()

    monkeypatch.setattr(syncing, "RUN_SECONDS", 45.0)
    assert sync().synced_at is not None
    assert len(people(domain)) == 2


@pytest.mark.usefixtures("_two")
def test_one_run_at_a_time(domain: Domain, book: SyncedBook, sync: Sync) -> None:
    held = leases.acquire(f"carddav:{book.pk}", 60)
    assert held is not None

    sync()
    assert people(domain) == {}
    held.release()
    sync()
    assert len(people(domain)) == 2


@pytest.mark.usefixtures("_two")
def test_a_book_that_is_removed_while_it_is_read_brings_nothing(
    domain: Domain, book: SyncedBook, sync: Sync, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = client.cards

    def paused_meanwhile(*given: Any) -> Any:
        books.pause(SyncedBook.objects.get(), paused=True)
        return really(*given)

    monkeypatch.setattr(client, "cards", paused_meanwhile)
    sync()

    assert (people(domain), book.sync_token) == ({}, "")


@pytest.mark.usefixtures("_two")
def test_a_book_goes_with_its_contacts_or_leaves_them(domain: Domain, book: SyncedBook, sync: Sync) -> None:
    sync()
    other = SyncedBook.objects.create(domain=domain, name="Other", url=book.url, username="mia", password=book.password)
    syncing.run(other.pk)
    assert Contact.objects.count() == 4

    books.remove(other, keeps_contacts=False)
    books.remove(book, keeps_contacts=True)

    assert people(domain) == {"Mia Berg": [MIA], "Tom": [TOM]}
    assert Contact.objects.exclude(book=None).count() == 0
    assert SyncedCard.objects.count() == 0


@pytest.mark.usefixtures("_two")
def test_another_address_is_another_book(domain: Domain, book: SyncedBook, server: CardServer, sync: Sync) -> None:
    sync()
    server.fetched()

    with pytest.raises(books.NeedsPassword):
        books.change(book, BookInput("Office", "http://127.0.0.2/", "mia", ""))
    books.change(book, BookInput("Office", server.book_url + "?x=1", "mia", ""))
    assert book.sync_token == ""
    sync()

    assert (server.fetched(), len(people(domain))) == (2, 2)


def test_another_user_has_another_book(book: SyncedBook, sync: Sync) -> None:
    sync()
    assert book.sync_token

    books.change(book, BookInput(book.name, "", "bert", ""))

    assert book.sync_token == ""
    assert not SyncedCard.objects.exclude(etag="").exists()


def test_a_country_that_is_put_right_reads_all_numbers_again_and_once(
    domain: Domain, server: CardServer, sync: Sync
) -> None:
    Domain.objects.update(country="US")
    server.put("mia", vcard("Mia Berg", "030 901820"))
    server.put("eva", vcard("Eva", "0211 5551234"))
    sync()
    domain.refresh_from_db()
    domains.set_region(domain, "Europe/Berlin", "DE")

    sync()
    assert people(domain) == {"Mia Berg": ["+4930901820"], "Eva": ["+492115551234"]}

    server.fetched()
    sync()
    assert server.fetched() == 0


def test_a_country_that_is_put_right_while_a_book_is_read_counts_the_next_time(
    domain: Domain, server: CardServer, sync: Sync, monkeypatch: pytest.MonkeyPatch
) -> None:
    Domain.objects.update(country="US")
    server.put("mia", vcard("Mia Berg", "030 901820"))
    opened = syncing.access_of

    def put_right(book: SyncedBook) -> client.Access:
        Domain.objects.update(country="DE")
        return opened(book)

    monkeypatch.setattr(syncing, "access_of", put_right)
    sync()
    sync()

    assert people(domain) == {"Mia Berg": ["+4930901820"]}
