"""Phone numbers as machines compare them, as people read them, and as strangers may see them."""

import re
from functools import lru_cache

import phonenumbers
from django.utils.translation import gettext as _
from phonenumbers import PhoneNumber, PhoneNumberFormat

from accounts.audit import MASK

# Networks have no common word for it; these are the ones that switches send.
WITHHELD = re.compile(r"anonymous|restricted|unavailable|unknown|private|withheld|blocked|null|none", re.IGNORECASE)
# Quotes, brackets and control characters have no place in an address that is shown and linked.
SIP = re.compile(r"[^\s@<>\"'\x00-\x1f\x7f]{1,100}@[^\s@<>\"'\x00-\x1f\x7f]{1,100}")
SHORTEST_NUMBER = 6  # digits; what is shorter is an extension or a short code and is shown as it came
REMOVED = "anon-"  # begins the mark that stands for a number which was forgotten (retention/anonymizing.py)
PREFIX_MAY_LACK = ("IN", "TR")  # where mobile numbers are written with a 0 first, and without
LONGEST_HINT = 2  # digits that a masked number still shows


# Every event of a call asks anew.
@lru_cache(maxsize=8192)
def e164(text: str, country: str) -> str:
    """The number as `+` and digits, read as dialled in `country` (two letters); "" for all that is no phone number."""
    number = _parsed(text, country)
    return "" if number is None else phonenumbers.format_number(number, PhoneNumberFormat.E164)


@lru_cache(maxsize=8192)
def with_plus(text: str, country: str) -> str:
    """A number that a provider sends as E.164 without its plus, with it; any other text as it came.

    Digits that are a number of `country` as well stay where its people write them so: in Italy, Brazil and North
    America, not where a 0 (or another digit) comes first.
    """
    if len(text) < SHORTEST_NUMBER or not text.isascii() or not text.isdigit() or text.startswith("0"):
        return text
    world, home = _parsed(f"+{text}", ""), _parsed(text, country)
    if world is None or not phonenumbers.is_valid_number(world):
        return text
    if home is None or home == world or not phonenumbers.is_valid_number(home):
        return f"+{text}"
    written = re.sub(r"\D", "", phonenumbers.format_number(home, PhoneNumberFormat.NATIONAL))
    return text if written == text or country in PREFIX_MAY_LACK else f"+{text}"


def shown(text: str, country: str) -> str:
    """The number as people of `country` write it; extensions and SIP addresses plainly; a word where it is withheld.

    The word is in the language of whoever asks, so only the number's own form is cached.
    """
    address = bare(text)
    if is_withheld(address):
        return _("withheld")
    if is_removed(address):
        return _("removed")
    return _formatted(address, country)


# Parsing is slow, and the same callers come again and again.
@lru_cache(maxsize=8192)
def _formatted(address: str, country: str) -> str:
    number = _parsed(address, country)
    if number is None:
        return address
    is_home = number.country_code == phonenumbers.country_code_for_region(country)
    form = PhoneNumberFormat.NATIONAL if is_home else PhoneNumberFormat.INTERNATIONAL
    return phonenumbers.format_number(number, form)


def masked(text: str) -> str:
    """What a stranger may see of a number: its last two digits, of anything else nothing."""
    address = bare(text)
    if is_withheld(address):
        return _("withheld")
    digits = re.sub(r"\D", "", address)
    # Two digits of an extension would be most of it, and of an address the name.
    if "@" in address or len(digits) < SHORTEST_NUMBER:
        return MASK
    return f"{MASK} ••{digits[-LONGEST_HINT:]}"


@lru_cache(maxsize=8192)
def is_withheld(text: str) -> bool:
    """Whether the text names nobody: empty, or a word that networks send instead of a number."""
    user = bare(text).split("@")[0]
    # The part before the @, as in anonymous@anonymous.invalid (RFC 3323).
    return not user or WITHHELD.fullmatch(user) is not None


def telling_name(name: str, number: str) -> str:
    """The name that came with a number; "" where it says nothing that the number does not."""
    word = bare(name).partition("@")[0]
    is_word_for_none = not name.strip() or WITHHELD.fullmatch(word) is not None
    return "" if is_word_for_none or _is_same_number(name, number) else name


def _is_same_number(name: str, number: str) -> bool:
    """Whether the name is only the number once more, however it is written."""
    # Many networks send the number as the name where they know none.
    if any(char.isalpha() for char in name):
        return False
    # One with the country's code and one without: the end of both is the same.
    named, sent = (text.lstrip("+0") for text in ("".join(filter(str.isdigit, one)) for one in (name, number)))
    return bool(named and sent) and (sent.endswith(named) or named.endswith(sent))


def is_removed(text: str) -> bool:
    """Whether the text stands for a number that was forgotten."""
    return text.removeprefix("+").startswith(REMOVED)


@lru_cache(maxsize=8192)
def bare(text: str) -> str:
    """An address without the scheme, parameters, brackets and display name of a SIP or tel address."""
    bracketed = re.fullmatch(r"[^<]*<([^<>]*)>.*", text.strip())
    bare = bracketed[1] if bracketed else text.strip().strip("<>")
    # A plus may be written so in a SIP address (RFC 3261 section 19.1.2).
    bare = re.sub("%2B", "+", bare, flags=re.IGNORECASE)
    return re.sub(r"^(sips?|tel):", "", bare, flags=re.IGNORECASE).split(";")[0].strip()


@lru_cache(maxsize=8192)
def _parsed(text: str, country: str) -> PhoneNumber | None:
    address = bare(text)
    user, _at, host = address.partition("@")
    # Of a SIP address only a user with a plus is surely a number; 201@… is an extension.
    dialled = user if host and user.startswith("+") else address
    # phonenumbers would read letters as the digits of a keypad.
    if len(re.sub(r"\D", "", dialled)) < SHORTEST_NUMBER or re.search(r"[^\d\s+()./*#-]", dialled):
        return None
    try:
        number = phonenumbers.parse(dialled, country or None)
    except phonenumbers.NumberParseException:
        return None
    # Possible, not valid: numbering plans change faster than the table of a release.
    return number if phonenumbers.is_possible_number(number) else None
