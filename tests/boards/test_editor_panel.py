"""What the editor says beside the board: who else edits it, and the board's language."""

import pytest
from playwright.sync_api import expect

from tests.boards.conftest import Show, SignIn
from wallboard.boards.models import Board

EDIT = "/boards/main/edit/"


@pytest.mark.parametrize(
    ("editors", "sentence"),
    [
        (["Ana"], "You are editing in another window too"),
        (["Ben"], "Ben is editing too"),
        (["Ana", "Ben", "Cem"], "Ben, Cem are editing too · You are editing in another window too"),
        ([], ""),
    ],
)
def test_who_else_edits_is_said_in_sentences(show: Show, board: Board, editors: list[str], sentence: str) -> None:
    page = show(1280, 850, path=EDIT).page

    page.route("**/draft/?*", lambda route: route.fulfill(json={"editors": editors, "me": "Ana", "state": None}))

    with page.expect_response("**/draft/?*"):
        pass
    expect(page.locator(".others")).to_have_text(sentence)


@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "nl", "ar"])
def test_the_language_of_a_board_is_whole_in_its_field(
    show: Show, sign_in: SignIn, board: Board, language: str
) -> None:
    client = sign_in("supervisor")
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    page = show(1280, 850, path=EDIT, client=client).page
    page.locator(".editor:not([hidden])").wait_for()

    field = page.locator(".field", has=page.locator("option[value=de]"))
    room = field.locator("select").evaluate(WIDTHS)
    hint = field.locator(".hint")

    assert room["wanted"] <= room["given"]
    assert hint.inner_text() != ""
    assert hint.get_attribute("id") == field.locator("select").get_attribute("aria-describedby")


# As wide as the chosen words would have the field, and as it is.
WIDTHS = """(select) => {
  const free = select.cloneNode(false);
  free.append(select.selectedOptions[0].cloneNode(true));
  free.style.width = "auto";
  free.style.position = "absolute";
  select.after(free);
  const widths = { wanted: free.offsetWidth, given: select.offsetWidth };
  free.remove();
  return widths;
}"""
