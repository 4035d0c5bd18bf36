"""Dates as each language writes them: the formats of Django's date filter that pages use, by language."""

from datetime import date
from types import MappingProxyType

from django.utils.formats import date_format
from django.utils.translation import get_language

GERMAN = {"j M": "j. N", "j M Y": "j. N Y", "j F": "j. F", "j F Y": "j. F Y", "D j M": "D, j. N", "j": "j."}
GERMAN |= {"l j F": "l, j. F", "l j F Y": "l, j. F Y"}
SPANISH = {"j F": r"j \d\e F", "j F Y": r"j \d\e F \d\e Y", "D j M": "D, j M"}
SPANISH |= {"l j F": r"l, j \d\e F", "l j F Y": r"l, j \d\e F \d\e Y"}
FRENCH = DUTCH = {"j M": "j N", "j M Y": "j N Y", "D j M": "D j N"}
ARABIC = {"D j M": "D، j M", "l j F": "l، j F", "l j F Y": "l، j F Y"}
# What stands in none is written as in English.
FORMATS = MappingProxyType({"de": GERMAN, "es": SPANISH, "fr": FRENCH, "nl": DUTCH, "ar": ARABIC})
SMALL = ("es",)  # months begin with a small letter, where Django has a large one


def format_of(english: str) -> str:
    """The format in the reader's language that stands for this one of English."""
    return FORMATS.get((get_language() or "").split("-")[0], {}).get(english, english)


def written(moment: date, english: str) -> str:
    """A date in the reader's language, by the format that English has for it; a moment in its own zone."""
    text = date_format(moment, format_of(english))
    return text.lower() if (get_language() or "").split("-")[0] in SMALL else text
