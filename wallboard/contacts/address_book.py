"""Whom the company knows: found by number when it rings, and by name on their page."""

from collections.abc import Iterable, Sized
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import Domain
from wallboard.calls import numbers
from wallboard.contacts import caller_ids, listing, search
from wallboard.contacts.listing import ListedContact
from wallboard.contacts.models import Contact, ContactNumber
from wallboard.contacts.safe_text import one_line

LONGEST_NAME = 120
LONGEST_EMAIL = 200
# A bound for what a form or a file may add to one contact.
MOST_NUMBERS = 20
AUDITED_FIELDS = ("name", "company", "email", "numbers")
MOST_MATCHES = 12  # of a switchboard's people; more would be a list nobody reads while it rings


class InvalidInput(Exception):
    """Something that a contact needs is missing or cannot be read; the text says what."""


class FromBook(InvalidInput):
    """The contact belongs to an address book elsewhere, and is changed there only."""


@dataclass(frozen=True)
class ContactInput:
    """A contact as somebody wrote it; `numbers` in any writing, empty ones are left out."""

    name: str
    company: str = ""
    email: str = ""
    numbers: tuple[str, ...] = ()


def find_by_caller_id(domain_id: int, address: str) -> list[Contact]:
    """Everybody with this address (as caller_ids.normalize() writes it), by name; one lookup in an index."""
    if not address:
        return []
    rows = ContactNumber.objects.filter(domain_id=domain_id, number=address).select_related("contact")
    return sorted(_own_first(row.contact for row in rows[:MOST_MATCHES]), key=lambda each: (each.name, each.pk))


def _own_first(contacts: Iterable[Contact]) -> list[Contact]:
    """Without those of address books whose name somebody here has saved, too: they are the same ones."""
    listed = list(contacts)
    own = {contact.name.casefold() for contact in listed if contact.book_id is None}
    return [contact for contact in listed if contact.book_id is None or contact.name.casefold() not in own]


def unique_by_caller_id(domain_id: int, wanted: set[str]) -> dict[str, Contact]:
    """The contact of each address that belongs to exactly one."""
    rows = ContactNumber.objects.filter(domain_id=domain_id, number__in=wanted - {""}).select_related("contact")
    found: dict[str, list[Contact]] = {}
    for row in rows:
        found.setdefault(row.number, []).append(row.contact)
    # A switchboard's number names nobody: a wrong name on a list is worse than the number.
    single = {address: _own_first(contacts) for address, contacts in found.items()}
    return {address: contacts[0] for address, contacts in single.items() if len(contacts) == 1}


def selected(matches: list[Contact], contact_id: int | None) -> Contact | None:
    """Whom the caller is taken for: the one that was chosen, else the only one."""
    picked = next((contact for contact in matches if contact.pk == contact_id), None)
    # Of several only the person on the phone can tell who it is.
    return picked or (matches[0] if len(matches) == 1 else None)


def phone_numbers(contact: Contact) -> list[str]:
    """Every phone number of a contact; not its extensions and SIP addresses, which calls are not indexed by."""
    return list(contact.numbers.filter(number__startswith="+").order_by("pk").values_list("number", flat=True))


def as_document(contact: Contact) -> dict[str, Any]:
    """A contact as the card shows it."""
    return {"id": contact.pk, "name": contact.name, "company": contact.company}


def clean(domain: Domain, entry: ContactInput) -> ContactInput:
    """The input as it can be saved, its numbers in one writing and each once. Raises InvalidInput."""
    name, company, email = (one_line(text) for text in (entry.name, entry.company, entry.email))
    if not (name or company):
        raise InvalidInput(_("A name is missing."))
    if max(len(name), len(company)) > LONGEST_NAME or len(email) > LONGEST_EMAIL:
        raise InvalidInput(_("A name, company or e-mail address is too long."))
    if email and "@" not in email:
        raise InvalidInput(_("“%(text)s” is no e-mail address.") % {"text": email[:60]})
    # A company without a person is found and called by its own name.
    return ContactInput(name or company, company if name else "", email, _clean_numbers(domain, entry.numbers))


@transaction.atomic
def save(domain: Domain, entry: ContactInput, contact: Contact | None = None) -> Contact:
    """Make a contact, or make this one equal to the input. Raises InvalidInput, and then nothing has changed.

    FromBook where the contact is not ours to change.
    """
    check_own(contact)
    cleaned = clean(domain, entry)
    what, before = (
        ("contact changed", _audited(contact)) if contact else ("contact added", dict.fromkeys(AUDITED_FIELDS, ""))
    )
    contact = contact or Contact(domain=domain)
    contact.name, contact.company, contact.email = cleaned.name, cleaned.company, cleaned.email
    contact.save()
    # Numbers that stay keep their rows, and with them the order in which they were written.
    contact.numbers.exclude(number__in=cleaned.numbers).delete()
    _add_numbers(contact, cleaned.numbers)
    search.index(domain.pk, [(contact, cleaned.numbers)])
    changes = audit.differences(before, _audited(contact))
    if "numbers" in changes:  # kept only so far as to tell one from another
        changes["numbers"] = [", ".join(map(numbers.masked, texts)) for texts in changes["numbers"]]
    audit.log_changes(domain.pk, what, contact.name, changes)
    return contact


