"""Cards of a book as contacts: added, changed and removed in one transaction for each batch."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from accounts.models import Domain
from wallboard.carddav import erased, vcards
from wallboard.contacts import address_book, caller_ids, search
from wallboard.contacts.address_book import ContactInput, InvalidInput
from wallboard.contacts.models import Contact, ContactNumber, SyncedBook, SyncedCard
from wallboard.contacts.safe_text import one_line

COLUMNS = ("name", "company", "email")


class Stopped(Exception):
    """The book was changed, paused or removed while it was read: what was fetched is of no use."""


@dataclass
class _Stored:
    """A contact and the numbers that it is to have."""

    contact: Contact
    numbers: tuple[str, ...]


def locked(book: SyncedBook) -> SyncedBook:
    """The book as it is now, held until the transaction ends. Raises Stopped."""
    now = SyncedBook.objects.select_for_update().select_related("domain")
    found = now.filter(pk=book.pk, generation=book.generation, is_paused=False, domain__is_active=True).first()
    if found is None:
        raise Stopped
    return found


def read_anew(book: SyncedBook) -> None:
    """Let every card be read again, by the country that `store` reads them by. Raises Stopped."""
    with transaction.atomic():
        current = locked(book)
        SyncedCard.objects.filter(book=book).update(etag="")
        # Not the company's as it is by now: where it changed this moment, the next run is to begin anew.
        book.sync_token, book.country = current.sync_token, current.country = "", book.domain.country
        current.save(update_fields=["sync_token", "country"])


def store(book: SyncedBook, cards: dict[str, tuple[str, str]]) -> Counter[str]:
    """Make contacts equal to these cards (ETag and text by digest); gives how many were added, changed and removed."""
    with transaction.atomic():
        domain, country = locked(book).domain, book.domain.country
        is_erased = erased.check_of(domain)
        rows = {row.digest: row for row in _rows(book, cards)}
        new: list[_Stored] = []
        old: list[_Stored] = []
        empty: list[Contact] = []
        kept: dict[str, Contact] = {}
        for digest, (_etag, text) in cards.items():
            stored = rows[digest].contact if digest in rows else None
            entry = contact_input(domain, text, country, is_erased)
            if entry is None:
                empty += [stored] if stored is not None else []
                continue
            contact = stored or Contact(domain=domain, book=book)
            kept[digest] = contact
            if stored is None or _differs(contact, entry):
                contact.name, contact.company, contact.email = entry.name, entry.company, entry.email
                contact.changed_at = timezone.now()
                (old if stored is not None else new).append(_Stored(contact, entry.numbers))
        _save(domain, new, old)
        _note_cards(book, {digest: (etag, kept.get(digest)) for digest, (etag, _text) in cards.items()})
        Contact.objects.filter(pk__in=[each.pk for each in empty]).delete()
        return Counter(added=len(new), changed=len(old), removed=len(empty))


def remove(book: SyncedBook, digests: Iterable[str]) -> int:
    """Forget the contacts of entries that are gone; gives how many there were."""
    wanted = list(digests)
    count = 0
    for start in range(0, len(wanted), 500):
        with transaction.atomic():
            locked(book)
            rows = _rows(book, wanted[start : start + 500])
            gone = [row.contact_id for row in rows if row.contact_id is not None]
            SyncedCard.objects.filter(pk__in=[row.pk for row in rows]).delete()
            Contact.objects.filter(book=book, pk__in=gone).delete()
            count += len(gone)
    return count


def contact_input(domain: Domain, text: str, country: str, is_erased: erased.Check) -> ContactInput | None:
    """A card as a contact, as far as it fits; None for one without a name or a number that may be kept."""
    card = vcards.read(text)
    if card is None:
        return None
    name, company = (
        one_line(erased.without_erased(each, country, is_erased))[: address_book.LONGEST_NAME].strip()
        for each in (card.name, card.company)
    )
    emails = (one_line(each) for each in card.emails)
    email = next((each for each in emails if "@" in each and len(each) <= address_book.LONGEST_EMAIL), "")
    email = erased.without_erased(email, country, is_erased)
    addresses = dict.fromkeys(caller_ids.normalize(each, country) for each in card.numbers)
    numbers = [each for each in addresses if each and not is_erased(each)][: address_book.MOST_NUMBERS]
    try:
        return address_book.clean(domain, ContactInput(name, company, email, tuple(numbers)))
    except InvalidInput:
        return None


def _rows(book: SyncedBook, digests: Iterable[str]) -> list[SyncedCard]:
    rows = SyncedCard.objects.filter(book=book, digest__in=list(digests)).select_related("contact")
    return list(rows.prefetch_related("contact__numbers"))


def _differs(contact: Contact, entry: ContactInput) -> bool:
    stored = {row.number for row in contact.numbers.all()}
    return stored != set(entry.numbers) or any(getattr(contact, name) != getattr(entry, name) for name in COLUMNS)


def _save(domain: Domain, new: list[_Stored], old: list[_Stored]) -> None:
    Contact.objects.bulk_create([each.contact for each in new])
    Contact.objects.bulk_update([each.contact for each in old], [*COLUMNS, "changed_at"])
    for each in old:
        ContactNumber.objects.filter(contact=each.contact).exclude(number__in=each.numbers).delete()
    rows = [
        ContactNumber(domain=domain, contact=each.contact, number=number)
        for each in (*new, *old)
        for number in each.numbers
    ]
    ContactNumber.objects.bulk_create(rows, ignore_conflicts=True)
    search.index(domain.pk, [(each.contact, each.numbers) for each in new], are_new=True)
    search.index(domain.pk, [(each.contact, each.numbers) for each in old])


def _note_cards(book: SyncedBook, cards: dict[str, tuple[str, Contact | None]]) -> None:
    rows = [SyncedCard(book=book, digest=digest, etag=etag, contact=each) for digest, (etag, each) in cards.items()]
    SyncedCard.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["book", "digest"], update_fields=["etag", "contact"]
    )
