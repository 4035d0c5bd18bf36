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

from accounts.languages.digits import ascii_digits
from accounts.models import Domain
from wallboard.calls.log.search import SHORTEST_SEARCHED_NUMBER
from wallboard.contacts import caller_ids, listing
from wallboard.contacts.listing import ListedContact
from wallboard.contacts.models import Contact, ContactNumber, ContactWord

MOST_FOUND = 100  # more would be a list nobody reads; another letter is quicker
USUALLY_ENOUGH = MOST_FOUND + 20  # rows of words for so many contacts
PER_PAGE = 50
# A contact with more has a text in its name.
MOST_WORDS = 40
MOST_COUNTED = 4  # words of a search of which it is asked how rare they are
MANY = 10_000  # contacts of a word of which nobody counts on: of a million, one in a hundred
LONGEST_WORD = 40
INDEX_COLUMNS = "desk_contactword (domain_id, contact_id, word)"


@dataclass(frozen=True)
class SearchResult:
    """Contacts by name; `is_cut` where there are more than are told."""

    contacts: list[ListedContact]
    is_cut: bool


def split_words(text: str) -> list[str]:
    """The words of a text as they are compared: small letters without accents, in their order."""
    plain = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return [word[:LONGEST_WORD] for word in re.findall(r"\w+", plain.casefold())]


def index(domain_id: int, contacts: Iterable[tuple[Contact, Iterable[str]]], *, are_new: bool = False) -> None:
    """Make these contacts findable by what they are called now and by these numbers. To be called in a transaction."""
    listed = list(contacts)
    if not are_new:
        ContactWord.objects.filter(contact__in=[contact.pk for contact, _numbers in listed]).delete()
    _insert([(domain_id, contact.pk, word) for contact, numbers in listed for word in index_words(contact, numbers)])


def _insert(rows: list[tuple[int, int, str]]) -> None:
    """Add these rows, past the model: an import makes more of them than of all else, and they are the whole of it."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # A word has no character that COPY would read.
            with cursor.copy(f"COPY {INDEX_COLUMNS} FROM STDIN") as copy:
                copy.write("".join(f"{domain}\t{contact}\t{word}\n" for domain, contact, word in rows))
        else:
            cursor.executemany(f"INSERT INTO {INDEX_COLUMNS} VALUES (%s, %s, %s)", rows)  # noqa: S608  (names of ours)


def search(domain: Domain, text: str) -> SearchResult:
    """Contacts in which every word of the text begins some word of theirs, or with the number that is meant."""
    # The most exact reading of the text that finds anybody.
    ids = _by_address(domain, text) or _by_digits(domain, _digits(text)) or by_words(domain, split_words(text))
    people = listing.read(Contact.objects.filter(domain=domain, pk__in=ids[:MOST_FOUND]))
    return SearchResult(
        sorted(people, key=lambda contact: (contact.name.casefold(), contact.pk)), len(ids) > MOST_FOUND
    )


def page(domain: Domain, page: int) -> SearchResult:
    """One page of everybody, by name; pages count from 1."""
    start = (page - 1) * PER_PAGE
    everybody = Contact.objects.filter(domain=domain).order_by("name", "pk")
    people = listing.read(everybody[start : start + PER_PAGE + 1])
    return SearchResult(people[:PER_PAGE], len(people) > PER_PAGE)


def by_words(domain: Domain, words: list[str]) -> list[int]:
    """Contacts in which each of these words begins one of theirs, by id; up to one more than are told."""
    if not words:
        return []
    rarest, *others = _rarest_first(domain, words)
    rows = ContactWord.objects.filter(domain=domain, word__startswith=rarest)
    for word in others[:MOST_WORDS]:
        rows = rows.filter(Exists(ContactWord.objects.filter(contact=OuterRef("contact"), word__startswith=word)))
    return _distinct(rows.order_by("word", "contact"))


def _rarest_first(domain: Domain, words: list[str]) -> list[str]:
    """Each of these words once, first the one that the fewest contacts have: the index is entered there."""
    # The longest is the rarest as a rule, but half of all contacts may be called GmbH.
    longest_first = sorted(dict.fromkeys(words), key=len, reverse=True)
    if len(longest_first) < 2:
        return longest_first
    known = ContactWord.objects.filter(domain=domain)
    counts = {word: known.filter(word__startswith=word)[:MANY].count() for word in longest_first[:MOST_COUNTED]}
    return sorted(longest_first, key=lambda word: counts.get(word, MANY))


def _by_address(domain: Domain, text: str) -> list[int]:
    address = caller_ids.normalize(text, domain.country)
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
    found = rows.values_list("contact", flat=True)
    # Where two words are meant each further row costs many looks, and few contacts have two that begin alike.
    first = list(found[:USUALLY_ENOUGH])
    ids = dict.fromkeys(first)
    if len(first) == USUALLY_ENOUGH and len(ids) <= MOST_FOUND:
        # Three times as many are nearly always enough, and a bound.
        ids = dict.fromkeys(found[: 3 * MOST_FOUND])
    return list(ids)[: MOST_FOUND + 1]


def _digits(text: str) -> str:
    """The digits of what seems to be a part of a number, without the zeros that only say how to dial; else ""."""
    digits = "".join(filter(str.isdecimal, ascii_digits(text)))
    is_number = len(digits) >= SHORTEST_SEARCHED_NUMBER and not any(map(str.isalpha, text))
    # 0170 here and +49 170 there: stored numbers have no such zeros.
    return digits.lstrip("0") if is_number else ""


def index_words(contact: Contact, numbers: Iterable[str]) -> list[str]:
    """Every word by which a contact with these numbers is found, each once."""
    named = [word for text in (contact.name, contact.company, contact.email) for word in split_words(text)]
    reached = [word for number in numbers for word in _ways_to_begin(number)]
    # Names first, should there be too many.
    return list(dict.fromkeys([*named, *reached]))[:MOST_WORDS]


def _ways_to_begin(number: str) -> list[str]:
    """How somebody may begin to type an address: with the country's code, without it, or as it is."""
    if not (number.startswith("+") and number[1:].isdecimal()):
        return split_words(number)
    digits, code = number[1:], _country_code(number)
    return [digits, digits[len(code) :]] if code else [digits]


def _country_code(number: str) -> str:
    """The digits that stand for the country in an E.164 number; none of these codes begins another (ITU-T E.164)."""
    known = phonenumbers.COUNTRY_CODE_TO_REGION_CODE
    return next((number[1:end] for end in (2, 3, 4) if number[1:end].isdecimal() and int(number[1:end]) in known), "")
