"""Who is free, who rings, who talks and who was not seen can be told apart by everybody, in every theme; so can queues.

Light alone cannot give five steps of 3 : 1 (the whole range is 21 : 1), so two states are filled and two are not: free
and ringing differ from the card and from each other as areas; talking and not seen have the card's own ground, and the
bar and the dashed frame that tell them differ from it.
"""

import itertools
import re
from pathlib import Path

import pytest
from django.conf import settings

from wallboard.setup.brands import contrast

CSS = Path(settings.BASE_DIR) / "static" / "css"
SHEETS = {
    "light": "tokens.css",
    "dark": "dark.css",
    "contrast": "contrast.css",
    "contrast on dark": "contrast-dark.css",
}


def token(sheet: str, name: str) -> str:
    """A colour with six digits."""
    found = re.search(rf"--color-{name}: #([0-9a-f]{{3,6}});", (CSS / sheet).read_text())
    assert found, (sheet, name)
    digits = found[1]
    return "#" + (digits if len(digits) == 6 else "".join(each * 2 for each in digits))


@pytest.mark.parametrize("theme", SHEETS)
def test_states_of_people_differ_by_three_to_one(theme: str) -> None:
    sheet = SHEETS[theme]
    card = token(sheet, "card")
    areas = [card, token(sheet, "presence-free"), token(sheet, "presence-ringing")]
    marks = [token(sheet, "presence-talking"), token(sheet, "presence-unseen")]

    pairs = [*itertools.combinations(areas, 2), *((mark, card) for mark in marks)]

    assert [pair for pair in pairs if contrast(*pair) < 3] == []


@pytest.mark.parametrize("theme", SHEETS)
def test_states_of_queues_differ_from_the_calm_card_by_three_to_one(theme: str) -> None:
    sheet = SHEETS[theme]
    card = token(sheet, "card")

    low = [name for name in ("late", "watch-ring", "unknown-ink") if contrast(token(sheet, name), card) < 3]

    assert low == []


@pytest.mark.parametrize("theme", SHEETS)
@pytest.mark.parametrize("ink", ["on-late", "on-late-soft"])
def test_the_words_of_a_late_card_can_be_read(theme: str, ink: str) -> None:
    least = 7 if theme.startswith("contrast") else 4.5

    assert contrast(token(SHEETS[theme], "late"), token(SHEETS[theme], ink)) >= least


@pytest.mark.parametrize("theme", SHEETS)
def test_free_people_are_the_brightest(theme: str) -> None:
    sheet = SHEETS[theme]
    others = [token(sheet, name) for name in ("presence-ringing", "presence-unseen")]
    card = token(sheet, "card")

    if not theme.startswith("contrast"):
        assert all(contrast(token(sheet, "presence-free"), card) > contrast(other, card) for other in others)


@pytest.mark.parametrize("theme", SHEETS)
@pytest.mark.parametrize("state", ["free", "ringing"])
def test_names_can_be_read_on_their_cells(theme: str, state: str) -> None:
    sheet = SHEETS[theme]

    assert contrast(token(sheet, f"presence-{state}"), token(sheet, f"on-presence-{state}")) >= 4.5
