"""The list of boards in a browser: drawn small, live, over one socket."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Locator, expect

from tests.boards import fake_feeds
from tests.boards.board_page import BoardPage
from tests.boards.conftest import Show
from tests.boards.grid_layouts import card, grid
from tests.harness.axe import violations
from wallboard.boards import editing
from wallboard.boards.models import Board


def item(page: BoardPage, board: Board) -> Locator:
    return page.page.locator(f"#board-{board.pk}")


def drawn(page: BoardPage, board: Board) -> list[Any]:
    """Level and figure of everything that is drawn of a board."""
    found: list[Any] = (
        item(page, board)
        .locator("svg g")
        .evaluate_all(
            "all => all.map((each) => [each.getAttribute('data-level'), each.querySelector('text').textContent])"
        )
    )
    return found


def level(page: BoardPage, board: Board) -> str:
    return " ".join(item(page, board).locator(".board-level").inner_text().split())


@pytest.fixture
def sales(board: Board) -> Board:
    layout = grid(card("q", "queue", 0, 0, 6, 6, queues=["502"]), card("p", "people", 6, 0, 6, 6))
    return editing.create(board.domain, editing.BoardInput("Sales", layout=layout))


def test_a_board_changes_as_its_queues_do(show: Show, board: Board, sales: Board) -> None:
    page = show(1280, 900, path="/")
    page.snapshot("queues", fake_feeds.queues(4))
    page.settle()

    assert drawn(page, sales) == [["normal", "2"], ["", ""]]
    assert level(page, sales) == "Within target"
    assert level(page, board) == "Late Support"
    assert [text for text, _ in drawn(page, board) if text] == ["late", "normal", "watch", "normal"]

    late = fake_feeds.queue(1, level="late", reason="waiting", waiting=17)
    page.news("queues", {"queue:502": late, "queue:501": fake_feeds.queue(0, level="watch")})
    page.settle()

    assert drawn(page, sales) == [["late", "17"], ["", ""]]
    assert level(page, sales) == "Late Sales"
    assert level(page, board) == "Late Sales"
    assert item(page, sales).locator(".board-level").get_attribute("class") == "board-level state state-late"
    opened = [address.partition("?")[2] for address in page.addresses]
    assert sorted(opened) == ["alerts=1", "boards=1"], "one for all boards, and that of the alerts' number"


def test_many_late_queues_are_named_as_far_as_they_fit(show: Show, board: Board) -> None:
    page = show(1280, 900, path="/")
    late = {f"queue:{501 + index}": fake_feeds.queue(index, level="late") for index in range(8)}
    page.snapshot("queues", fake_feeds.queues(8) | late)
    page.settle()

    assert level(page, board) == "Late Support, Sales, Billing and 5 more"


def test_old_figures_are_not_shown_as_if_they_were_of_now(show: Show, board: Board) -> None:
    page = show(1280, 900, path="/")
    assert level(page, board) == "no data yet"

    page.snapshot("queues", fake_feeds.queues(3, read_ago_seconds=120))
    page.settle()

    assert level(page, board).startswith("no data since")
    assert {tuple(each) for each in drawn(page, board) if each[0]} == {("unknown", "?")}


def test_thirty_boards_are_drawn_without_scrolling_sideways(show: Show, board: Board) -> None:
    for number in range(29):
        editing.create(board.domain, editing.BoardInput(f"Board {number} with a name that goes on for a while"))
    page = show(1920, 1080, path="/")
    page.snapshot("queues", fake_feeds.queues(12))
    page.settle()

    assert page.page.locator("svg.thumbnail:has(g)").count() == 30
    expect(page.page.locator("iframe")).to_have_count(0)
    for width in (390, 1080, 3840):
        page.page.set_viewport_size({"width": width, "height": 900})
        assert page.page.evaluate("document.documentElement.scrollWidth") <= width
    page.page.evaluate(WATCHED)
    page.news("queues", {f"queue:{501 + index}": fake_feeds.queue(index, level="late") for index in range(12)})
    page.settle()
    assert [took for took in page.page.evaluate("window.longTasks") if took > LONGEST_MS] == []


LONGEST_MS = 200  # for one change of all boards, on a busy machine
WATCHED = """() => {
  window.longTasks = [];
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map((each) => each.duration)))
    .observe({ type: "longtask" });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_list_can_be_read_by_everybody(show: Show, board: Board, sales: Board, scheme: str) -> None:
    page = show(1280, 900, path="/", color_scheme=scheme)
    page.snapshot("queues", fake_feeds.queues(8))
    page.settle()

    assert violations(page.page, ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]) == []
    assert item(page, sales).get_by_role("link", name="Open Sales").count() == 1


def test_a_queue_that_is_left_out_of_the_figures_is_named_with_its_own_time(show: Show, sales: Board) -> None:
    page = show(1280, 900, path="/")
    left_out_at = fake_feeds.now_ms() - 600_000
    gone = fake_feeds.queue(1) | {"level": "unknown", "missing_since": left_out_at}
    page.snapshot("queues", fake_feeds.queues(3) | {"queue:502": gone})
    page.settle()

    at = datetime.fromtimestamp(left_out_at / 1000, ZoneInfo(sales.domain.time_zone))
    assert level(page, sales) == f"no data since {at:%H:%M} Sales"


@pytest.mark.parametrize(("path", "code"), [("/", 4401), ("/calls/", 4401), ("/people/", 4401), ("/people/", 4403)])
def test_a_page_whose_sign_in_ended_says_so(show: Show, sales: Board, path: str, code: int) -> None:
    shown = show(1280, 900, path=path)
    said = shown.page.get_by_role("alert")
    expect(said).to_have_count(0)

    assert shown.socket is not None
    shown.socket.close(code=code)

    ended = "You are signed out. Reload the page to sign in again. Reload"
    expect(said).to_have_text(ended if code == 4401 else "This page is not open to you any more.")
    expect(shown.page.locator("#members-doubt:visible")).to_have_count(0)
