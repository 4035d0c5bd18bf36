"""Contacts, read and written as the page of contacts does it."""

from datetime import datetime
from typing import Annotated

import msgspec
from django.http import Http404

from wallboard.api import paging, scopes
from wallboard.api.endpoints import Asked, Count, Cursor, Endpoint
from wallboard.api.problems import Problem
from wallboard.contacts import address_book, listing, search
from wallboard.contacts.address_book import ContactInput, FromBook, InvalidInput
from wallboard.contacts.listing import ListedContact
from wallboard.contacts.models import Contact

Word = Annotated[str, msgspec.Meta(max_length=100, pattern="^[^\\x00]*$")]
Name = Annotated[str, msgspec.Meta(max_length=address_book.LONGEST_NAME)]
Address = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class ContactQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which contacts. `q` finds by the beginnings of words or by a number: one page, of 100 at most."""

    q: Word = ""
    limit: Count = 50
    cursor: Cursor = ""


class ContactRow(msgspec.Struct, frozen=True):
    """A contact; numbers in E.164, or an extension or SIP address. One from an address book is changed there only."""

    id: int
    name: str
    company: str
    email: str
    numbers: list[str]
    changed_at: datetime
    is_from_book: bool


class ContactPage(msgspec.Struct, frozen=True):
    """Contacts by name; `is_cut` where a search found more than are told."""

    items: list[ContactRow]
    next: str | None
    is_cut: bool


class ContactBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A contact as it is to be; numbers in any writing. A name or a company is needed, and a number."""

    numbers: Annotated[list[Address], msgspec.Meta(min_length=1, max_length=address_book.MOST_NUMBERS)]
    name: Name = ""
    company: Name = ""
    email: Annotated[str, msgspec.Meta(max_length=address_book.LONGEST_EMAIL)] = ""


def contacts(asked: Asked) -> ContactPage:
    """The contacts of the company, or those that are looked for."""
    query: ContactQuery = asked.query
    words = query.q.strip()
    asked.audit_look("contacts searched" if words else "contacts read", words)
    if words:
        found = search.search(asked.domain, words)
        first, has_more = paging.cut(found.contacts, query.limit)
        return ContactPage([_row(each) for each in first], None, found.is_cut or has_more)
    rows = Contact.objects.filter(domain=asked.domain).order_by("name", "pk")
    if place := paging.decode(query.cursor, paging.ByName):
        rows = rows.filter(paging.after("name", place.name, place.id))
    page, has_more = paging.cut(listing.read(rows[: query.limit + 1]), query.limit)
    following = paging.encode(paging.ByName(page[-1].name, page[-1].pk)) if has_more else None
    return ContactPage([_row(each) for each in page], following, False)


def contact(asked: Asked) -> ContactRow:
    """One contact."""
    found = _of(asked)
    asked.audit_look("contact looked at", str(found))
    return _row(_listed(found))


def add(asked: Asked) -> ContactRow:
    """A new contact."""
    return _saved(asked, None)


def change(asked: Asked) -> ContactRow:
    """Make a contact equal to the body."""
    return _saved(asked, _of(asked))


def remove(asked: Asked) -> None:
    """Forget a contact; what was noted about calls stays with the calls."""
    try:
        address_book.remove(_of(asked))
    except FromBook as error:
        raise Problem(409, str(error)) from None


def _saved(asked: Asked, stored: Contact | None) -> ContactRow:
    body: ContactBody = asked.body
    entry = ContactInput(body.name, body.company, body.email, tuple(body.numbers))
    try:
        return _row(_listed(address_book.save(asked.domain, entry, stored)))
    except FromBook as error:
        raise Problem(409, str(error)) from None
    except InvalidInput as error:
        raise Problem(422, str(error)) from None


def _of(asked: Asked) -> Contact:
    row_id = int(asked.path["id"])
    found = Contact.objects.filter(domain=asked.domain, pk=row_id).first() if row_id <= paging.LARGEST_ID else None
    if found is None:
        raise Http404
    return found


def _listed(contact: Contact) -> ListedContact:
    return listing.read(Contact.objects.filter(pk=contact.pk))[0]


def _row(each: ListedContact) -> ContactRow:
    is_from_book = each.book_id is not None
    return ContactRow(each.pk, each.name, each.company, each.email, each.numbers, each.changed_at, is_from_book)


ENDPOINTS = (
    Endpoint("contacts", "contacts", scopes.CONTACTS, "Contacts by name", contacts, ContactPage, query=ContactQuery),
    Endpoint(
        "contacts",
        "contacts",
        scopes.WRITE_CONTACTS,
        "Add a contact",
        add,
        ContactRow,
        method="POST",
        body=ContactBody,
        status=201,
    ),
    Endpoint("contact", "contacts/{id}", scopes.CONTACTS, "One contact", contact, ContactRow, errors=(404,)),
    Endpoint(
        "contact",
        "contacts/{id}",
        scopes.WRITE_CONTACTS,
        "Replace a contact",
        change,
        ContactRow,
        method="PUT",
        body=ContactBody,
        errors=(404, 409),
    ),
    Endpoint(
        "contact",
        "contacts/{id}",
        scopes.WRITE_CONTACTS,
        "Remove a contact",
        remove,
        None,
        method="DELETE",
        status=204,
        errors=(404, 409),
    ),
)
