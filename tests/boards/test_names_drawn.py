"""Names that scripts write stand in their own direction, as those that the server writes."""

from typing import Any

import pytest

from tests.boards import fake_feeds
from tests.boards.board_page import BoardPage
from tests.boards.conftest import Show
from tests.boards.grid_layouts import EVERYTHING
from wallboard.boards import editing
from wallboard.boards.models import Board

PAGES = ("/", "/boards/main/", "/boards/main/edit/", "/desk/", "/people/", "/calls/", "/alerts/")
ASTRAY = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  let seen = 0;
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const owner = node.parentElement;
    const isUnseen = !owner.checkVisibility() || owner.closest(".only-heard, [aria-hidden=true]");
    if (isUnseen || !/zulu/.test(node.data)) continue;
    seen += 1;
    if (!owner.closest("[dir=auto], bdi")) found.push(owner.outerHTML.slice(0, 120));
  }
  return [seen, [...new Set(found)]];
}"""


def renamed(documents: fake_feeds.Docs) -> fake_feeds.Docs:
    """The same documents with names that are found again."""
    return {key: _renamed(value) for key, value in documents.items()}


def _renamed(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    own = {name: f"zulu {each}" for name, each in value.items() if name in ("name", "with") and each}
    return {name: _renamed(each) for name, each in value.items()} | own


def filled(page: BoardPage) -> None:
    """Everything that any of the pages shows."""
    page.snapshot("queues", renamed(fake_feeds.queues(6)))
    page.snapshot("people", renamed(fake_feeds.people(12)))
    calls = renamed(fake_feeds.calls(6, masked=False))
    calls["901"]["queue"], calls["901"]["state"] = "501", "waiting"
    page.snapshot("calls", calls)
    page.snapshot(f"board:{page.board.pk}", {"today": fake_feeds.today()})
    page.snapshot("alerts", {"7": ALERT | {"since": fake_feeds.now_ms(), "raised_at": fake_feeds.now_ms()}})
    page.settle()


ALERT = {
    "id": 7,
    "queue": "501",
    "name": "zulu Support",
    "level": "late",
    "reason": "longest_wait",
    "acknowledged_by": "",
    "acknowledged_at": None,
}


@pytest.mark.parametrize("path", PAGES)
def test_names_that_scripts_write_stand_in_their_own_direction(show: Show, board: Board, path: str) -> None:
    page = show(1920, 1080, path=path)
    filled(page)

    seen, astray = page.page.evaluate(ASTRAY)

    assert astray == []
    assert seen > 0


def test_names_on_cards_stand_in_their_own_direction(show: Show, board: Board) -> None:
    editing.update(board, editing.BoardInput(board.name, layout=EVERYTHING))
    page = show(1920, 1080)
    filled(page)

    seen, astray = page.page.evaluate(ASTRAY)

    assert astray == []
    assert seen > 10
