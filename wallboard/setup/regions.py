"""A company's time zone and country, as the wizard asks for them and Connection shows them."""

import unicodedata
from functools import cache
from typing import Any

from django.utils.translation import get_language
from phonenumbers import SUPPORTED_REGIONS

from accounts.models import Domain
from wallboard.boards import time_zones
from wallboard.calls import area_codes

FIELDS = ("time_zone", "country")


def values(domain: Domain) -> dict[str, Any]:
    """What is stored."""
    return {name: getattr(domain, name) for name in FIELDS}


def is_chosen(domain: Domain) -> bool:
    """Whether anybody has set either: a company begins with the two that the table has for none."""
    return values(domain) != values(Domain())


def country_choices() -> list[tuple[str, str]]:
    """The countries whose numbers can be read, by their names in the language of the page."""
    language = (get_language() or "en").split("-")[0]
    name = area_codes.country_name
    named = [(code, name(code, language) or name(code, "en") or code) for code in SUPPORTED_REGIONS]
    return sorted(named, key=lambda each: _plain(each[1]))


@cache
def by_browser() -> dict[str, tuple[str, str]]:
    """The zone on offer and the country ("" for none) for each name that a browser may have for its own zone."""
    lands = time_zones.countries()
    zones = {**{zone: zone for zone in time_zones.names()}, **time_zones.former_names()}
    known = {name: lands.get(zone, "") for name, zone in zones.items()}
    return {name: (zones[name], land if land in SUPPORTED_REGIONS else "") for name, land in known.items()}


def _plain(name: str) -> str:
    """Its letters without accents: Österreich stands among the names with an O."""
    return "".join(char for char in unicodedata.normalize("NFKD", name) if not unicodedata.combining(char)).casefold()
