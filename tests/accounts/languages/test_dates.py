"""Dates in the order and with the words of the reader's language."""

from datetime import date
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from accounts.forms import NewPersonForm
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


def test_no_page_writes_days_in_figures_alone() -> None:
    """11/2 is another day on the other side of an ocean."""
    base = Path(settings.BASE_DIR)
    texts = {path: path.read_text() for path in [*base.glob("templates/**/*.html"), *base.glob("wallboard/**/*.py")]}

    assert len(texts) > 200
    assert [str(path) for path, text in texts.items() if "SHORT_DATE" in text] == []


def test_labels_of_a_new_person_are_translated() -> None:
    with translation.override("de"):
        assert [str(field.label) for field in NewPersonForm()] == ["Nebenstelle", "Name"]
