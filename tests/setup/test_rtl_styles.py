"""From right to left: cards of a grid are placed from the right, and the editor's handles lie and move with them."""

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from tests.boards import grid_layouts
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
