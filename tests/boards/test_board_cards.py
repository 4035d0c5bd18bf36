"""The cards of a grid in a real browser: what they say, how they stand, and that none shows what is not so."""

import re
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.boards import fake_feeds, grid_layouts
from tests.boards.board_page import BoardPage
from tests.boards.conftest import Show, with_theme
from tests.boards.grid_layouts import card, grid
from tests.harness.axe import violations
from wallboard.boards import editing, layout
from wallboard.boards.cards import figures, kinds
from wallboard.boards.layout import Layout
from wallboard.boards.models import Board


def opened(show: Show, board: Board, shown: Layout, **more: Any) -> BoardPage:
    editing.update(board, replace(editing.current_input(board), layout=shown))
    board.refresh_from_db()
    page = show(**more)
    page.fill(8, 24, 5)
    page.news(f"board:{board.pk}", grid_layouts.figures(shown))
    page.settle()
    return page


def the(page: BoardPage, id: str) -> Locator:
    return page.page.locator(f'.card[data-key$=" {id}"]')


def figure(page: BoardPage, id: str) -> str:
    return the(page, id).locator(".card-figure").inner_text()


def test_figures_of_this_moment_follow_the_rules(show: Show, board: Board) -> None:
    names = ["waiting", "longest", "average", "available", "agents", "most_waiting"]
    shown = grid(*[card(name, "figure", index * 2, 0, 2, 3, figure=name) for index, name in enumerate(names)])

    page = opened(show, board, shown)

    assert figure(page, "waiting") == "12"  # 6 + 2 + 3 + 1
    assert re.fullmatch(r"4:(08|09|1\d)", figure(page, "longest"))
    assert figure(page, "average") == "1:04"
    assert [figure(page, name) for name in ("available", "agents", "most_waiting")] == ["1", "2", "6"]
    expect(the(page, "available").locator(".card-note")).to_have_text("Complaints")
    expect(the(page, "most_waiting").locator(".card-note")).to_have_text("Support")


def test_own_levels_colour_a_card_and_without_them_the_targets_hold(show: Show, board: Board) -> None:
    few = {"watch": 4, "late": 2, "below": True}
    shown = grid(
        card("own", "figure", 0, 0, 3, 3, figure="waiting", levels={"watch": 5, "late": 50, "below": False}),
        card("below", "figure", 3, 0, 3, 3, figure="available", queues=["503"], levels=few),
        card("targets", "figure", 6, 0, 3, 3, figure="longest"),
        card("calm", "figure", 9, 0, 3, 3, figure="longest", queues=["502"]),
        card("tile", "queue", 0, 3, 4, 4, queues=["502"], levels={"watch": 20, "late": 900, "below": False}),
    )

    page = opened(show, board, shown)

    levels = {id: the(page, id).get_attribute("data-level") for id in ("own", "below", "targets", "calm")}
    assert levels == {"own": "watch", "below": "watch", "targets": "late", "calm": "normal"}
    expect(the(page, "targets").locator(".card-word")).to_have_text("Late")
    expect(the(page, "own").locator(".shape")).to_be_visible()
    expect(the(page, "calm").locator(".shape")).to_be_hidden()
    expect(the(page, "tile").locator(".queue-card")).to_have_attribute("data-level", "watch")


def test_counted_figures_name_their_window_and_wait_for_their_own_count(show: Show, board: Board) -> None:
    shown = grid(card("n", "figure", 0, 0, 3, 3, figure="answered", window="60"))
    page = opened(show, board, shown)
    assert figure(page, "n") == "141"
    expect(the(page, "n").locator(".card-note")).to_have_text("last 60 min")

    changed = grid(card("n", "figure", 0, 0, 3, 3, figure="answered", window="15"))
    board = editing.update(board, replace(editing.current_input(board), layout=changed))
    page.news(f"board:{board.pk}", {"board": layout.board_document(board)[1]})
    page.settle()
    assert figure(page, "n") == "?"

    page.news(f"board:{board.pk}", grid_layouts.figures(changed, value=0))
    page.settle()
    assert figure(page, "n") == "0"


def test_zero_none_and_unknown_look_different(show: Show, board: Board) -> None:
    shown = grid(card("n", "figure", 0, 0, 4, 3, figure="longest", window="60"))
    page = opened(show, board, shown)

    def told(**more: Any) -> tuple[str, str]:
        page.news(f"board:{board.pk}", grid_layouts.figures(shown, **more))
        page.settle()
        return figure(page, "n"), the(page, "n").locator(".card-note").inner_text()

    assert told(value=0) == ("0:00", "last 60 min")
    assert told(value=None) == ("–", "last 60 min")
    assert told(is_known=False, why="queues_unseen") == ("?", "calls do not show their queue")
    for unknown in ({"is_known": False}, {"at": fake_feeds.now_ms() - 600_000}):
        text, note = told(**unknown)
        assert (text, note[:13]) == ("?", "no data since")


