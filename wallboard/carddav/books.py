"""Address books that are followed: added, changed, paused, removed, each noted in the audit log without its URL."""

from dataclasses import dataclass, field

from django.db import transaction
from django.utils import timezone

from accounts import audit
from accounts.encryption import WrongKey, sealed
from accounts.models import Domain
from wallboard.carddav import client, syncing
from wallboard.carddav.client import Collection
from wallboard.contacts.models import SyncedBook, SyncedCard
from wallboard.notifications import outbound

MOST_BOOKS = 10  # of a company
TEST_SECONDS = 5.0  # somebody waits for the page


class TooMany(Exception):
    """The company has as many as there can be."""


class NeedsPassword(Exception):
    """The password for one host is not sent to another: it is to be entered again."""


@dataclass(frozen=True)
class BookInput:
    """What an administrator wants of a book. No URL or password: as it is stored."""

    name: str
    url: str = field(repr=False)
    username: str
    password: str = field(repr=False)


def add(domain: Domain, wanted: BookInput) -> SyncedBook:
    """A new book, which is read at the next beat. Raises outbound.Refused, or TooMany."""
    origin = outbound.checked(wanted.url).origin
    with transaction.atomic():
        Domain.objects.select_for_update().get(pk=domain.pk)
        if SyncedBook.objects.filter(domain=domain).count() >= MOST_BOOKS:
            raise TooMany
        book = SyncedBook.objects.create(
            domain=domain, name=wanted.name or origin, url=sealed(wanted.url), username=wanted.username,
            password=sealed(wanted.password),
        )  # fmt: skip
        audit.log(domain.pk, "address book added", book.name, {"host": ["", origin]})
    return book


def change(book: SyncedBook, wanted: BookInput) -> None:
    """Change where it is or who asks; another address or user is another book, whose cards are read anew.

    Raises outbound.Refused, or NeedsPassword where the password would go to another host.
    """
    before = {"name": book.name, "username": book.username, "host": host_of(book)}
    # At one address each user may find a book of their own.
    is_elsewhere = bool(wanted.url and wanted.url != stored_url(book)) or wanted.username != book.username
    if wanted.url and outbound.checked(wanted.url).origin != before["host"] and not wanted.password:
        raise NeedsPassword
    with transaction.atomic():
        book.name, book.username = wanted.name or book.name, wanted.username
        book.url = sealed(wanted.url) if wanted.url else book.url
        book.password = sealed(wanted.password) if wanted.password else book.password
        book.generation += 1
        book.sync_token = "" if is_elsewhere else book.sync_token
        book.failures, book.failure, book.next_at = 0, "", timezone.now()
        book.save()
        if is_elsewhere:
            SyncedCard.objects.filter(book=book).update(etag="")
        after = {"name": book.name, "username": book.username, "host": host_of(book)}
        changes = audit.differences(before, after)
        changes |= {"password": [audit.MASK, audit.MASK]} if wanted.password else {}
        audit.log_changes(book.domain_id, "address book changed", book.name, changes)


def stored_url(book: SyncedBook) -> str:
    """The URL; "" where no key opens it."""
    try:
        return str(book.url.open())
    except WrongKey:
        return ""


def host_of(book: SyncedBook) -> str:
    """Where it is, for people."""
    try:
        return outbound.checked(stored_url(book)).origin
    except outbound.Refused:
        return ""


def try_out(book: SyncedBook) -> Collection:
    """Ask the server for the book now. Raises client.Failed or outbound.Refused."""
    return client.find(syncing.access_of(book), TEST_SECONDS)


def pause(book: SyncedBook, *, paused: bool) -> None:
    """Leave its contacts as they are, or follow it again."""
    if book.is_paused != paused:
        book.is_paused = paused
        SyncedBook.objects.filter(pk=book.pk).update(is_paused=paused, next_at=timezone.now())
        audit.log(book.domain_id, "address book changed", book.name, {"is_paused": [not paused, paused]})


def be_due(book: SyncedBook) -> None:
    """Let it be read now, whatever pause there is."""
    SyncedBook.objects.filter(pk=book.pk).update(next_at=timezone.now())


def remove(book: SyncedBook, *, keeps_contacts: bool) -> int:
    """Forget a book, and its contacts unless they are kept as our own; gives how many contacts it had."""
    with transaction.atomic():
        SyncedBook.objects.select_for_update().filter(pk=book.pk).first()  # after a batch that is being stored
        count = book.contacts.count()
        SyncedCard.objects.filter(book=book).delete()
        if keeps_contacts:
            book.contacts.update(book=None)
        about = {"contacts": [count, count if keeps_contacts else 0]}
        audit.log(book.domain_id, "address book removed", book.name, about)
        book.delete()
    return count
