"""Follows an address book: one run at a time for each, with growing pauses while it cannot be read.

A run that takes too long stops between two batches and goes on at the next beat: what is stored has its ETag, so that
nothing is fetched twice.
"""

import logging
import time
from collections import Counter
from datetime import timedelta
from itertools import islice

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit, leases
from accounts.encryption import WrongKey
from accounts.languages import choosing
from wallboard.carddav import client, storing
from wallboard.carddav.client import Access, Failed
from wallboard.contacts.models import SyncedBook, SyncedCard
from wallboard.notifications.channels.outcomes import NotSent

log = logging.getLogger(__name__)
EVERY = timedelta(minutes=15)
FIRST_PAUSE = timedelta(minutes=5)
LONGEST_PAUSE = timedelta(hours=6)
RUN_SECONDS = 45.0  # of one run; the thread of a worker is needed for other things, too
LEASE_SECONDS = 300.0  # longer than any run; after a killed worker the next one waits for so long


def due() -> list[int]:
    """The books that are to be looked at now, those that waited longest first."""
    books = SyncedBook.objects.filter(is_paused=False, domain__is_active=True, next_at__lte=timezone.now())
    return list(books.order_by("next_at", "pk").values_list("pk", flat=True))


def run(book_id: int) -> None:
    """Bring the contacts of a book up to date, or keep why that is not possible."""
    if (lease := leases.acquire(f"carddav:{book_id}", LEASE_SECONDS)) is None:
        return
    with lease:
        found = SyncedBook.objects.filter(pk=book_id, is_paused=False, domain__is_active=True)
        book = found.select_related("domain").first()
        if book is not None:
            with choosing.speaking(choosing.of_company(book.domain)):
                _run(book)


def access_of(book: SyncedBook) -> Access:
    """Where the book is, and who asks. Raises Failed."""
    try:
        return Access(book.url.open(), book.username, book.password.open())
    except WrongKey:
        raise Failed(_("The stored password cannot be opened any more. Enter it again.")) from None


def _run(book: SyncedBook) -> None:
    try:
        done, is_whole = _follow(book)
    except storing.Stopped:
        return
    except Failed as failure:
        _note_failure(book, str(failure), failure.pause_seconds)
    except NotSent as failure:
        _note_failure(book, str(failure))
    else:
        _tell(book, done, is_whole=is_whole)


def _follow(book: SyncedBook) -> tuple[Counter[str], bool]:
    """Fetch what is new and drop what is gone; what was done, and whether that was all."""
    until = time.monotonic() + RUN_SECONDS
    access = access_of(book)
    if book.country != book.domain.country:
        storing.read_anew(book)
    collection = client.find(access)
    listing = client.listing(access, collection, book.sync_token)
    known = dict(SyncedCard.objects.filter(book=book).values_list("digest", "etag"))
    gone = known.keys() - listing.places.keys() if listing.is_whole else known.keys() & listing.gone
    changed = [each for each in listing.places.values() if not each.etag or known.get(each.digest) != each.etag]
    if len(known.keys() - gone | listing.places.keys()) > client.MOST_CARDS:
        raise client.too_many()
    done = Counter(removed=storing.remove(book, gone))
    waiting, is_complete = iter(changed), True
    while batch := list(islice(waiting, client.AT_ONCE)):
        if time.monotonic() > until:
            return done, False
        fetched = client.cards(access, collection, batch)
        done += storing.store(book, fetched)
        is_complete &= len(fetched) == len(batch)
    if not is_complete:
        return done, True  # what the server did not hand out is asked for again: it is new since the same token
    with transaction.atomic():
        current = storing.locked(book)
        current.sync_token = listing.token
        current.save(update_fields=["sync_token"])
    return done, True


def _tell(book: SyncedBook, done: Counter[str], *, is_whole: bool) -> None:
    """Keep that it went well, and in the audit log what it did."""
    now = timezone.now()
    rows = SyncedCard.objects.filter(book=book)
    columns = {"failures": 0, "failure": "", "tried_at": now, "next_at": now + EVERY if is_whole else now}
    columns |= {"cards": rows.count(), "left_out": rows.filter(contact=None).count()}
    columns |= {"synced_at": now} if is_whole else {}
    with transaction.atomic():
        if _same(book).update(**columns) and +done:
            audit.log(book.domain_id, "address book read", book.name, {name: [None, done[name]] for name in +done})
    if book.failures:
        log.info("Address book %s can be read again.", book.pk)


def _note_failure(book: SyncedBook, text: str, pause_seconds: int = 0) -> None:
    pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(book.failures, 10))
    pause = max(pause, timedelta(seconds=pause_seconds))
    now = timezone.now()
    _same(book).update(failures=book.failures + 1, failure=text[:300], tried_at=now, next_at=now + pause)
    if not book.failures:
        log.warning("Address book %s cannot be read.", book.pk)


def _same(book: SyncedBook) -> "QuerySet[SyncedBook]":
    return SyncedBook.objects.filter(pk=book.pk, generation=book.generation)
