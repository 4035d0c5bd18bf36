"""A company that follows an address book on a server that really listens."""

from collections.abc import Callable, Iterator

import pytest

from accounts.encryption import sealed
from accounts.models import Domain
from tests.boards.conftest import plain_static_files as plain_static_files
from tests.boards.conftest import sign_in as sign_in
from tests.carddav.server import CardServer, serving, vcard
from wallboard.carddav import books, syncing
from wallboard.carddav.books import BookInput
from wallboard.contacts.models import Contact, SyncedBook

People = dict[str, list[str]]
Sync = Callable[[], SyncedBook]
MIA, TOM = "+4930901820", "+4930901821"


@pytest.fixture
def domain(db: None) -> Domain:
    return Domain.objects.create(
        slug="acme", name="Acme", base_url="http://127.0.0.1:1", client_id="id", client_secret=sealed("s"), country="DE"
    )


@pytest.fixture
def server(loopback_allowed: None) -> Iterator[CardServer]:
    with serving() as running:
        yield running


@pytest.fixture
def book(domain: Domain, server: CardServer) -> SyncedBook:
    return books.add(domain, BookInput("Office", server.book_url, "mia", server.password))


@pytest.fixture
def sync(book: SyncedBook) -> Sync:
    """Reads the book once; gives it as it is then."""

    def run() -> SyncedBook:
        syncing.run(book.pk)
        book.refresh_from_db()
        return book

    return run


@pytest.fixture
def _two(server: CardServer) -> None:
    server.put("mia", vcard("Mia Berg", "030 901820", more="ORG:Berg AG;Sales\r\nEMAIL:mia@example.com\r\n"))
    server.put("tom", vcard("Tom", TOM))


def people(domain: Domain) -> People:
    """Every contact of the company with its numbers."""
    rows = Contact.objects.filter(domain=domain).prefetch_related("numbers").order_by("name", "pk")
    return {each.name: sorted(row.number for row in each.numbers.all()) for each in rows}
