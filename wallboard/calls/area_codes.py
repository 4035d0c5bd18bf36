"""The table of area codes, piece by piece: whole it takes 100 MB of every process that makes cards.

phonenumbers keeps it in files whose codes follow each other in order, and its own geocoder loads all of them at once.
Here only the file that a number needs is run, outside the package, so that the package itself is never imported.
"""

import re
from bisect import bisect_right
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import phonenumbers
from phonenumbers import PhoneNumber, PhoneNumberType

FOLDER = Path(phonenumbers.__file__).parent / "geodata"
CODE = re.compile(r"^ '(\d+)':", re.MULTILINE)
LONGEST_CODE = 9  # digits, of the country's code and the area's; a test compares it with the table
HEAD = 4000  # characters of a file among which its first code stands
# Their readers are better served by a shorter code in their own language than by English [libphonenumber].
NO_ENGLISH = ("zh", "ja", "ko")
Names = dict[str, str]  # by language


def town(number: PhoneNumber, language: str) -> str:
    """The place of the number's area code in the language, else in English; where none is known, its country.

    As libphonenumber's geocoder says it; "" for a number that cannot exist.
    """
    kind = phonenumbers.number_type(number)
    if kind == PhoneNumberType.UNKNOWN:
        return ""
    if not phonenumbers.is_number_type_geographical(kind, _country_code(number)):
        return country(number, language)
    return _area(_digits(number), language) or country(number, language)


def country(number: PhoneNumber, language: str) -> str:
    """The number's country in the language; "" where it may belong to several, or has no name in that language."""
    regions = list(phonenumbers.region_codes_for_country_code(_country_code(number)))
    if len(regions) > 1:
        regions = [region for region in regions if phonenumbers.is_valid_number_for_region(number, region)]
    return country_name(regions[0], language) if len(regions) == 1 else ""


def country_name(code: str, language: str) -> str:
    """What a country, by its two letters, is called in the language; "" where it has no name in it."""
    names = countries().get(code, {})
    name = names.get(language, "")
    return names.get(name[1:], "") if name.startswith("*") else name  # "*es": written as in Spanish


@cache
def countries() -> dict[str, Names]:
    """Names of the countries by their two letters, by language."""
    names: dict[str, Names] = _table("locale", "LOCALE_DATA")
    return names


def _country_code(number: PhoneNumber) -> int:
    return number.country_code or 0


def _digits(number: PhoneNumber) -> str:
    national = phonenumbers.national_significant_number(number)
    # Mobile numbers of some countries, Argentina's for one, have a digit of their own before the area code.
    return f"{number.country_code}{national.removeprefix(phonenumbers.country_mobile_token(_country_code(number)))}"


def _area(digits: str, language: str) -> str:
    # The longest code wins: a town's code begins with that of its region.
    for length in range(LONGEST_CODE, 0, -1):
        names = _piece(digits[:length]).get(digits[:length], {})
        name = names.get(language) or ("" if language in NO_ENGLISH else names.get("en", ""))
        if name:
            return name
    return ""


def _piece(code: str) -> dict[str, Names]:
    # The file is found by the last first code that is not greater; “~” sorts behind any file's name.
    firsts = _first_codes()
    at = bisect_right(firsts, (code, "~")) - 1
    names: dict[str, Names] = _table(firsts[at][1], "data") if at >= 0 else {}
    return names


@cache
def _first_codes() -> list[tuple[str, str]]:
    """The first code of each file of the table, and the file's name, in order."""
    return sorted((_first_code(path), path.stem) for path in FOLDER.glob("data*.py"))


def _first_code(path: Path) -> str:
    with path.open() as piece:
        found = CODE.search(piece.read(HEAD))
    return found[1] if found else ""


@cache
def _table(file: str, name: str) -> Any:
    # Not put into sys.modules: others who import phonenumbers.geodata get the real package.
    spec = spec_from_file_location(f"phonenumbers.geodata.{file}", FOLDER / f"{file}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)
