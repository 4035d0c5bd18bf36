"""Dates in the order and with the words of the reader's language."""

from datetime import date

import pytest
from django.utils import translation

from accounts.languages.dates import written

DAY = date(2026, 3, 2)


@pytest.mark.parametrize(
    ("code", "short", "whole"),
    [
        ("en", "2 Mar", "Monday 2 March 2026"),
        ("de", "2. März", "Montag, 2. März 2026"),
        ("es", "2 mar", "lunes, 2 de marzo de 2026"),
        ("fr", "2 mars", "lundi 2 mars 2026"),
        ("nl", "2 mrt", "maandag 2 maart 2026"),
    ],
)
def test_a_day_is_written_as_its_language_does(code: str, short: str, whole: str) -> None:
    with translation.override(code):
        assert (written(DAY, "j M"), written(DAY, "l j F Y")) == (short, whole)
