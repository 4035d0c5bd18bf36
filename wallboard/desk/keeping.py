"""Many contacts kept with few statements: who is known already is completed, never doubled."""

from collections.abc import Iterable, Iterator

from accounts.models import Domain
from wallboard.desk import finding
from wallboard.desk.contacts import Wish
from wallboard.desk.models import Contact, ContactNumber

BATCH = 400
Key = tuple[str, str]


def keep(domain: Domain, wishes: Iterable[Wish]) -> tuple[int, int]:
    """Keep these (as contacts.read() returns them); returns how many contacts were added and how many completed.

    The same name with a number in common is the same contact: it gets the further numbers, and company and e-mail
    address where the wish has them. To be called in a transaction.
    """
    added = changed = 0
    for batch in _batches(list(wishes)):
        known = _known(domain, batch)
        new, old = _sorted(domain, batch, known)
        Contact.objects.bulk_create([contact for contact, _numbers in new])
        Contact.objects.bulk_update([contact for contact, _numbers in old], ["company", "email"])
        _add_numbers(domain, new + old)
        finding.keep(domain.pk, new, are_new=True)
        finding.keep(domain.pk, _with_all_numbers(old))
        added, changed = added + len(new), changed + len(old)
    return added, changed


Pairs = list[tuple[Contact, list[str]]]


def _sorted(domain: Domain, batch: list[Wish], known: dict[Key, Contact]) -> tuple[Pairs, Pairs]:
    """New and known contacts, each with the numbers to add; a contact that comes twice in the batch is one."""
    new: dict[int, tuple[Contact, list[str]]] = {}
    old: dict[int, tuple[Contact, list[str]]] = {}
    for wish in batch:
        keys = [(wish.name.casefold(), number) for number in wish.numbers]
        contact = next((known[key] for key in keys if key in known), None)
        if contact is None:
            contact = Contact(domain=domain, name=wish.name)
        contact.company, contact.email = wish.company or contact.company, wish.email or contact.email
        side = old if contact.pk else new
        side.setdefault(id(contact), (contact, []))[1].extend(wish.numbers)
        known.update(dict.fromkeys(keys, contact))
    return list(new.values()), list(old.values())


def _known(domain: Domain, batch: list[Wish]) -> dict[Key, Contact]:
    numbers = sorted({number for wish in batch for number in wish.numbers})
    rows = ContactNumber.objects.filter(domain=domain, number__in=numbers).select_related("contact")
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


def _batches(wishes: list[Wish]) -> Iterator[list[Wish]]:
    for start in range(0, len(wishes), BATCH):
        yield wishes[start : start + BATCH]
