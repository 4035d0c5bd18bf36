"""Contacts as lists show them, with their numbers: read in two statements, and no rows of Django.

A hundred contacts with their numbers prefetched are thousands of objects that refer to each other in circles, which
cost more to make and to throw away than it takes to find them.
"""

from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import QuerySet

from wallboard.contacts.models import Contact, ContactNumber

FIELDS = ("pk", "name", "company", "email", "changed_at", "book")


@dataclass(frozen=True, slots=True)
class ListedContact:
    """A contact to be shown; `numbers` in the order in which they were added, `book_id` where it is one of a book."""

    pk: int
    name: str
    company: str
    email: str
    changed_at: datetime
    book_id: int | None
    numbers: list[str] = field(default_factory=list)


def read(contacts: QuerySet[Contact]) -> list[ListedContact]:
    """These contacts in their order."""
    people = [ListedContact(*row) for row in contacts.values_list(*FIELDS)]
    by_pk = {each.pk: each for each in people}
    rows = ContactNumber.objects.filter(contact__in=by_pk).order_by("pk").values_list("contact", "number")
    for contact_id, number in rows:
        by_pk[contact_id].numbers.append(number)
    return people
