"""Many contacts saved with few statements: who is known already is completed, never doubled."""

from collections.abc import Iterable, Iterator

from django.utils import timezone

from accounts.models import Domain
from wallboard.contacts import search
from wallboard.contacts.address_book import ContactInput
from wallboard.contacts.models import Contact, ContactNumber

BATCH = 400
Key = tuple[str, str]


def store(domain: Domain, entries: Iterable[ContactInput]) -> tuple[int, int]:
    """Save these (as imports.run() returns them); returns how many contacts were added and how many completed.

    The same name with a number in common is the same contact: it gets the further numbers, and company and e-mail
    address where the entry has them. To be called in a transaction.
    """
    added = changed = 0
    for batch in _batches(list(entries)):
        known = _known(domain, batch)
        new, old = _new_and_known(domain, batch, known)
        Contact.objects.bulk_create([contact for contact, _numbers in new])
        Contact.objects.bulk_update([contact for contact, _numbers in old], ["company", "email", "changed_at"])
        _add_numbers(domain, new + old)
        # New contacts have no words that would have to be deleted first.
        search.index(domain.pk, new, are_new=True)
        search.index(domain.pk, _with_all_numbers(old))
        added, changed = added + len(new), changed + len(old)
    return added, changed


Pairs = list[tuple[Contact, list[str]]]


def _new_and_known(domain: Domain, batch: list[ContactInput], known: dict[Key, Contact]) -> tuple[Pairs, Pairs]:
    """New and known contacts, each with the numbers to add; a contact that comes twice in the batch is one."""
    new: dict[int, tuple[Contact, list[str]]] = {}
    old: dict[int, tuple[Contact, list[str]]] = {}
    for entry in batch:
        keys = [(entry.name.casefold(), number) for number in entry.numbers]
        contact = next((known[key] for key in keys if key in known), None)
        if contact is None:
            contact = Contact(domain=domain, name=entry.name)
        # A file that lacks a column must not empty what people have written.
        contact.company, contact.email = entry.company or contact.company, entry.email or contact.email
        contact.changed_at = timezone.now()  # no update of many rows does so by itself
        side = old if contact.pk else new
        # By identity: new contacts have no key yet.
        side.setdefault(id(contact), (contact, []))[1].extend(entry.numbers)
        # The next line of the same file may be the same contact with another number.
        known.update(dict.fromkeys(keys, contact))
    return list(new.values()), list(old.values())


def _known(domain: Domain, batch: list[ContactInput]) -> dict[Key, Contact]:
    numbers = sorted({number for entry in batch for number in entry.numbers})
    # Those of address books are changed there only.
    rows = ContactNumber.objects.filter(domain=domain, number__in=numbers, contact__book=None)
    rows = rows.select_related("contact")
    # One object per contact: select_related makes one for each of its numbers, and changes would go to either.
    people: dict[int, Contact] = {}
    return {(row.contact.name.casefold(), row.number): people.setdefault(row.contact_id, row.contact) for row in rows}


def _add_numbers(domain: Domain, pairs: Pairs) -> None:
    rows = [
        ContactNumber(domain=domain, contact=contact, number=number)
        for contact, numbers in pairs
        for number in dict.fromkeys(numbers)
    ]
    ContactNumber.objects.bulk_create(rows, ignore_conflicts=True, batch_size=BATCH)


def _with_all_numbers(pairs: Pairs) -> Pairs:
    """The same contacts, with the numbers they had before too."""
    numbers: dict[int, list[str]] = {contact.pk: [] for contact, _numbers in pairs}
    for row in ContactNumber.objects.filter(contact__in=numbers):
        numbers[row.contact_id].append(row.number)
    return [(contact, numbers[contact.pk]) for contact, _numbers in pairs]


def _batches(entries: list[ContactInput]) -> Iterator[list[ContactInput]]:
    for start in range(0, len(entries), BATCH):
        yield entries[start : start + BATCH]
