"""The next hour on boards: a range, marked estimated, with its middle and its queue; or the reason why not."""

import os
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.boards import fake_feeds, grid_layouts
from tests.boards.board_page import BoardPage
from tests.boards.conftest import Show
from tests.boards.grid_layouts import card, grid
from tests.boards.test_board_cards import figure, opened, the
from wallboard.boards.layout import Layout
from wallboard.boards.models import Board

PICTURES = os.environ.get("WALLBOARD_PICTURES", "")  # a folder for pictures
CALLS, LONGEST, PEOPLE = "ahead_calls", "ahead_longest", "ahead_people"
VALUES: dict[str, dict[str, Any]] = {
    CALLS: {"value": 48, "range": [38, 57]},
    LONGEST: {"value": 248, "range": [131, 465], "queue": "501"},
    PEOPLE: {"value": 5, "range": [5], "queue": "501"},
}


def layout(height: int = 3) -> Layout:
    """The three beside each other, of all queues; below them the same of one queue, lower and wider."""
    row = [card(name, "figure", 4 * at, 0, 4, height, figure=name, window="ahead") for at, name in enumerate(VALUES)]
    narrow = [
        card(f"{name}-n", "figure", 3 * at, height, 2, 3, figure=name, window="ahead") for at, name in enumerate(VALUES)
    ]
    flat = [
        card(f"{name}-f", "figure", 0, height + 3 + at, 5, 1, figure=name, window="ahead", queues=["501"])
        for at, name in enumerate(VALUES)
    ]
    return grid(*row, *narrow, *flat)


def forecast(page: BoardPage, shown: Layout, **more: Any) -> None:
    """What the server would publish of these cards."""
    documents = grid_layouts.figures(shown, since=fake_feeds.now_ms() - 60_000)
    for each in shown.cards or ():
        documents[f"figure:{each.id}"].update(VALUES[each.options["figure"]] | more)
    page.news(f"board:{page.board.pk}", documents)
    page.settle()


def test_what_is_expected_is_told_by_its_range(show: Show, board: Board) -> None:
    shown = layout()
    page = opened(show, board, shown)

    forecast(page, shown)

    assert [figure(page, name) for name in VALUES] == ["~38–57", "~2:11–7:45", "~5"]
    assert the(page, CALLS).locator(".card-title").inner_text() == "calls expected"
    expect(the(page, LONGEST).locator(".card-note")).to_have_text("estimated, next hour · about 4:08 · Support")
    expect(the(page, PEOPLE).locator(".card-note")).to_have_text("estimated, next hour · Support")
    the(page, CALLS).locator(".about").press("Enter")
    expect(page.page.locator("#about")).to_contain_text("estimated")
    expect(page.page.locator("#about")).to_contain_text("Four in five hours fall within the range")
    expect(page.page.locator("#about")).to_contain_text("the hour from")
    page.page.keyboard.press("Escape")

    forecast(page, shown, told={"n": 2, "of": 4})
    expect(the(page, CALLS).locator(".card-note")).to_contain_text("2 of 4 queues")


def test_a_bound_judges_the_middle(show: Show, board: Board) -> None:
    levels = {"watch": 40, "late": 50, "below": False}
    shown = grid(card(CALLS, "figure", 0, 0, 4, 4, figure=CALLS, window="ahead", levels=levels))
    page = opened(show, board, shown)

    forecast(page, shown)

    assert the(page, CALLS).get_attribute("data-level") == "watch"


@pytest.mark.parametrize(
    ("told", "text", "note"),
    [
        ({"is_known": False, "why": "ahead_short"}, "?", "too short a history"),
        ({"is_known": False, "why": "queue_legs"}, "?", "once proven: queue legs"),
        ({"why": "ahead_closed"}, "–", "estimated, next hour · closed by its business hours"),
    ],
)
def test_without_a_forecast_stands_the_reason(
    show: Show, board: Board, told: dict[str, Any], text: str, note: str
) -> None:
    shown = layout()
    page = opened(show, board, shown)

    forecast(page, shown, value=None, range=None, queue=None, **told)

    assert [figure(page, name) for name in VALUES] == [text] * 3
    assert the(page, CALLS).locator(".card-note").inner_text() == note
    if PICTURES:
        page.page.screenshot(path=f"{PICTURES}/ahead-{told['why']}.png")
