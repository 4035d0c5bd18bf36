"""What single cards cover and when they turn: people and calls of a card, and levels on every kind that has them."""

from playwright.sync_api import expect

from tests.boards import fake_feeds, grid_layouts
from tests.boards.conftest import Show
from tests.boards.grid_layouts import card, grid
from tests.boards.test_board_cards import figure, opened, the
from wallboard.boards import layout
from wallboard.boards.models import Board

THREE = ["101", "102", "103"]
OF_PEOPLE = ("talking", "ringing", "idle")


def test_cards_count_people_and_calls_and_turn_at_their_own_levels(show: Show, board: Board) -> None:
    def levels(watch: int, late: int) -> dict[str, object]:
        return {"watch": watch, "late": late, "below": False}

    shown = grid(
        *[card(name, "figure", index * 2, 0, 2, 3, figure=name) for index, name in enumerate(OF_PEOPLE)],
        card("three", "figure", 6, 0, 2, 3, figure="talking", people=THREE),
        card("up", "figure", 8, 0, 2, 3, figure="calls", levels=levels(3, 9)),
        card("one", "calls", 0, 3, 4, 4, people=["103"], levels=levels(1, 9)),
        card("of", "calls", 4, 3, 4, 4, queues=["501"], title="Support's"),
        card("all", "totals", 0, 7, 12, 2, levels=levels(5, 12)),
        card("day", "ribbon", 0, 9, 6, 3, levels=levels(10, 40)),
    )
    page = opened(show, board, shown)
    people = [each for key, each in fake_feeds.people(24).items() if key != "events"]

    counted = {name: int(figure(page, name)) for name in OF_PEOPLE}
    assert counted == {name: sum(each["state"] == name for each in people) for name in OF_PEOPLE}
    assert int(figure(page, "three")) == sum(
        each["state"] == "talking" for each in people if each["extension"] in THREE
    )
    assert figure(page, "up") == "5"
    expect(the(page, "up")).to_have_attribute("data-level", "watch")
    assert the(page, "one").locator(".call-near").all_inner_texts() == ["Ines"]  # at 103
    expect(the(page, "one").locator(".card-word")).to_have_text("Watch")
    expect(the(page, "of").locator(".calls-empty")).to_be_visible()
    waiting = the(page, "all").locator("[data-total=waiting]")
    expect(waiting).to_have_attribute("data-level", "late")  # 12 wait
    expect(waiting.locator(".card-word")).to_have_text("Late")
    expect(the(page, "all").locator("[data-total=longest] .card-level")).to_be_hidden()
    expect(the(page, "day")).to_have_attribute("data-level", "late")  # 47 minutes

    first = next(iter(each for key, each in fake_feeds.calls(1, masked=False).items() if key != "events"))
    page.news("calls", {"900": {**first, "via": ["501"]}})
    expect(the(page, "of").locator(".call")).to_have_count(1)
    page.news("people", {"events": fake_feeds.events("down")})
    page.settle()
    assert figure(page, "idle") == "?"


def test_totals_and_tiles_tell_their_time_and_what_rests_on_queue_legs_is_an_estimate(show: Show, board: Board) -> None:
    some = {"queues": ["501", "502"]}
    shown = grid(
        card("all", "totals", 0, 0, 12, 2, **some),
        card("lost", "figure", 0, 2, 3, 3, figure="unanswered", window="today", **some),
        card("every", "figure", 3, 2, 3, 3, figure="unanswered", window="today"),
        card("late", "figure", 6, 2, 3, 3, figure="late_minutes", window="60", **some),
        card("one", "queue", 0, 5, 4, 4, queues=["501"]),
        card("back", "callbacks", 9, 2, 3, 3, **some),
    )
    page = opened(show, board, shown)
    box = page.page.locator("#about")
    expected = {
        "[data-about=late]": ["derived", "today, since", "Europe/Berlin", "Support, Sales", "counted at"],
        "[data-about=unanswered]": ["estimated", "told by its legs", "today, since", "Support, Sales", "counted at"],
        "[data-about=longest]": ["measured", "now", "Europe/Berlin", "Support, Sales", "read"],
        "[data-key$=' lost'] .about": ["estimated", "told by its legs", "today, since", "Support, Sales"],
        "[data-key$=' every'] .about": ["derived", "today, since"],
        "[data-key$=' late'] .about": ["derived", "last 60 min, since"],
        "[data-key$=' back'] .about": ["estimated", "last three days", "Support, Sales", "counted at"],
        "[data-about=queue]": ["measured", "now", "Europe/Berlin", "read"],
    }

    for selector, words in expected.items():
        page.page.locator(selector).press("Enter")
        for word in words:
            expect(box).to_contain_text(word)
        page.page.keyboard.press("Escape")


def test_the_browser_knows_which_queues_a_board_is_about(show: Show, board: Board) -> None:
    one = card("q", "queue", 0, 0, 4, 4, queues=["502"])
    boards = [
        grid(one, card("c", "calls", 4, 0, 4, 4), card("n", "figure", 8, 0, 4, 4, figure="talking")),
        grid(one, card("c", "calls", 4, 0, 4, 4, queues=["501"])),
        grid(one, card("n", "figure", 8, 0, 4, 4, figure="calls", queues=["503"])),
        grid(one, card("n", "figure", 8, 0, 4, 4)),
        grid_layouts.ONE_BIG,
    ]
    page = show()

    numbers = page.page.evaluate(
        """(layouts) => import('/static/js/alerts/list.js').then(({ numbersOf }) =>
        layouts.map((layout) => { const found = numbersOf(layout); return found && [...found].sort(); }))""",
        [each.as_json() for each in boards],
    )

    assert numbers == [["502"], ["501", "502"], ["502", "503"], None, ["501"]]


def test_a_figure_of_people_keeps_people_and_no_queues() -> None:
    raw = card("n", "figure", 0, 0, 3, 3, figure="idle", queues=["501"], people=["101"])

    read = (layout.parse({"rows": 12, "cards": [raw]}).cards or ())[0]

    assert (read.queues, read.people) == (None, ("101",))
