"""Where a phone number belongs: the place of its area code and its country, in the reader's language."""

from functools import cache, lru_cache
from threading import Thread
from types import ModuleType

import phonenumbers
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from phonenumbers import PhoneNumberType


def place(e164: str, country: str) -> str:
    """ "Berlin" at home, "London, United Kingdom" abroad, "Mobile" for a mobile number; "" where nothing tells."""
    return _place(e164, country, (get_language() or "en").split("-")[0])


def warm() -> None:
    """Load the table of places beside whatever goes on, so that the first card need not wait for it."""
    Thread(target=_geocoder, daemon=True).start()


@cache
def _geocoder() -> ModuleType:
    """The table of all area codes takes 100 MB and half a second: only processes that make cards load it."""
    from phonenumbers import geocoder

    return geocoder


@lru_cache(maxsize=4096)
def _place(e164: str, country: str, language: str) -> str:
    try:
        number = phonenumbers.parse(e164)
    except phonenumbers.NumberParseException:
        return ""
    land: str = _geocoder().country_name_for_number(number, language)
    town: str = _geocoder().description_for_number(number, language)
    if phonenumbers.number_type(number) == PhoneNumberType.MOBILE:
        town = _("Mobile")
    is_home = phonenumbers.region_code_for_number(number) == country
    named = dict.fromkeys((town, land))
    return ", ".join(part for part in named if part and not (is_home and part == land))
