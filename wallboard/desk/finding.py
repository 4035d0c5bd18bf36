"""Contacts found by the beginnings of words, by number or by e-mail address, quickly among a million.

Every word of a contact stands in one index, without accents and capitals; its numbers too, as people begin them.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

import phonenumbers
from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import Domain
from wallboard.calls.log import SHORTEST_SEARCHED_NUMBER
from wallboard.desk import addresses
from wallboard.desk.models import Contact, ContactNumber, ContactWord

MOST_FOUND = 100  # more would be a list nobody reads; another letter is quicker
PER_PAGE = 50
MOST_WORDS = 40
LONGEST_WORD = 40
COLUMNS = "desk_contactword (domain_id, contact_id, word)"


@dataclass(frozen=True)
class Found:
    """Contacts by name; `is_cut` where there are more than are told."""

    contacts: list[Contact]
    is_cut: bool


def words_of(text: str) -> list[str]:
    """The words of a text as they are compared: small letters without accents, in their order."""
    plain = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return [word[:LONGEST_WORD] for word in re.findall(r"\w+", plain.casefold())]


def keep(domain_id: int, contacts: Iterable[tuple[Contact, Iterable[str]]], *, are_new: bool = False) -> None:
    """Make these contacts findable by what they are called now and by these numbers. To be called in a transaction."""
    listed = list(contacts)
    if not are_new:
        ContactWord.objects.filter(contact__in=[contact.pk for contact, _numbers in listed]).delete()
    _insert([(domain_id, contact.pk, word) for contact, numbers in listed for word in words_for(contact, numbers)])


def _insert(rows: list[tuple[int, int, str]]) -> None:
    """Add these rows, past the model: an import makes more of them than of all else, and they are the whole of it."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {COLUMNS} FROM STDIN") as copy:  # a word has no character that COPY would read
                copy.write("".join(f"{domain}\t{contact}\t{word}\n" for domain, contact, word in rows))
        else:
            cursor.executemany(f"INSERT INTO {COLUMNS} VALUES (%s, %s, %s)", rows)  # noqa: S608  (names of ours)


def search(domain: Domain, text: str) -> Found:
    """Contacts in which every word of the text begins some word of theirs, or with the number that is meant."""
    ids = _by_address(domain, text) or _by_digits(domain, _digits(text)) or by_words(domain, words_of(text))
    people = Contact.objects.filter(domain=domain, pk__in=ids[:MOST_FOUND]).prefetch_related("numbers")
    return Found(sorted(people, key=lambda contact: (contact.name.casefold(), contact.pk)), len(ids) > MOST_FOUND)


def listed(domain: Domain, page: int) -> Found:
    """One page of everybody, by name; pages count from 1."""
    start = (page - 1) * PER_PAGE
    everybody = Contact.objects.filter(domain=domain).prefetch_related("numbers").order_by("name", "pk")
    people = list(everybody[start : start + PER_PAGE + 1])
    return Found(people[:PER_PAGE], len(people) > PER_PAGE)


def by_words(domain: Domain, words: list[str]) -> list[int]:
    """Contacts in which each of these words begins one of theirs, by id; up to one more than are told."""
    if not words:
        return []
    longest, *others = sorted(dict.fromkeys(words), key=len, reverse=True)
    rows = ContactWord.objects.filter(domain=domain, word__startswith=longest)
    for word in others[:MOST_WORDS]:
        rows = rows.filter(Exists(ContactWord.objects.filter(contact=OuterRef("contact"), word__startswith=word)))
    return _distinct(rows.order_by("word", "contact"))


def _by_address(domain: Domain, text: str) -> list[int]:
    address = addresses.normal(text, domain.country)
    rows = ContactNumber.objects.filter(domain=domain, number=address).order_by("contact")
    return list(rows.values_list("contact", flat=True)[: MOST_FOUND + 1]) if address else []


def _by_digits(domain: Domain, digits: str) -> list[int]:
    if not digits:
        return []
    begun = ContactWord.objects.filter(domain=domain, word__startswith=digits).order_by("word", "contact")
    inside = ContactNumber.objects.filter(domain=domain, number__contains=digits).order_by("contact")
    return _distinct(begun) or list(dict.fromkeys(inside.values_list("contact", flat=True)[: MOST_FOUND + 1]))


def _distinct(rows: QuerySet[ContactWord]) -> list[int]:
    """The contacts of the first rows; one that has two such words is there once."""
    found = rows.values_list("contact", flat=True)[: 3 * MOST_FOUND]
    return list(dict.fromkeys(found))[: MOST_FOUND + 1]


def _digits(text: str) -> str:
    """The digits of what seems to be a part of a number, without the zeros that only say how to dial; else ""."""
    digits = "".join(filter(str.isdecimal, text))
    is_number = len(digits) >= SHORTEST_SEARCHED_NUMBER and not any(map(str.isalpha, text))
    return digits.lstrip("0") if is_number else ""


def words_for(contact: Contact, numbers: Iterable[str]) -> list[str]:
    """Every word by which a contact with these numbers is found, each once."""
    named = [word for text in (contact.name, contact.company, contact.email) for word in words_of(text)]
    reached = [word for number in numbers for word in _ways_to_begin(number)]
    return list(dict.fromkeys([*named, *reached]))[:MOST_WORDS]


def _ways_to_begin(number: str) -> list[str]:
    """How somebody may begin to type an address: with the country's code, without it, or as it is."""
    if not number.startswith("+"):
        return words_of(number)
    digits, code = number[1:], _country_code(number)
    return [digits, digits[len(code) :]] if code else [digits]


def _country_code(number: str) -> str:
    """The digits that stand for the country in an E.164 number; none of these codes begins another (ITU-T E.164)."""
    known = phonenumbers.COUNTRY_CODE_TO_REGION_CODE
    return next((number[1:end] for end in (2, 3, 4) if number[1:end].isdecimal() and int(number[1:end]) in known), "")
