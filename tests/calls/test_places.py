"""Where a number belongs, in words."""

import subprocess
import sys

import pytest
from django.utils import translation

from wallboard.calls.areas import CODE, FOLDER
from wallboard.calls.places import place
from wallboard.processes import BASE_DIR


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


def test_only_the_pieces_that_a_number_needs_are_loaded() -> None:
    code = """
import sys, phonenumbers
from wallboard.calls import areas
number = phonenumbers.parse("+4930901820")
print(areas.geocoder().description_for_number(number, "en"), areas.geocoder().country_name_for_number(number, "en"))
print(len([name for name in sys.modules if name.startswith(areas.PACKAGE + ".data")]))
"""
    told = subprocess.run([sys.executable, "-c", code], cwd=BASE_DIR, capture_output=True, text=True, check=True)

    assert told.stdout.split("\n")[:2] == ["Berlin Germany", "1"]
