"""What the board says at a glance: that all is well, who can take a call, which calls matter."""

import re
import time
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.boards import fake_feeds
from tests.boards.conftest import Show
from tests.boards.grid_layouts import card, grid
from wallboard.boards import editing
from wallboard.boards.layout import board_document
from wallboard.boards.models import Board


def test_all_is_well_and_since_when(show: Show) -> None:
    shown = show()
    shown.fill(3, 4, 1)
    since = fake_feeds.now_ms() - 42 * 60_000

    shown.news("queues", {f"queue:{501 + index}": calm(index, since=since) for index in range(3)})

    expect(shown.page.locator(".alert-line-text")).to_have_text("All queues within target for 42 min")


def calm(index: int, **more: Any) -> dict[str, Any]:
    return fake_feeds.queue(index, level="normal", reason="", **{"since": None, **more})


def test_the_line_is_about_the_queues_of_the_board(show: Show, board: Board) -> None:
    cards = (card("q", "queue", 0, 0, 8, 12, queues=["502"]), card("p", "people", 8, 0, 4, 12))
    editing.update(board, replace(editing.current_input(board), layout=grid(*cards)))
    shown = show()
    shown.fill(3, 4, 1)
    line = shown.page.locator(".alert-line-text")

    shown.news("queues", {"queue:502": calm(1)})  # 501 is late and 503 on watch
    expect(line).to_have_text("All queues within target")

    people = editing.update(board, replace(editing.current_input(board), layout=grid(cards[1])))
    shown.news(f"board:{board.pk}", {"board": board_document(people)[1]})
    expect(line).to_have_text("")


@pytest.mark.parametrize("others", [{}, {"reason": "closed", "opens_at": None}])
def test_nothing_is_said_of_all_queues_while_one_is_not_known(show: Show, others: dict[str, Any]) -> None:
    shown = show()
    shown.fill(3, 4, 1)
    gone = fake_feeds.queue(0, missing_since=fake_feeds.now_ms() - 600_000)
    line = shown.page.locator(".alert-line-text")

    shown.news("queues", {"queue:501": gone, "queue:502": {**calm(1), **others}})
    expect(line).to_have_text("1 on watch")
    shown.news("queues", {"queue:503": {**calm(2), **others}})
    expect(line).to_have_text("")
    expect(shown.page.locator('.queue-card[data-level="unknown"]')).to_have_count(1)


def test_calls_that_ring_stand_first_and_unconfirmed_ones_are_few(show: Show) -> None:
    shown = show()
    shown.fill(3, 4, 6)
    calls = fake_feeds.calls(6, masked=False)
    old = {"unconfirmed": True, "state": "ringing"}
    shown.news("calls", {"901": {**calls["901"], **old}, "902": {**calls["902"], **old}})
    shown.settle()

    states = shown.page.locator(".call-state").all_inner_texts()
    assert states == ["ringing", "talking", "talking", "talking", "unconfirmed"]
    expect(shown.page.locator(".calls-more")).to_have_text("and 1 more")


BEFORE_SCRIPTS = """() => {
  const root = document.getElementById("content"), name = root.querySelector(".board-name"), flow = root.dataset.flow;
  const place = () => Object.values(name.getBoundingClientRect().toJSON()).map(Math.round);
  const told = () => [getComputedStyle(name).visibility, ...place()];
  const after = told(), styles = [root.style.cssText, document.documentElement.style.cssText];
  root.dataset.flow = "wait";
  root.style.cssText = document.documentElement.style.cssText = "";
  const before = told(), isHidden = getComputedStyle(root.querySelector(".board-foot")).visibility === "hidden";
  [root.dataset.flow, root.style.cssText, document.documentElement.style.cssText] = [flow, ...styles];
  return { before, after, isHidden };
}"""


@pytest.mark.parametrize("is_tv", [True, False])
def test_a_tv_says_its_name_before_its_scripts_where_it_stays(show: Show, show_tv: Show, is_tv: bool) -> None:
    shown = (show_tv if is_tv else show)()
    shown.fill(4, 6, 3)

    for width, height in ((1920, 1080), (1280, 720), (2560, 1080), (1080, 1920), (1200, 1920)):
        shown.page.set_viewport_size({"width": width, "height": height})
        shown.settle()
        told = shown.page.evaluate(BEFORE_SCRIPTS)
        assert told["isHidden"]
        assert told["after"][0] == "visible"
        assert told["before"][0] == ("visible" if is_tv else "hidden")
        moved = [abs(one - other) for one, other in zip(told["before"][1:], told["after"][1:], strict=True)]
        assert not is_tv or max(moved) <= 1, (width, height, told)


def test_people_turn_where_not_everybody_has_a_place_and_free_ones_stay(show_tv: Show) -> None:
    tv = show_tv()
    tv.page.clock.install()
    tv.page.reload()
    tv.fill(40, 300, 4)

    def names() -> list[str]:
        return tv.page.locator(".person-name").all_inner_texts()

    free = '.person[data-state="idle"]'
    first, stay = names(), tv.page.locator(free).all_inner_texts()
    tv.page.clock.run_for(8500)
    tv.page.wait_for_timeout(100)
    second = names()

    assert all([*first, *second])
    assert len(set(first) | set(second)) > len(set(first))
    assert tv.page.locator(free).all_inner_texts()[: len(stay) // 2] == stay[: len(stay) // 2]
    assert first.index(stay[0].split("\n")[0]) == 0


def test_a_trend_is_drawn_from_its_second_minute_and_grows_to_the_hour(show: Show) -> None:
    shown = show()
    shown.fill(1, 2, 0)
    drawn = shown.page.locator('[data-key="501"] .trend-line')

    def after(minutes: int) -> str:
        hour = [None] * (60 - minutes) + [float(n % 3) for n in range(minutes)]
        shown.news("queues", {"trend:501": {**fake_feeds.trend(0), "waiting": hour}})
        shown.settle()
        return drawn.get_attribute("d") or ""

    assert after(1) == ""
    assert after(2).count("L") == 1
    assert after(20).startswith("M40 ")
    assert after(60).count("L") == 59


def test_a_new_queue_says_since_when_it_is_learning(show: Show) -> None:
    shown = show()
    shown.fill(2, 2, 0)
    learning = shown.page.locator('[data-key="501"] .queue-card-learning')
    until = fake_feeds.now_ms() // 60_000 * 60_000

    def after(minutes: int, quarters: int) -> None:
        hour = [None] * (60 - minutes) + [1.0] * minutes
        late = [None] * (96 - quarters) + [0] * quarters
        shown.news("queues", {"trend:501": {"until": until, "waiting": hour, "late": late}})
        shown.settle()

    after(8, 1)
    since = time.strftime("%M", time.gmtime(until / 1000 - 480))
    expect(learning).to_have_text(re.compile(rf"^learning since \d\d:{since}$"))
    shown.page.evaluate("document.documentElement.dir = 'rtl'")
    assert shown.page.locator('[data-key="501"] .trend').evaluate("(node) => node.getScreenCTM().a < 0")
    after(40, 3)  # the line needs the room
    expect(learning).to_be_hidden()
    after(8, 60)  # nothing new: it was not read for an hour
    expect(learning).to_be_hidden()
