"""On a board: what people say of themselves, "closed" in place of an alarm, and how late calls are there."""

import re

from playwright.sync_api import expect

from tests.boards import fake_feeds
from tests.boards.conftest import Show


def test_a_closed_queue_says_so_in_place_of_a_level(show: Show) -> None:
    board = show()
    board.fill(8, 8, 3)
    card = board.page.locator(".queue-card[data-key='501']")
    expect(card).to_have_attribute("data-level", "late")

    board.news("queues", {"queue:501": fake_feeds.queue(0, level="normal", reason="closed")})

    expect(card.locator(".queue-card-word")).to_have_text("Closed")
    expect(card).to_have_attribute("data-level", "closed")
    expect(card.locator(".queue-card-figure")).to_have_text("6")
    expect(card.locator(".queue-card-for")).to_have_text("")
    closed = fake_feeds.queue(0, level="normal", reason="closed")
    board.news("queues", {"queue:501": {**closed, "opens_at": fake_feeds.now_ms() + 2 * 86_400_000}})
    expect(card.locator(".queue-card-for")).to_have_text(re.compile(r"^opens (Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d+:\d\d$"))


def test_a_person_on_an_outside_call_shows_whom_the_viewers_calls_show(show: Show) -> None:
    board = show()
    board.fill(2, 8, 0)
    ana = {**fake_feeds.people(1)["101"], "state": "ringing", "with": "", "since": fake_feeds.now_ms() - 7000}
    leg = fake_feeds.calls(1, masked=False)["900"]
    leg["to"] = {"name": "Ana", "number": "101", "extension": "101"}
    person = board.page.locator(".person[data-key='101']")

    board.news("people", {"101": ana})
    expect(person.locator(".person-time")).to_have_text(re.compile(r"^0:\d\d$"))
    expect(person.locator(".person-with")).to_have_text("")
    board.news("calls", {"900": {**leg, "direction": "internal"}})

    expect(person.locator(".person-with")).to_have_text("030 9018 100")
    expect(person).to_have_attribute("title", re.compile(r"^Ana, ringing since .*, 030 9018 100$"))
    expect(board.page.locator(".call-sides")).to_have_text(re.compile(r"^030 9018 100 ↔ internal"))


def test_what_somebody_says_stands_beside_the_state_until_its_time(show: Show) -> None:
    board = show()
    board.fill(8, 8, 3)
    until = fake_feeds.now_ms() + 4000
    ana = fake_feeds.people(1)["101"] | {"state": "idle"}
    board.news("people", {"101": {**ana, "status": {"kind": "lunch", "note": "canteen", "since": 1, "until": until}}})
    person = board.page.locator(".person[data-key='101']")

    expect(person.locator(".person-with")).to_contain_text("lunch, back")
    expect(person.locator(".person-word")).to_have_text("idle")
    expect(person).to_have_attribute("data-has-status", "true")
    expect(person).to_have_attribute("data-has-status", "false", timeout=8000)
    expect(person.locator(".person-with")).to_have_text("")


def test_a_change_of_one_person_touches_no_other_cell(show: Show) -> None:
    board = show()
    board.fill(4, 20, 0)
    board.page.evaluate("""() => {
        window.touched = new Set();
        const cell = (node) => (node.closest ? node : node.parentElement).closest("[data-key]").dataset.key;
        const watch = new MutationObserver((list) => list.forEach((each) => window.touched.add(cell(each.target))));
        const some = { attributes: true, attributeFilter: ["data-state", "title"] };
        const kinds = Object.assign(some, { subtree: true, childList: true, characterData: true });
        watch.observe(document.querySelector(".people-grid"), kinds);
    }""")

    board.news("people", {"101": {**fake_feeds.people(1)["101"], "state": "calling"}})
    board.settle()

    touched = set(board.page.evaluate("() => Array.from(window.touched)"))
    assert "101" in touched
    assert not any(key.isdigit() for key in touched - {"101"}), "its place in the list may change"


def test_a_desk_tells_how_late_calls_are_there(show: Show) -> None:
    shown = show()
    shown.fill(2, 4, 1)
    lag = shown.page.locator(".foot-lag")
    expect(lag).to_be_hidden()

    shown.news("calls", {"900": fake_feeds.calls(1)["900"] | {"since": fake_feeds.now_ms() - 6000}})
    seconds = re.compile(r"here after [2-9]\.\d s")  # a page that heard the time late counts from there
    expect(lag).to_have_text(seconds)
    expect(lag).to_be_visible()
    shown.news("people", {"101": fake_feeds.people(1)["101"] | {"since": fake_feeds.now_ms() - 60_000}})
    shown.settle()
    expect(lag).to_have_text(seconds)  # what is older than that is no news

    shown.news("calls", {"events": fake_feeds.events("down")})
    expect(lag).to_be_hidden()
