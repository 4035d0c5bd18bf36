"""Whom the company knows: found by number when it rings, and by name on their page."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import Domain
from wallboard.calls import numbers
from wallboard.desk import addresses, finding
from wallboard.desk.models import Contact, ContactNumber, Note
from wallboard.desk.text import one_line

LONGEST_NAME = 120
LONGEST_EMAIL = 200
MOST_NUMBERS = 20
NOTED = ("name", "company", "email", "numbers")
MOST_MATCHES = 12  # of a switchboard's people; more would be a list nobody reads while it rings


class Unsaid(Exception):
    """Something that a contact needs is missing or cannot be read; the text says what."""


@dataclass(frozen=True)
class Wish:
    """A contact as somebody wrote it; `numbers` in any writing, empty ones are left out."""

    name: str
    company: str = ""
    email: str = ""
    numbers: tuple[str, ...] = ()


def find(domain_id: int, address: str) -> list[Contact]:
    """Everybody with this address (as addresses.normal() writes it), by name; one lookup in an index."""
    if not address:
        return []
    rows = ContactNumber.objects.filter(domain_id=domain_id, number=address).select_related("contact")
    return sorted((row.contact for row in rows[:MOST_MATCHES]), key=lambda contact: (contact.name, contact.pk))


def sole(domain_id: int, wanted: set[str]) -> dict[str, Contact]:
    """The contact of each address that belongs to exactly one."""
    rows = ContactNumber.objects.filter(domain_id=domain_id, number__in=wanted - {""}).select_related("contact")
    found: dict[str, list[Contact]] = {}
    for row in rows:
        found.setdefault(row.number, []).append(row.contact)
    return {address: contacts[0] for address, contacts in found.items() if len(contacts) == 1}


def chosen(matches: list[Contact], contact_id: int | None) -> Contact | None:
    """Whom the caller is taken for: the one that was chosen, else the only one."""
    picked = next((contact for contact in matches if contact.pk == contact_id), None)
    return picked or (matches[0] if len(matches) == 1 else None)


def phone_numbers(contact: Contact) -> list[str]:
    """Every phone number of a contact; not its extensions and SIP addresses, which calls are not indexed by."""
    return list(contact.numbers.filter(number__startswith="+").order_by("pk").values_list("number", flat=True))


def as_news(contact: Contact) -> dict[str, Any]:
    """A contact as the card shows it."""
    return {"id": contact.pk, "name": contact.name, "company": contact.company}


def read(domain: Domain, wish: Wish) -> Wish:
    """The wish as it can be kept, its numbers in one writing and each once. Raises Unsaid."""
    name, company, email = (one_line(text) for text in (wish.name, wish.company, wish.email))
    if not (name or company):
        raise Unsaid(_("A name is missing."))
    if max(len(name), len(company)) > LONGEST_NAME or len(email) > LONGEST_EMAIL:
        raise Unsaid(_("A name, company or e-mail address is too long."))
    if email and "@" not in email:
        raise Unsaid(_("“%(text)s” is no e-mail address.") % {"text": email[:60]})
    return Wish(name or company, company if name else "", email, _numbers(domain, wish.numbers))


@transaction.atomic
def save(domain: Domain, wish: Wish, contact: Contact | None = None) -> Contact:
    """Make a contact, or make this one equal to the wish. Raises Unsaid, and then nothing has changed."""
    kept = read(domain, wish)
    what, before = ("contact changed", _as_noted(contact)) if contact else ("contact added", dict.fromkeys(NOTED, ""))
    contact = contact or Contact(domain=domain)
    contact.name, contact.company, contact.email = kept.name, kept.company, kept.email
    contact.save()
    contact.numbers.exclude(number__in=kept.numbers).delete()
    _add(contact, kept.numbers)
    finding.keep(domain.pk, [(contact, kept.numbers)])
    changes = audit.differences(before, _as_noted(contact))
    if "numbers" in changes:  # kept only so far as to tell one from another
        changes["numbers"] = [", ".join(map(numbers.masked, texts)) for texts in changes["numbers"]]
    audit.note_changes(domain.pk, what, contact.name, changes)
    return contact


def _as_noted(contact: Contact) -> dict[str, Any]:
    kept = contact.numbers.order_by("pk").values_list("number", flat=True)
    return {**audit.values(contact, "name", "company", "email"), "numbers": list(kept)}


def save_caller(domain: Domain, address: str, name: str, company: str) -> Contact:
    """Save whom an address belongs to; said twice it is one contact. Raises Unsaid."""
    wish = read(domain, Wish(name, company, numbers=(address,)))
    same = next((contact for contact in find(domain.pk, address) if contact.name == wish.name), None)
    return same or save(domain, wish)


def merged(into: Contact, other: Contact) -> dict[str, Any]:
    """What merge() would make of both: `into`'s own words first, every number and note of both. Raises Unsaid."""
    if into.pk == other.pk or into.domain_id != other.domain_id:
        raise Unsaid(_("Choose two different contacts."))
    rows = ContactNumber.objects.filter(contact__in=(into, other)).order_by("contact", "pk")
    numbers = sorted(rows, key=lambda row: row.contact_id != into.pk)
    return {
        "name": into.name,
        "company": into.company or other.company,
        "email": into.email or other.email,
        "numbers": list(dict.fromkeys(row.number for row in numbers)),
        "notes": Note.objects.filter(contact__in=(into, other)).count(),
    }


