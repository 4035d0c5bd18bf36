"""Where a number belongs, in words."""

import pytest
from django.utils import translation

from wallboard.calls.places import place


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
