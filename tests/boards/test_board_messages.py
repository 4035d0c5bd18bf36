"""What became of a click is said on the editor and on the board, which both draw their own page."""

from django.test import Client

from tests.boards.conftest import Show, SignIn
from wallboard.boards.models import Board
from wallboard.screens import screens


def test_the_editor_says_why_a_board_is_not_deleted(board: Board, sign_in: SignIn, show: Show) -> None:
    screens.create(board, "North wall")
    client = sign_in("supervisor")
    client.post("/boards/main/remove/")

    page = show(1280, 850, path="/boards/main/edit/", client=client).page

    refusal = page.locator(".editor .message-error")
    refusal.wait_for()
    assert refusal.inner_text() == "“Service desk” is shown by North wall. Take it out there first."


def test_a_board_says_that_it_was_saved_and_fits_below(board: Board, sign_in: SignIn, show: Show) -> None:
    shown = show(1280, 850, client=saved(sign_in("supervisor")))

    shown.fill(3, 4, 2)

    assert shown.text(".message-success") == "Saved. Open boards and TVs show it already."
    assert shown.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    foot = shown.page.locator(".board-foot").bounding_box()
    assert foot is not None
    assert foot["y"] + foot["height"] <= 850


def saved(client: Client) -> Client:
    """The client, once it has saved the board by the form that needs no scripts."""
    wanted = {"name": "Floor", "theme": "dark", "sections": ["queues", "people"], "every_queue": "1"}
    assert client.post("/boards/main/edit/", wanted).status_code == 302
    return client
