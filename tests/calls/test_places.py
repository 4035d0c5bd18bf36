"""Where a number belongs, in words."""

import re
import subprocess
import sys

import pytest
from django.utils import translation

from wallboard.calls.area_codes import CODE, FOLDER, LONGEST_CODE
from wallboard.calls.places import place
from wallboard.demo.processes import BASE_DIR


@pytest.mark.parametrize(
    ("number", "country", "told"),
    [
        ("+4930901820", "DE", "Berlin"),
        ("+442071838750", "DE", "London, United Kingdom"),
        ("+491711234567", "DE", "Mobile"),
        ("+436641234567", "DE", "Mobile, Austria"),
        ("+14165550123", "US", "Ontario, Canada"),
        ("+49800123456", "DE", ""),
        ("+80012345678", "DE", ""),
        ("", "DE", ""),
    ],
)
def test_a_number_has_a_place(number: str, country: str, told: str) -> None:
    assert place(number, country) == told


def test_the_place_is_told_in_the_readers_language() -> None:
    with translation.override("de"):
        assert place("+4989240118", "DE") == "München"
        assert place("+33142685300", "DE") == "Paris, Frankreich"


def test_codes_of_the_pieces_follow_each_other() -> None:
    codes = sorted(CODE.findall(path.read_text()) for path in FOLDER.glob("data*.py"))
    ends = [code for found in codes for code in (min(found), max(found))]

    assert ends == sorted(ends)
    assert len(codes) > 20


def test_the_longest_code_is_as_long_as_the_tables() -> None:
    said = re.search(r"^GEOCODE_LONGEST_PREFIX = (\d+)", (FOLDER / "__init__.py").read_text(), re.MULTILINE)

    assert said
    assert int(said[1]) == LONGEST_CODE


def test_places_are_those_of_the_whole_table() -> None:
    """Every country's example numbers, in three languages, beside libphonenumber's own geocoder."""
    code = """
from phonenumbers import PhoneNumberType as kinds, SUPPORTED_REGIONS, example_number_for_type, geocoder
from wallboard.calls import area_codes
number_types = (kinds.FIXED_LINE, kinds.MOBILE, kinds.TOLL_FREE)
numbers = [example_number_for_type(region, kind) for region in SUPPORTED_REGIONS for kind in number_types]
for number in filter(None, numbers):
    for language in ("en", "de", "ja"):
        ours, theirs = area_codes.town(number, language), geocoder.description_for_number(number, language)
        if ours != theirs:
            print(number, language, ours, theirs)
print(len(numbers))
"""
    told = subprocess.run([sys.executable, "-c", code], cwd=BASE_DIR, capture_output=True, text=True, check=True)

    different = told.stdout.splitlines()[:-1]
    assert different == []
    assert int(told.stdout.splitlines()[-1]) > 600


def test_only_the_pieces_that_a_number_needs_are_loaded() -> None:
    code = """
import sys, phonenumbers
from wallboard.calls import area_codes
number = phonenumbers.parse("+4930901820")
print(area_codes.town(number, "en"), area_codes.country(number, "en"))
print(area_codes._table.cache_info().currsize, "phonenumbers.geodata" in sys.modules)
"""
    told = subprocess.run([sys.executable, "-c", code], cwd=BASE_DIR, capture_output=True, text=True, check=True)

    assert told.stdout.split("\n")[:2] == ["Berlin Germany", "2 False"]
