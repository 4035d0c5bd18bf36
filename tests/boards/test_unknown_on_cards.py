"""What cards say of what is not known: never that there is none of it, and never that all is well."""

import re

import pytest
from playwright.sync_api import expect

from tests.boards import fake_feeds
from tests.boards.board_page import BoardPage
from tests.boards.conftest import Show
from tests.boards.grid_layouts import card, grid
from tests.boards.test_board_cards import figure, opened, the
from wallboard.boards.layout import Layout
from wallboard.boards.models import Board


def total(page: BoardPage, id: str, name: str) -> str:
    return the(page, id).locator(f"[data-total={name}] .total-figure").inner_text()


def test_a_wait_that_nobody_tells_is_not_none(show: Show, board: Board) -> None:
    shown = grid(
        card("n", "figure", 0, 0, 3, 3, figure="longest", queues=["501"]),
        card("a", "figure", 3, 0, 3, 3, figure="average", queues=["501"]),
        card("t", "totals", 0, 3, 12, 2, queues=["501"]),
    )
    page = opened(show, board, shown)

    untold = fake_feeds.queue(0, longest_wait=None, average_wait=None, level="normal", reason="")
    page.news("queues", {"queue:501": untold})
    page.settle()

    assert (total(page, "t", "waiting"), total(page, "t", "longest"), total(page, "t", "average")) == ("6", "?", "?")
    assert (figure(page, "n"), figure(page, "a")) == ("?", "?")
    expect(the(page, "n").locator(".card-note")).to_have_text("not provable: what the wait means")

    page.news("queues", {"queue:501": {**untold, "waiting": 0}})
    page.settle()

    assert [figure(page, "n"), total(page, "t", "longest"), total(page, "t", "average")] == ["–", "–", "–"]


def test_a_table_does_not_say_that_queues_are_normal_which_it_does_not_know(show: Show, board: Board) -> None:
    page = opened(show, board, grid(card("q", "table", 0, 0, 6, 4)))
    more = the(page, "q").locator(".table-more")
    expect(more).to_have_text(re.compile(r"^and \d more: all normal$"))

    gone = {f"queue:{501 + index}": fake_feeds.queue(index, missing_since=fake_feeds.now_ms()) for index in range(8)}
    page.news("queues", gone)
    expect(more).to_have_text(re.compile(r"^and \d more$"))

    page.fill(8, 24, 5, read_ago_seconds=600)
    expect(more).to_have_text(re.compile(r"^and \d more$"))


def test_a_call_that_rings_at_several_phones_is_one_and_an_unconfirmed_one_none(show: Show, board: Board) -> None:
    levels = {"watch": 3, "late": 9, "below": False}
    shown = grid(
        card("up", "figure", 0, 0, 3, 3, figure="calls", levels=levels),
        card("list", "calls", 3, 0, 6, 6, levels=levels),
    )
    page = opened(show, board, shown)

    legs = fake_feeds.calls(5, masked=False)
    ringing = {key: {**legs[key], "call": "one", "state": "ringing"} for key in ("900", "901", "902")}
    page.news("calls", {**legs, **ringing, "904": {**legs["904"], "unconfirmed": True}})
    page.settle()

    assert figure(page, "up") == "2"
    expect(the(page, "list").locator(".calls-count")).to_have_text("2")
    assert {the(page, id).get_attribute("data-level") for id in ("up", "list")} == {"normal"}


@pytest.mark.parametrize("is_grid", [True, False])
def test_totals_of_queues_that_are_not_there_are_unknown(show: Show, board: Board, is_grid: bool) -> None:
    named = grid(card("t", "totals", 0, 0, 12, 2, queues=["999"]))
    page = opened(show, board, named if is_grid else Layout(("totals",), ("999",)))

    waiting = page.page.locator("[data-total=waiting]")
    expect(waiting.locator(".total-figure")).to_have_text("?")
    expect(waiting).to_have_attribute("data-state", "unknown")