def test_a_window_of_which_only_a_part_was_measured_says_so(show: Show, board: Board) -> None:
    shown = grid(card("n", "figure", 0, 0, 4, 3, figure="waiting", window="60"))
    page = opened(show, board, shown)

    def told(minutes: int) -> str:
        since = fake_feeds.now_ms() - 3_600_000
        page.news(f"board:{board.pk}", grid_layouts.figures(shown, value=5.4, since=since, measured_minutes=minutes))
        page.settle()
        return the(page, "n").locator(".card-note").inner_text()

    assert the(page, "n").locator(".card-title").inner_text() == "callers waiting on average"
    assert [told(22), told(59)] == ["last 60 min, 22 min measured", "last 60 min"]


def test_counted_calls_say_what_is_missing_and_since_when_they_count(show: Show, board: Board) -> None:
    shown = grid(card("n", "figure", 0, 0, 4, 3, figure="unanswered", window="60"), card("t", "totals", 4, 0, 8, 3))
    page = opened(show, board, shown)
    noon = 1_772_622_000_000
    foot, total = page.page.locator(".foot-gap"), the(page, "t").locator("[data-total=unanswered] .total-note")

    def told(**more: Any) -> tuple[str, str]:
        page.news(f"board:{board.pk}", grid_layouts.figures(shown, value=7, unanswered=7, **more))
        page.settle()
        return the(page, "n").locator(".card-note").inner_text(), total.inner_text()

    assert told(missing=None, counted_since=None) == ("last 60 min", "")
    expect(foot).to_be_hidden()
    gap = {"seconds": 95, "pieces": 1, "since": noon + 41 * 60_000, "until": noon + 43 * 60_000}
    assert told(missing=gap, counted_since=None) == ("last 60 min · *", "*")
    expect(foot).to_have_text(re.compile(r"^\* 2 min of call events are missing, .*12:41 to .*12:43$"))
    the(page, "t").locator("[data-total=unanswered]").hover()
    the(page, "t").locator("[data-about=unanswered]").click()
    expect(page.page.locator("#about")).to_contain_text("2 min of call events are missing")
    page.page.keyboard.press("Escape")
    note, of_total = told(missing=None, counted_since=noon)
    assert re.fullmatch(r"last 60 min · since .*12:00", note)
    assert re.fullmatch(r"since .*12:00", of_total)


def test_old_readings_grey_every_card_that_lives_on_them(show: Show, board: Board) -> None:
    page = opened(show, board, grid_layouts.EVERYTHING)

    page.news("queues", {"poll": fake_feeds.poll(read_ago_seconds=60)})
    page.news("calls", {"events": fake_feeds.events("down")})
    page.news("people", {"events": fake_feeds.events("down")})
    page.settle()

    for id in ("f1", "f2", "f3", "f4", "trend", "ribbon", "back"):
        expect(the(page, id)).to_have_attribute("data-level", "unknown")
        expect(the(page, id).locator(".card-note")).to_contain_text("no data since")
    assert set(the(page, "table").locator(".table-waiting").all_inner_texts()) == {"?"}
    expect(the(page, "people")).to_have_attribute("data-state", "unknown")
    expect(the(page, "clock").locator(".card-figure")).not_to_have_text("?")
    striped = "(node) => getComputedStyle(node).backgroundImage"
    assert the(page, "f1").evaluate(striped).startswith("repeating-linear-gradient")


def test_alarmed_queues_rise_in_the_table(show: Show, board: Board) -> None:
    page = opened(show, board, grid_layouts.EVERYTHING)
    names = the(page, "table").locator(".table-name")
    assert names.all_inner_texts()[:3] == ["Support", "Billing", "Sales"]

    page.news(
        "queues",
        {"queue:508": fake_feeds.queue(7, level="late", reason="waiting", waiting=9, since=fake_feeds.now_ms())},
    )
    page.settle()

    assert names.all_inner_texts()[:3] == ["Support", "Complaints", "Billing"]


def test_a_table_says_how_the_queues_stand_that_it_has_no_room_for(show: Show, board: Board) -> None:
    page = opened(show, board, grid(card("q", "table", 0, 0, 6, 4)))

    expect(the(page, "q").locator(".table-more")).to_have_text(re.compile(r"and \d more: all normal"))
    assert the(page, "q").locator(".table-row").count() < 8


