"""How a contact is reached, written the one way in which calls are compared with it."""

import re
import unicodedata

from accounts.languages.digits import ascii_digits
from wallboard.calls import numbers

# Down to two digits, and with the star codes that phones of a company dial.
EXTENSION = re.compile(r"[0-9*#]{2,8}")
LONGEST = 200
# What is dialled once the call is answered: "+1 555 123 4567 x12", "…,,12#"; calls come without it.
DIALLED_AFTER = re.compile(r"(?<=[\d)])\s*(?:[,;]+|x|ext\.?)\s*\d{1,10}#?", re.IGNORECASE)


def normalize(text: str, country: str) -> str:
    """A phone number as E.164 (read as dialled in `country`), an extension as its digits, a SIP address in small
    letters without its scheme; "" for all else."""
    # Before any parsing: a file or a form may hold anything.
    if len(text) > LONGEST or numbers.is_withheld(text):
        return ""
    text = _plain(text)
    if number := numbers.e164(text, country):
        return number
    bare = numbers.shown(text, country).lower()
    return bare if EXTENSION.fullmatch(bare) or numbers.SIP.fullmatch(bare) else ""


def _plain(text: str) -> str:
    """The text as it would be typed: without unseen marks, digits and hyphens plain, nothing dialled later."""
    seen = "".join(each for each in ascii_digits(text) if unicodedata.category(each) != "Cf")
    plain = "".join("-" if unicodedata.category(each) == "Pd" else each for each in seen).strip()
    after = DIALLED_AFTER.search(plain)
    return plain[: after.start()] if after and after.end() == len(plain) else plain


def shown(address: str, country: str) -> str:
    """An address as people of `country` read it."""
    return numbers.shown(address, country)