def check_own(*contacts: Contact | None) -> None:
    """Raises FromBook where one of them comes from an address book elsewhere."""
    if any(contact is not None and contact.book_id is not None for contact in contacts):
        raise FromBook(_("This contact comes from an address book. Change it there."))


def _audited(contact: Contact) -> dict[str, Any]:
    stored = contact.numbers.order_by("pk").values_list("number", flat=True)
    return {**audit.snapshot(contact, "name", "company", "email"), "numbers": list(stored)}


def save_caller(domain: Domain, address: str, name: str, company: str) -> Contact:
    """Save whom an address belongs to; saved twice it is one contact. Raises InvalidInput."""
    entry = clean(domain, ContactInput(name, company, numbers=(address,)))
    # A double click, or two colleagues in one call.
    same = next((contact for contact in find_by_caller_id(domain.pk, address) if contact.name == entry.name), None)
    return same or save(domain, entry)


def preview_merge(into: Contact, other: Contact) -> dict[str, Any]:
    """What merge() would make of both: `into`'s own words first, every number and note of both. Raises InvalidInput."""
    numbers = _merged_numbers(into, other)
    return {
        "name": into.name,
        "company": into.company or other.company,
        "email": into.email or other.email,
        "numbers": numbers,
        "notes": into.notes.count() + other.notes.count(),
    }


def _merged_numbers(into: Contact, other: Contact) -> list[str]:
    if into.pk == other.pk or into.domain_id != other.domain_id:
        raise InvalidInput(_("Choose two different contacts."))
    check_own(into, other)
    rows = ContactNumber.objects.filter(contact__in=(into, other)).order_by("contact", "pk")
    # The sort is stable: first all of the contact that stays, each side in its own order.
    numbers = list(dict.fromkeys(row.number for row in sorted(rows, key=lambda row: row.contact_id != into.pk)))
    _check_count(numbers)
    return numbers


@transaction.atomic
def merge(into: Contact, other: Contact) -> Contact:
    """Move everything about `other` to `into`, fill what `into` lacks, and remove `other`. Both of one domain and with
    no more numbers than one contact may have, else it raises InvalidInput.
    """
    numbers = _merged_numbers(into, other)
    # Before `other` goes, and everything that refers to it along with it.
    _add_numbers(into, numbers)
    other.notes.update(contact=into)
    into.company, into.email = into.company or other.company, into.email or other.email
    into.save()
    search.index(into.domain_id, [(into, numbers)])
    other.delete()
    audit.log(into.domain_id, "contacts merged", str(into))
    return into


@transaction.atomic
def remove(contact: Contact) -> None:
    """Forget a contact; what was noted about calls stays with the calls. Raises FromBook."""
    check_own(contact)
    audit.log(contact.domain_id, "contact removed", str(contact))
    contact.delete()


def possible_duplicates(contact: Contact) -> list[ListedContact]:
    """Other contacts of our own that may be the same one: they share a number, or every word of the name."""
    shared = ContactNumber.objects.filter(
        domain_id=contact.domain_id, number__in=contact.numbers.values("number")
    ).values("contact_id")
    named = search.by_words(contact.domain, search.split_words(contact.name))
    same = Contact.objects.filter(Q(pk__in=shared) | Q(pk__in=named), domain_id=contact.domain_id, book=None)
    return listing.read(same.exclude(pk=contact.pk).order_by("name", "pk")[:MOST_MATCHES])


def _clean_numbers(domain: Domain, texts: Iterable[str]) -> tuple[str, ...]:
    found = dict.fromkeys(_clean_number(text, domain.country) for text in texts if text.strip())
    _check_count(found)
    if not found:
        raise InvalidInput(_("A number is missing."))
    return tuple(found)


def _check_count(found: Sized) -> None:
    if len(found) > MOST_NUMBERS:
        raise InvalidInput(_("A contact may have %(most)d numbers.") % {"most": MOST_NUMBERS})


def _clean_number(text: str, country: str) -> str:
    address = caller_ids.normalize(text, country)
    if not address:
        raise InvalidInput(
            _("“%(text)s” is no phone number, extension or SIP address.") % {"text": one_line(text)[:60]}
        )
    return address


def _add_numbers(contact: Contact, numbers: Iterable[str]) -> None:
    rows = [ContactNumber(domain_id=contact.domain_id, contact=contact, number=number) for number in numbers]
    # Conflicts are numbers that both had.
    ContactNumber.objects.bulk_create(rows, ignore_conflicts=True)
