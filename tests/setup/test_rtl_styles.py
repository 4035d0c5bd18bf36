"""From right to left: cards of a grid are placed from the right, and the editor's handles lie and move with them."""

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from tests.boards import fake_feeds, grid_layouts
from tests.boards.conftest import Show
from tests.boards.editor_actions import Box, box_of, drag, handle, said
from tests.boards.grid_layouts import card, grid
from tests.boards.test_board_fits import MEASURE, SIZES
from tests.boards.test_grid_fits import PLACES, open_tv
from wallboard.boards import editing
from wallboard.boards.models import Board
from wallboard.setup import brands


@pytest.fixture
def mirrored(board: Board) -> Board:
    brands.save(board.domain, brands.BrandInput(direction="rtl"))
    return board


def test_cards_are_placed_from_the_right(show_tv: Show, mirrored: Board) -> None:
    tv = open_tv(show_tv, mirrored, SIZES["1080p"], grid_layouts.EVERYTHING, (8, 24, 6))
    first, last = (tv.page.locator(f".card[data-key$=' {id}']").bounding_box() for id in ("f1", "f4"))

    assert first is not None
    assert last is not None
    assert (first["x"] + first["width"] > 1880, last["x"] < 40) == (True, True)
    assert tv.page.evaluate(PLACES) == []
    assert tv.page.evaluate(MEASURE) == []


SEEN = """(node) => {
  const seen = node.getBoundingClientRect();
  const range = document.createRange();
  range.setStart(node.firstChild, 0);
  range.setEnd(node.firstChild, 1);
  const letter = range.getBoundingClientRect();
  const isSeen = letter.left >= seen.left - 1 && letter.right <= seen.right + 1;
  return { isCut: node.scrollWidth > node.clientWidth, isSeen };
}"""


def test_a_long_number_is_cut_at_its_end(show: Show, mirrored: Board) -> None:
    shown = show(1280, 720)
    shown.fill(3, 6, 1)
    leg = {**fake_feeds.calls(1)["900"], "state": "talking"}
    side = {"name": "", "number": "+49 30 " + "23125032 " * 20, "extension": ""}
    shown.news("calls", {"900": {**leg, "from": side, "direction": "in", "queue": ""}})
    shown.settle()

    assert shown.page.locator(".call-far").first.evaluate(SEEN) == {"isCut": True, "isSeen": True}


def test_what_a_new_queue_says_lies_above_its_curve(show: Show, mirrored: Board) -> None:
    shown = show(1280, 720)
    shown.fill(3, 6, 1)
    began = {"until": fake_feeds.trend(0)["until"], "waiting": [None] * 50 + [1] * 10, "late": [None] * 96}
    shown.news("queues", {f"trend:{501 + index}": began for index in range(3)})
    shown.settle()

    hidden = shown.page.locator(".queue-card-learning").evaluate_all(
        """(nodes) => nodes.filter((node) => {
            const box = node.getBoundingClientRect();
            return document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2) !== node;
        }).length"""
    )

    assert (shown.page.locator(".queue-card-learning:not(:empty)").count(), hidden) == (3, 0)


def drawn(page: Page, kind: str) -> Box:
    box = page.locator(f".preview-cards [data-kind={kind}]").bounding_box()
    assert box is not None
    return Box(**box)


@pytest.mark.console_may_say("503")
def test_the_editor_drags_resizes_and_drops_where_the_pointer_is(show: Show, mirrored: Board) -> None:
    shown = grid(card("c", "clock", 0, 0, 3, 2), card("t", "text", 9, 0, 3, 3, text="Left"))
    editing.update(mirrored, replace(editing.current_input(mirrored), layout=shown))
    page = show(1440, 900, path="/boards/main/edit/").page
    page.route("**/draft/", lambda route: route.fulfill(status=503, json={}))
    expect(handle(page, "Clock")).to_be_visible()

    for name, kind in (("Clock", "clock"), ("Text", "text")):
        lies, stands = box_of(page, name), drawn(page, kind)
        assert all(abs(lies[side] - stands[side]) < 3 for side in ("x", "y", "width", "height")), name
    assert box_of(page, "Clock")["x"] > box_of(page, "Text")["x"]
    cell = box_of(page, "Clock")["width"] / 3

    drag(page, box_of(page, "Clock"), -3.2 * cell, 0)
    said(page, "Clock moved to column 4, row 1")
    moved = box_of(page, "Clock")
    drag(page, Box(x=moved["x"] + 6, y=moved["y"] + moved["height"] - 8, width=2, height=2), -cell, 0)
    said(page, "Clock is 4 wide, 2 high")
    handle(page, "Clock").press("Shift+ArrowRight")
    said(page, "Clock is 3 wide, 2 high")
    preview = page.locator(".preview-screen").bounding_box()
    picker = page.locator(".picker [data-kind=figure]").bounding_box()
    assert preview is not None
    assert picker is not None
    target = preview["x"] + preview["width"] - 1.6 * cell
    drag(page, Box(**picker), target - picker["x"] - picker["width"] / 2, preview["y"] + 200 - picker["y"])
    said(page, "Single figure added at column 1")


def test_the_dot_before_a_name_stands_on_the_side_where_one_begins_to_read(show: Show, mirrored: Board) -> None:
    shown = show(1280, 720)
    shown.fill(1, 4, 1)
    person = {**fake_feeds.people(1)["101"], "state": "talking", "with": "Bo"}
    shown.news("people", {"101": person})
    shown.settle()

    sides = shown.page.locator(".person[data-key='101'] .person-with").evaluate(
        "(node) => [getComputedStyle(node).paddingLeft, getComputedStyle(node, '::before').right]"
    )

    assert sides == ["0px", "0px"]
