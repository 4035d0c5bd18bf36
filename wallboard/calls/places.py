"""Where a phone number belongs: the place of its area code and its country, in the reader's language."""

from functools import lru_cache
from threading import Thread

import phonenumbers
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from phonenumbers import PhoneNumberType

from accounts.languages.lists import listed
from wallboard.calls import area_codes


def place(e164: str, country: str) -> str:
    """ "Berlin" at home, "London, United Kingdom" abroad, "Mobile" for a mobile number; "" where nothing tells."""
    return _place(e164, country, (get_language() or "en").split("-")[0])


def warm() -> None:
    """Load what tells places beside whatever goes on, so that the first card need not wait for it."""
    Thread(target=area_codes.countries, daemon=True).start()


@lru_cache(maxsize=4096)
def _place(e164: str, country: str, language: str) -> str:
    try:
        number = phonenumbers.parse(e164)
    except phonenumbers.NumberParseException:
        return ""
    land = area_codes.country(number, language)
    town = area_codes.town(number, language)
    # Where a mobile number was issued says nothing about where its caller is.
    if phonenumbers.number_type(number) == PhoneNumberType.MOBILE:
        town = _("Mobile")
    is_home = phonenumbers.region_code_for_number(number) == country
    named = dict.fromkeys((town, land))
    # One's own country is no news, nor is a town that is called like its country.
    return listed(part for part in named if not (is_home and part == land))