def test_ribbon_call_backs_and_texts_say_what_they_hold(show: Show, board: Board) -> None:
    page = opened(show, board, grid_layouts.EVERYTHING)

    assert the(page, "ribbon").locator(".lane-sum").all_inner_texts() == [
        "47 min with a queue over target",
        "7 min waiting, nobody available",
    ]
    assert figure(page, "back") == "7"
    expect(the(page, "notice").locator(".card-text")).to_have_text(board.notice)
    expect(the(page, "text").locator(".card-text")).to_have_text("Lunch is at 12.\nUse line 3 for parcels.")
    expect(the(page, "clock").locator(".card-title")).to_have_text("New York")
    assert (the(page, "trend").locator(".trend-line").get_attribute("d") or "").count("L") == 59


def test_only_chosen_people_and_queues_stand_on_a_card(show: Show, board: Board) -> None:
    shown = grid(
        card("p", "people", 0, 0, 4, 4, people=["101", "103"], title="Team"),
        card("q", "tiles", 4, 0, 6, 4, queues=["503", "501"], title="Ours"),
    )

    page = opened(show, board, shown)

    assert the(page, "p").locator(".person-name").all_inner_texts() == [
        "Carla",
        "Ana",
    ]  # who rings stands before who talks
    assert the(page, "q").locator(".queue-card-name").all_inner_texts() == ["Billing", "Support"]
    expect(the(page, "p").locator("h2")).to_have_text("Team")
    expect(the(page, "q").locator(".tiles-title")).to_have_text("Ours")


@pytest.mark.parametrize("is_grid", [True, False])
def test_a_queue_that_is_off_every_board_is_off_the_cards_that_name_it(show: Show, board: Board, is_grid: bool) -> None:
    named = ["501", "502"]
    tiles = grid(card("q", "tiles", 0, 0, 6, 12, queues=named), card("t", "table", 6, 0, 6, 12, queues=named))
    page = opened(show, board, tiles if is_grid else Layout(("queues",), tuple(named)))
    names = page.page.locator(".queue-card-name, .table-row .table-name")
    expect(names).to_have_text(["Support", "Sales"] * (1 + is_grid))

    page.news("queues", {}, gone=("about:501",))
    expect(names).to_have_text(["Sales"] * (1 + is_grid))
    page.news("queues", {}, gone=("about:502",))
    expect(names).to_have_count(0)
    expect(page.page.locator(".queues-hidden")).to_be_visible()
    expect(page.page.get_by_text("Waiting for the first queues")).to_be_hidden()


def test_a_page_follows_from_one_form_of_layout_to_the_other(show_tv: Show, board: Board) -> None:
    page = show_tv()
    page.fill(4, 6, 3)
    page.page.evaluate("window.isTheSamePage = true")
    expect(page.page.locator(".totals")).to_be_visible()

    for shown, count in ((grid_layouts.ONE_BIG, 3), (Layout(), 4)):
        changed = editing.update(board, replace(editing.current_input(board), layout=shown))
        page.news(f"board:{board.pk}", {"board": layout.board_document(changed)[1]})
        expect(page.page.locator(".card")).to_have_count(count)

    expect(page.page.locator(".queue-card")).to_have_count(4)
    assert page.page.evaluate("window.isTheSamePage")


def test_every_card_explains_itself_by_keyboard(show: Show, board: Board) -> None:
    page = opened(show, board, grid_layouts.EVERYTHING)
    box = page.page.locator("#about")
    expected = {
        "f4": ["derived", "a person answered", "today", "Europe/Berlin", "counted at"],
        "f1": ["measured", "the sum over the queues", "now", "Europe/Berlin", "read"],
        "table": ["measured", "now", "read"],
        "ribbon": ["derived", "By quarter hour", "last 24 hours, since", "Europe/Berlin", "counted at"],
        "people": ["derived", "now", "Live, as call events come"],
    }

    for id, words in expected.items():
        the(page, id).locator(".about").press("Enter")
        for word in words:
            expect(box).to_contain_text(word)
        page.page.keyboard.press("Escape")
        expect(box).to_be_hidden()
        expect(the(page, id).locator(".about")).to_be_focused()


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_grid_is_accessible(show: Show, board: Board, theme: str) -> None:
    with_theme(board, theme)
    board.refresh_from_db()
    page = opened(show, board, grid_layouts.EVERYTHING, bypass_csp=True)

    assert violations(page.page) == []


def test_the_browser_and_the_server_agree_on_kinds_and_purposes(show: Show, board: Board) -> None:
    page = show()
    least = page.page.evaluate("import('/static/js/views/boxes.js').then((module) => module.LEAST)")
    purposes = page.page.evaluate(
        "(cards) => import('/static/js/views/card-scope.js').then((module) => cards.map(module.purpose))",
        [each.as_json() for each in grid_layouts.EVERYTHING.cards or ()],
    )

    counting = [figures.figure_spec(each) for each in grid_layouts.EVERYTHING.cards or ()]
    assert least == {name: kind.least_width for name, kind in kinds.KINDS.items()}
    assert [theirs for theirs, ours in zip(purposes, counting, strict=True) if ours] == [
        ours for ours in counting if ours
    ]
