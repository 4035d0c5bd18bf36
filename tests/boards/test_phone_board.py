"""A board on a phone: a list to glance at, with the people in groups under the count of their state."""

import pytest
from playwright.sync_api import expect

from tests.boards import fake_feeds
from tests.boards.board_page import BoardPage
from tests.boards.conftest import Show, with_theme
from tests.boards.wall_scenes import Scene
from wallboard.boards.models import Board

ROWS = """() => Array.from(document.querySelectorAll(".queue-card"), (card) => {
  const box = (name) => card.querySelector(name).getBoundingClientRect();
  const own = card.getBoundingClientRect();
  const [name, wait, figure] = [".queue-card-name", ".queue-card-longest", ".queue-card-figure"].map(box);
  return { height: own.height, left: own.left, isRow: name.right <= wait.left + 1 && wait.right <= figure.left + 1 };
})"""
GROUPS = """() => Array.from(document.querySelectorAll(".tally:not([hidden]), .person"), (node) => ({
  top: node.getBoundingClientRect().top,
  state: node.dataset.count || node.dataset.state,
  isHead: "count" in node.dataset,
})).sort((one, other) => one.top - other.top).map((each) => (each.isHead ? "# " : "") + each.state)"""


def phone(show: Show, queues: int = 6, people: int = 24) -> BoardPage:
    shown = show(390, 844)
    shown.fill(queues, people, 5)
    expect(shown.page.locator(".queue-card")).to_have_count(queues)
    return shown


def test_each_queue_is_one_row_with_its_name_wait_and_figure(show: Show) -> None:
    shown = phone(show)
    rows = shown.page.evaluate(ROWS)

    assert len({row["left"] for row in rows}) == 1
    assert [row for row in rows if row["height"] > 80 or not row["isRow"]] == []
    expect(shown.page.locator(".queue-card-level").first).to_have_text("Late for 3 min", use_inner_text=True)
    expect(shown.page.locator(".queue-card-available").nth(1)).to_be_visible()
    assert shown.page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_mute_leaves_a_queue_its_line_of_who_is_available(show: Show) -> None:
    shown = phone(show)
    sales = shown.page.locator(".queue-card", has_text="Sales").first

    shown.news("queues", {"mute:502": {"until": fake_feeds.now_ms() + 3_600_000, "reason": "fire drill"}})
    shown.settle()

    expect(shown.page.locator("#alert-muted")).to_contain_text("Sales muted until")
    expect(sales.locator(".queue-card-available")).to_be_visible()
    expect(sales.locator(".queue-card-muted")).to_be_hidden()


def test_a_long_name_and_four_digits_stay_in_their_row(show: Show) -> None:
    shown = phone(show, 2)
    about = {**fake_feeds.about(0), "name": "Kundendienst Haushaltsgeräte und Ersatzteile"}
    shown.news("queues", {"about:501": about, "queue:501": fake_feeds.queue(0, waiting=1234, longest_wait=4000)})
    shown.settle()

    assert all(row["isRow"] for row in shown.page.evaluate(ROWS))
    assert shown.page.evaluate("document.documentElement.scrollWidth") == 390


def test_people_stand_last_under_the_count_of_their_state(show: Show) -> None:
    shown = phone(show)
    places = shown.page.evaluate(GROUPS)
    heads = [index for index, each in enumerate(places) if each.startswith("# ")]
    groups = {places[index]: set(places[index + 1 : end]) for index, end in zip(heads, [*heads[1:], None], strict=True)}

    assert groups == {
        "# idle": {"idle"},
        "# ringing": {"ringing"},
        "# talking": {"talking"},
        "# unknown": {"unseen"},
    }
    calls, people = (shown.page.locator(part).bounding_box() for part in (".calls", ".people"))
    assert calls
    assert people
    assert people["y"] > calls["y"]


def test_without_news_of_people_none_stands_beside_the_line_that_says_so(show: Show) -> None:
    shown = phone(show)
    shown.snapshot("people", fake_feeds.people(12, "down"))
    shown.settle()
    note = shown.page.locator(".people-note").bounding_box()
    person = shown.page.locator(".person").first.bounding_box()

    assert note is not None
    assert person is not None
    assert note["y"] + note["height"] <= person["y"]


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_long_name_stands_whole_above_the_button_of_its_alert(show: Show, board: Board, theme: str) -> None:
    with_theme(board, theme)
    shown = show(390, 844, reduced_motion="reduce")
    Scene(2, "alerts", names="German", size="phone", theme=theme).play(shown)

    name, button = shown.page.locator(".alert-name").first, shown.page.locator(".alert-act").first

    assert name.inner_text() == "Kundendienst Haushaltsgeräte"
    assert name.evaluate("(node) => node.scrollWidth <= node.clientWidth")
    above, below = name.bounding_box(), button.bounding_box()
    assert above
    assert below
    assert above["y"] + above["height"] <= below["y"] + 1
    line = shown.page.locator(".alert").first.bounding_box()
    assert line
    assert line["y"] <= above["y"]
    assert below["y"] + below["height"] <= line["y"] + line["height"]
    why = shown.page.locator(".alert-why").first.bounding_box()
    assert why
    assert why["y"] + why["height"] <= line["y"] + line["height"], "why it was called is seen as well"
