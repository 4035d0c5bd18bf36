"""Numbers for machines, for people and for strangers."""

import pytest

from wallboard.calls import numbers


@pytest.mark.parametrize(
    ("text", "country", "e164"),
    [
        ("+15552345678", "US", "+15552345678"),
        ("(555) 234-5678", "US", "+15552345678"),
        ("030 901820", "DE", "+4930901820"),
        ("sip:+4930901820@pbx.example.org;user=phone", "US", "+4930901820"),
        ("<sip:ana@pbx.example.org>", "US", ""),
        ('"Hans <Ltd>" <sip:+4930901820@pbx.example.org>', "US", ""),
        ('"Hans" <sip:+4930901820@pbx.example.org>;tag=1', "US", "+4930901820"),
        ("sips:%2B4930901820@pbx.example.org", "US", "+4930901820"),
        ("sip:123456789@pbx.example.org", "US", ""),
        ("tel:+4930901820", "US", "+4930901820"),
        ("101", "US", ""),
        ("anonymous", "US", ""),
        ("", "US", ""),
        ("+", "US", ""),
        ("+999999999999999999999", "US", ""),
        ("1 OR 1=1", "US", ""),
        ("5552345678", "", ""),
    ],
)
def test_e164_reads_numbers_as_dialled_in_the_country(text: str, country: str, e164: str) -> None:
    assert numbers.e164(text, country) == e164


@pytest.mark.parametrize(
    ("text", "country", "shown"),
    [
        ("+15552345678", "US", "(555) 234-5678"),
        ("+15552345678", "DE", "+1 555-234-5678"),
        ("+4930901820", "DE", "030 901820"),
        ("101", "US", "101"),
        ("sip:ana@pbx.example.org", "US", "ana@pbx.example.org"),
        ("sip:anonymous@anonymous.invalid", "US", "withheld"),
        ("Anonymous", "US", "withheld"),
        ("", "US", "withheld"),
    ],
)
def test_shown_writes_numbers_as_people_of_the_country_do(text: str, country: str, shown: str) -> None:
    assert numbers.shown(text, country) == shown


def test_the_word_for_a_withheld_number_is_in_the_readers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    assert numbers.shown("anonymous", "US") == "withheld"

    monkeypatch.setattr(numbers, "_", lambda text: f"in another language: {text}")

    assert numbers.shown("anonymous", "US") == "in another language: withheld"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("+15552345671", "••• ••71"),
        ("sip:+15552345671@pbx.example.org", "•••"),
        ("ana@pbx.example.org", "•••"),
        ("101", "•••"),
        ("anonymous", "withheld"),
    ],
)
def test_masked_gives_a_stranger_two_digits_at_most(text: str, masked: str) -> None:
    assert numbers.masked(text) == masked


@pytest.mark.parametrize(
    ("name", "number", "telling"),
    [
        ("Mia Pryce", "+442079460094", "Mia Pryce"),
        ("+442079460094", "+442079460094", ""),
        ("020 7946 0094", "+442079460094", ""),
        ("020 7946 0095", "+442079460094", "020 7946 0095"),
        ("Anonymous", "anonymous", ""),
        ("@home Ltd", "+442079460094", "@home Ltd"),
        ("Studio 54", "+442079460054", "Studio 54"),
    ],
)
def test_a_name_that_is_the_number_once_more_tells_nothing(name: str, number: str, telling: str) -> None:
    assert numbers.telling_name(name, number) == telling