@transaction.atomic
def merge(into: Contact, other: Contact) -> Contact:
    """Move everything about `other` to `into`, fill what `into` lacks, and remove `other`. Both of one domain, else it
    raises Unsaid.
    """
    if into.pk == other.pk or into.domain_id != other.domain_id:
        raise Unsaid(_("Choose two different contacts."))
    _add(into, other.numbers.values_list("number", flat=True))
    Note.objects.filter(contact=other).update(contact=into)
    into.company, into.email = into.company or other.company, into.email or other.email
    into.save()
    finding.keep(into.domain_id, [(into, into.numbers.values_list("number", flat=True))])
    other.delete()
    audit.note(into.domain_id, "contacts merged", str(into))
    return into


@transaction.atomic
def remove(contact: Contact) -> None:
    """Forget a contact; what was noted about calls stays with the calls."""
    audit.note(contact.domain_id, "contact removed", str(contact))
    contact.delete()


def alike(contact: Contact) -> QuerySet[Contact]:
    """Other contacts that may be the same one: they share a number, or every word of the name."""
    shared = ContactNumber.objects.filter(
        domain_id=contact.domain_id, number__in=contact.numbers.values("number")
    ).values("contact_id")
    named = finding.by_words(contact.domain, finding.words_of(contact.name))
    same = Contact.objects.filter(Q(pk__in=shared) | Q(pk__in=named), domain_id=contact.domain_id)
    return same.exclude(pk=contact.pk).prefetch_related("numbers").order_by("name", "pk")[:MOST_MATCHES]


def _numbers(domain: Domain, texts: Iterable[str]) -> tuple[str, ...]:
    found = dict.fromkeys(_number(text, domain.country) for text in texts if text.strip())
    if len(found) > MOST_NUMBERS:
        raise Unsaid(_("A contact may have %(most)d numbers.") % {"most": MOST_NUMBERS})
    if not found:
        raise Unsaid(_("A number is missing."))
    return tuple(found)


def _number(text: str, country: str) -> str:
    address = addresses.normal(text, country)
    if not address:
        raise Unsaid(_("“%(text)s” is no phone number, extension or SIP address.") % {"text": one_line(text)[:60]})
    return address


def _add(contact: Contact, numbers: Iterable[str]) -> None:
    rows = [ContactNumber(domain_id=contact.domain_id, contact=contact, number=number) for number in numbers]
    ContactNumber.objects.bulk_create(rows, ignore_conflicts=True)
