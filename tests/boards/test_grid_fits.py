"""A grid of cards fills its screen: nothing scrolls, nothing is cut off, and figures can be read from afar."""

from dataclasses import replace

import pytest

from tests.boards import grid_layouts
from tests.boards.board_page import BoardPage
from tests.boards.conftest import Show
from tests.boards.test_board_fits import MEASURE, SIZES, SMALLEST
from wallboard.boards import editing
from wallboard.boards.layout import Layout
from wallboard.boards.models import Board

BOARDS = {
    "every kind": (grid_layouts.EVERYTHING, (8, 24, 6)),
    "whole floor": (grid_layouts.FLOOR, (40, 300, 5)),
    "one big": (grid_layouts.ONE_BIG, (3, 40, 4)),
    "long table": (grid_layouts.LONG_TABLE, (40, 300, 0)),
}

# Cards lie inside the window, not on each other, and what they hold lies inside them.
PLACES = """() => {
  const wrong = [];
  const cards = Array.from(document.querySelectorAll(".card"));
  const boxes = cards.map((card) => card.getBoundingClientRect());
  cards.forEach((card, index) => {
    const box = boxes[index];
    const name = card.dataset.key;
    const isOut = box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
    if (isOut) wrong.push(name + " is outside");
    if (card.scrollHeight > card.clientHeight + 2) wrong.push(name + " is cut off");
    if (card.scrollWidth > card.clientWidth + 2) wrong.push(name + " is too wide");
    boxes.slice(0, index).forEach((other, place) => {
      const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left);
      const high = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
      if (wide > 1 && high > 1) wrong.push(name + " lies on " + cards[place].dataset.key);
    });
    const [counts, people] = [".people-summary", ".people-grid"].map((part) => card.querySelector(part));
    if (people && counts.getBoundingClientRect().bottom > people.getBoundingClientRect().top + 4)
      wrong.push(name + ": its counts lie on its people");
    const figure = card.querySelector(".card-figure");
    if (figure && figure.getBoundingClientRect().right > box.right + 1) wrong.push(name + ": its figure is cut off");
  });
  return wrong;
}"""


def open_tv(show_tv: Show, board: Board, size: tuple[int, int], shown: Layout, counts: tuple[int, ...]) -> BoardPage:
    editing.update(board, replace(editing.current_input(board), layout=shown))
    board.refresh_from_db()
    tv = show_tv(*size)
    tv.fill(*counts)
    tv.news(f"board:{board.pk}", grid_layouts.figures(shown))
    tv.page.locator(".card").first.wait_for()
    tv.settle()
    return tv


@pytest.mark.parametrize("name", BOARDS)
def test_a_grid_fills_every_screen_without_scrolling(show_tv: Show, board: Board, name: str) -> None:
    shown, counts = BOARDS[name]
    tv = open_tv(show_tv, board, SIZES["1080p"], shown, counts)

    for width, height in SIZES.values():
        tv.page.set_viewport_size({"width": width, "height": height})
        tv.settle()

        assert tv.page.evaluate(PLACES) == [], (width, height)
        assert tv.page.evaluate(MEASURE) == [], (width, height)
        assert tv.page.locator(".card").count() == len(shown.cards or ())


@pytest.mark.parametrize("name", ["every kind", "one big", "long table"])
def test_nothing_is_too_small_to_be_read_from_afar(show_tv: Show, board: Board, name: str) -> None:
    shown, counts = BOARDS[name]

    tv = open_tv(show_tv, board, SIZES["1080p"], shown, counts)

    assert tv.page.evaluate(SMALLEST) >= 23.5
    sizes = """(nodes) => nodes.map((node) =>
        [node.closest('.card').clientHeight, parseFloat(getComputedStyle(node).fontSize)])"""
    figures = tv.page.eval_on_selector_all('[data-kind="figure"] .card-figure, .queue-card-figure', sizes)
    assert all(size >= 96 for height, size in figures if height > 200), figures


def test_many_people_beside_queues_stay_readable(show_tv: Show) -> None:
    tv = show_tv(1920, 1080)

    tv.fill(8, 40, 4)

    assert tv.page.evaluate(SMALLEST) >= 23.5
    assert tv.page.locator(".person").count() == 40


def test_a_phone_shows_the_cards_one_under_the_other(show: Show, board: Board) -> None:
    editing.update(board, replace(editing.current_input(board), layout=grid_layouts.EVERYTHING))
    board.refresh_from_db()
    shown = show(390, 844)
    shown.fill(8, 24, 6)
    shown.news(f"board:{board.pk}", grid_layouts.figures(grid_layouts.EVERYTHING))
    shown.settle()

    size = "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    wide, high = shown.page.evaluate(size)
    tops = shown.page.eval_on_selector_all(".card", "(nodes) => nodes.map((node) => node.getBoundingClientRect().top)")
    assert (wide, high > 844) == (390, True)
    assert tops == sorted(tops)
    assert shown.page.evaluate(SMALLEST) >= 13
