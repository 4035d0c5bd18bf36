"""Reading the CSV files that other programs write: their encodings, separators and column names."""

import csv
import re
from collections.abc import Iterator
from functools import cache
from io import StringIO

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext_lazy as _

# As much as body_limits lets through for files of contacts.
LARGEST_BYTES = 25_000_000
MOST_COLUMNS = 60
ROLES = {
    "": _("leave out"),
    "name": _("Name"),
    "first": _("First name"),
    "last": _("Last name"),
    "company": _("Company"),
    "email": _("E-mail"),
    "number": _("Number"),
}
NUMBERED = _("Number %(n)d")  # as our own sheet of contacts names its columns of numbers
COLUMN_NAMES = {  # what other programs call these columns, in several languages
    "first": ("first name", "firstname", "given name", "vorname", "prénom", "nombre"),
    "last": ("last name", "lastname", "surname", "family name", "nachname", "nom", "apellido"),
    "company": ("company", "organization", "organisation", "firma", "société", "empresa"),
    "email": ("e-mail", "email", "mail"),
    "number": (
        "number",
        "phone",
        "mobil",
        "móvil",
        "cell",
        "telephone",
        "telefon",
        "téléphone",
        "tel",
        "handy",
        "rufnummer",
        "sip",
        "extension",
    ),
    "name": ("name", "contact", "display name", "full name", "kontakt"),
}
SHORT_NAMES = ("tel", "sip", "cell")  # they stand within other words, too: hotel, gossip, excellent
NOT_NUMBERS = ("type", "typ", "label")  # columns beside the numbers that say what sort of number it is


class Unreadable(Exception):
    """The file is no table of text."""


def decode(content: bytes) -> str:
    """The file as text: UTF-8, UTF-16 with its mark, else cp1252. Raises Unreadable."""
    # cp1252 last, since nearly any bytes can be read as that; spreadsheets write it without saying so.
    encodings = ("utf-16",) if content[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        # A NUL means UTF-16 without its mark, or no text at all.
        if "\0" not in text and text.strip():
            return text
    raise Unreadable


def detect_delimiter(text: str) -> str:
    """The separator that stands most often in the first line."""
    # The first line holds the names of the columns as a rule, and hardly ever a separator inside a cell.
    first = text.lstrip().split("\n", 1)[0]
    return max((",", ";", "\t", "|"), key=first.count)


def rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The lines that hold anything, each with the number of the line where it ends. Raises Unreadable."""
    # Without newline='' a line break inside a quoted cell would be changed.
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, [unescape(cell) for cell in row[:MOST_COLUMNS]]
    except csv.Error as error:
        raise Unreadable from error


def unescape(cell: str) -> str:
    """A cell without the apostrophe that our own exports put before what a spreadsheet would calculate."""
    text = cell.strip()
    return text[1:] if text.startswith("'") and text[1:2] in ("=", "+", "-", "@", "|", "%") else text


def guess_columns(header: list[str]) -> list[str]:
    """What each column seems to hold, by its name; "" where the name says nothing."""
    found = [_role(title.lower()) for title in header]
    # Beside “last name” a column “name” is mostly both of them once more.
    return ["" if role == "name" and "last" in found else role for role in found]


def _is_called(title: str, word: str, role: str) -> bool:
    begins = title.startswith((f"{word} ", f"{word}_"))
    # A "company main phone" is no company, an "organization 1 - name" is one.
    return title == word or (begins and (role != "company" or title.endswith("name")))


def _role(title: str) -> str:
    if any(word in title.split() for word in NOT_NUMBERS):
        return ""
    for role, names in COLUMN_NAMES.items():
        if any(_is_called(title, word, role) for word in names):
            return role
    if role := next((role for name, role in own_names().items() if _is_called(title, name, role)), ""):
        return role
    return next((role for role in ("email", "number") if any(_has(title, word) for word in COLUMN_NAMES[role])), "")


def _has(title: str, word: str) -> bool:
    if word in SHORT_NAMES:
        return re.search(rf"\b{word}", title) is not None
    return word in title


@cache
def own_names() -> dict[str, str]:
    """What our own sheet of contacts calls its columns, in every language it can be in, and their roles."""
    names: dict[str, str] = {}
    for code, _language in settings.LANGUAGES:
        with translation.override(code):
            names |= {str(ROLES[role]).lower(): role for role in ("name", "company", "email")}
            names[str(NUMBERED).replace("%(n)d", "").strip().lower()] = "number"
    return names
