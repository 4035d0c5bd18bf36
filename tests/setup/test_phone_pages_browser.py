"""Pages on a phone, in the languages with the longest words: nothing is squeezed, cut or laid on something else."""

import pytest
from django.conf import settings
from playwright.sync_api import Page

from accounts.models import User
from tests.boards.board_page import BoardPage
from tests.boards.conftest import Show, SignIn
from tests.boards.test_board_alerts import raised

LANGUAGES = [code for code, _name in settings.LANGUAGES]
ARROW = 20  # px, of a select
CUT_CHOICES = """(arrow) => [...document.querySelectorAll("#kinds select")].filter((node) => {
  const { fontWeight, fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(node);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  const longest = Math.max(...[...node.options].map(({ text }) => pen.measureText(text).width));
  return longest + arrow > node.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
}).map((node) => node.outerHTML.slice(0, 80))"""


def opened(show: Show, sign_in: SignIn, path: str, language: str, width: int = 390) -> BoardPage:
    """That page as an administrator who reads this language sees it on a phone."""
    client = sign_in("administrator")
    User.objects.update(language=language)
    return show(width, 844, path=path, client=client)


def box(page: Page, selector: str) -> dict[str, float]:
    found = page.locator(selector).first.bounding_box()
    assert found is not None
    return {side: found[side] for side in ("x", "y", "width", "height")}


def test_an_open_alert_has_its_button_below_its_words(show: Show, sign_in: SignIn) -> None:
    shown = opened(show, sign_in, "/alerts/", "de")
    raised(shown, "501", kind="nobody")
    words, act, whole = (box(shown.page, each) for each in (".alert-words", ".alert-act", ".alert"))

    assert words["width"] > 0.85 * whole["width"]
    assert act["y"] >= words["y"] + words["height"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_choice_of_the_alerts_is_cut_by_the_arrow(show: Show, sign_in: SignIn, language: str) -> None:
    page = opened(show, sign_in, "/alerts/", language).page

    assert page.locator("#kinds select").count() > 5
    for width in (320, 360, 390):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate(CUT_CHOICES, ARROW) == []
