"""Numbers that were erased do not come back from a book: they are known by a digest, and cards lose them."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable

from django.db import transaction

from accounts.encryption import sealed
from accounts.models import Domain
from wallboard.calls.retention.traces import Trace
from wallboard.contacts import caller_ids, erasing
from wallboard.contacts.models import ErasedNumber, SyncedBook

# What may be a number inside a name: digits with what people write between them, or an address.
NUMBER_IN_TEXT = re.compile(r"\+?\(?\d[\d\s()./\u00a0-]{3,}\d|[\w.+-]+@[\w.-]+")
MOST_LETTERS = 1000  # many times those of a name: of what is longer the beginning is kept anyway
Check = Callable[[str], bool]


def check_of(domain: Domain) -> Check:
    """Whether an address (as caller_ids.normalize() writes it) was erased in this company."""
    rows = list(ErasedNumber.objects.filter(domain=domain))
    if not rows:
        return lambda address: False
    key, known = rows[0].key.open(), {row.digest for row in rows}
    return lambda address: _digest(key, address) in known


def without_erased(text: str, country: str, is_erased: Check) -> str:
    """The text, or its beginning where it is longer than any name, without the numbers in it that were erased."""

    def kept(found: re.Match[str]) -> str:
        address = caller_ids.normalize(found[0], country)
        return "" if address and is_erased(address) else found[0]

    # Each letter may be the first of an address, which is looked for to the end of its word.
    return NUMBER_IN_TEXT.sub(kept, text[:MOST_LETTERS])


def note(domain: Domain, trace: Trace) -> int:
    """Keep that this number was erased, and take out what a book that was just being read has brought back."""
    with transaction.atomic():
        # Whoever stores cards holds the row of the book, and reads after that what was erased.
        list(SyncedBook.objects.select_for_update().filter(domain=domain))
        first = ErasedNumber.objects.filter(domain=domain).first()
        key = first.key.open() if first is not None else secrets.token_urlsafe(32)
        digest = _digest(key, trace.number)
        ErasedNumber.objects.get_or_create(domain=domain, digest=digest, defaults={"key": sealed(key)})
        return erasing.erase(domain, trace)


def _digest(key: str, address: str) -> str:
    return hmac.new(key.encode(), address.encode("utf-8", "replace"), hashlib.sha256).hexdigest()
