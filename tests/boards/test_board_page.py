"""The board page in a real browser tells old from live, and shows a TV no numbers."""

import re

import pytest
from playwright.sync_api import expect

from tests.boards import fake_feeds
from tests.boards.conftest import Show
from wallboard.boards import editing, layout
from wallboard.boards.models import Board

SOON = """const set = window.setTimeout;  // the seconds that a page takes its time for become hundredths
window.setTimeout = (what, ms) => set(what, ms > 1000 ? ms / 100 : ms);"""
LOCK = """Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
    if (localStorage.getItem("refuses")) throw new DOMException("no battery", "NotAllowedError");
    return (window.lock = new EventTarget());
} } });"""


def test_a_queue_says_how_it_stands_in_shape_and_word(show: Show) -> None:
    shown = show()
    shown.fill(6, 4, 1)

    cards = shown.page.locator(".queue-card")
    assert [cards.nth(index).get_attribute("data-level") for index in range(3)] == ["late", "normal", "watch"]
    expect(cards.nth(0).locator(".queue-card-level")).to_have_text("Late for 3 min", use_inner_text=True)
    expect(cards.nth(1).locator(".queue-card-word")).to_have_text("")
    expect(cards.nth(2).locator(".queue-card-word")).to_have_text("Watch")
    shapes = (
        "(nodes) => nodes.slice(0, 3).map((node) => [getComputedStyle(node).display, getComputedStyle(node).clipPath])"
    )
    late, normal, watch = shown.page.eval_on_selector_all(".queue-card .shape", shapes)
    assert normal[0] == "none"
    assert late[1] != watch[1]


def test_totals_add_what_may_be_added(show: Show) -> None:
    shown = show()
    shown.fill(3, 4, 1)

    assert shown.text('[data-total="waiting"] .total-figure') == "11"
    assert re.fullmatch(r"4:(08|09|10|11)", shown.text('[data-total="longest"] .total-figure'))
    assert shown.text('[data-total="average"] .total-figure') == "1:09"  # (6 * 99 + 2 * 16 + 3 * 44) / 11
    assert shown.text('[data-total="late"] .total-figure') == "24"
    assert shown.text('[data-total="unanswered"] .total-figure') == "7"


def test_zero_none_and_unknown_look_different(show: Show) -> None:
    shown = show()
    shown.fill(4, 4, 1)
    missing = fake_feeds.now_ms() - 600_000

    shown.news("queues", {"queue:503": fake_feeds.queue(2, missing_since=missing)})
    shown.settle()

    empty, gone = shown.page.locator(".queue-card").nth(3), shown.page.locator(".queue-card").nth(2)
    expect(empty.locator(".queue-card-figure")).to_have_text("0")
    expect(empty.locator(".queue-card-longest")).to_have_text("–")
    expect(empty.locator(".queue-card-longest")).to_be_visible()
    expect(gone.locator(".queue-card-figure")).to_have_text("?")
    expect(gone.locator(".queue-card-word")).to_have_text(re.compile(r"no data since \d\d?:\d\d"))
    expect(gone.locator(".queue-card-last")).to_have_text("last known: 3 waiting")
    expect(gone.locator(".queue-card-longest")).to_be_hidden()
    assert gone.evaluate("(node) => getComputedStyle(node).backgroundImage").startswith("repeating-linear-gradient")
    expect(shown.page.locator('[data-total="waiting"] .total-note')).to_have_text("3 of 4 queues")


def test_a_wait_goes_on_between_two_readings_while_somebody_waits(show: Show) -> None:
    shown = show()
    shown.fill(4, 4, 1)
    before = shown.text(".queue-card-longest")

    expect(shown.page.locator(".queue-card-longest").first).not_to_have_text(before, timeout=4000)
    expect(shown.page.locator(".queue-card-longest").nth(3)).to_have_text("–")


def test_readings_that_stop_are_dimmed_under_one_banner(show: Show) -> None:
    shown = show()
    shown.fill(4, 4, 1, read_ago_seconds=10, interval_seconds=5)
    expect(shown.page.locator(".queue-card-figure").first).to_have_text("6")

    card = shown.page.locator(".queue-card").first
    expect(card).to_have_attribute("data-level", "unknown", timeout=4000)

    expect(card.locator(".queue-card-figure")).to_have_text("6")
    expect(card.locator(".queue-card-level")).to_have_text("last known", use_inner_text=True)
    expect(card.locator(".queue-card-longest")).to_have_text("4:08")
    assert card.evaluate("(node) => getComputedStyle(node).backgroundImage").startswith("repeating-linear-gradient")
    expect(shown.page.locator(".total").first).to_have_attribute("data-state", "unknown")
    expect(shown.page.locator(".alert-line-text")).to_have_text(
        re.compile(r"^No new figures since \d+:\d\d\. These are the last known figures\.$")
    )
    expect(shown.page.locator(".foot-queues")).to_have_attribute("data-light", "bad")

    shown.news("queues", {"poll": fake_feeds.poll()})
    expect(card).to_have_attribute("data-level", "late")
    expect(shown.page.locator(".alert-line-text")).to_have_text("1 late · 1 on watch")


def test_queues_that_are_all_hidden_are_not_waited_for(show: Show) -> None:
    shown = show()
    shown.fill(2, 2, 0)
    expect(shown.page.locator(".queue-card")).to_have_count(2)

    shown.news("queues", {key: None for key in fake_feeds.queues(2) if key.startswith("about:")})

    expect(shown.page.locator(".queues-hidden")).to_contain_text("All queues are hidden from boards")
    expect(shown.page.get_by_text("Waiting for the first queues")).to_be_hidden()
    shown.news("queues", {key: doc for key, doc in fake_feeds.queues(2).items() if key.startswith("about:")})
    expect(shown.page.locator(".queue-card")).to_have_count(2)
    expect(shown.page.locator(".queues-hidden")).to_be_hidden()


def test_a_failing_poll_says_why(show: Show) -> None:
    shown = show()

    shown.fill(4, 4, 1, read_ago_seconds=60, failure="unreachable", failing_since=fake_feeds.now_ms() - 50_000)

    expect(shown.page.locator(".foot-queues")).to_have_text(
        "queues old: 1 min, the provider cannot be reached, trying now"
    )
    expect(shown.page.locator(".alert-line-text")).to_contain_text(
        re.compile(r"No new figures since \d+:\d\d: the provider cannot be reached\.")
    )


def test_a_failing_poll_says_when_it_is_tried_again(show: Show) -> None:
    shown = show()
    failing = {"failure": "token_refused", "failing_since": fake_feeds.now_ms() - 50_000}

    shown.fill(4, 4, 1, read_ago_seconds=60, next_try_at=fake_feeds.now_ms() + 3_500, **failing)

    foot = shown.page.locator(".foot-queues")
    expect(foot).to_have_text("queues old: 1 min, the provider refuses our access, next try in 2 s")
    expect(foot).to_have_text("queues old: 1 min, the provider refuses our access, trying now")


@pytest.mark.parametrize("state", ["down", "starting"])
def test_people_and_calls_are_unknown_while_events_cannot_be_trusted(show: Show, state: str) -> None:
    shown = show()
    shown.fill(4, 6, 3)
    expect(shown.page.locator(".call")).to_have_count(3)

    shown.news("people", {"events": fake_feeds.events(state)})
    shown.news("calls", {"events": fake_feeds.events(state)})
    shown.settle()

    expect(shown.page.locator(".call")).to_have_count(0)
    assert set(shown.page.locator(".person-word").all_inner_texts()) == {"?"}
    assert set(shown.page.locator(".person-time").all_inner_texts()) == {""}
    expect(shown.page.locator(".people-summary")).to_be_hidden()
    expect(shown.page.locator('[data-total="unanswered"]')).to_have_attribute("data-state", "unknown")


def test_a_silent_server_makes_everything_unknown(show: Show) -> None:
    shown = show()
    shown.page.clock.install()
    shown.page.reload()
    shown.fill(4, 6, 3)

    shown.is_mute = True
    shown.page.clock.run_for(35_000)

    levels = "(cards) => cards.map((card) => card.dataset.level)"
    assert set(shown.page.eval_on_selector_all(".queue-card", levels)) == {"unknown"}
    expect(shown.page.locator(".alert-line-text")).to_contain_text("No connection to the server since")
    assert set(shown.page.locator(".person-word").all_inner_texts()) == {"?"}
    expect(shown.page.locator(".call")).to_have_count(0)
    expect(shown.page.locator(".foot-link")).to_be_visible()


@pytest.mark.parametrize("is_tv", [True, False])
def test_a_tv_takes_the_pages_of_a_new_release_and_a_persons_board_stays(
    show: Show, show_tv: Show, is_tv: bool
) -> None:
    shown = show_tv() if is_tv else show()
    shown.page.add_init_script(SOON)
    shown.page.reload()
    shown.fill(4, 6, 3)
    shown.page.evaluate("window.isTheSamePage = true")

    shown.ping()
    shown.page.wait_for_timeout(400)
    assert shown.page.evaluate("window.isTheSamePage")
    shown.say({"ping": fake_feeds.now_ms(), "release": "next"})

    if is_tv:
        shown.page.wait_for_function("() => !window.isTheSamePage")
    else:
        shown.page.wait_for_timeout(400)
        assert shown.page.evaluate("window.isTheSamePage"), "somebody may be doing something here"


def test_a_tv_says_whether_it_is_kept_awake(show_tv: Show) -> None:
    shown = show_tv()
    shown.page.add_init_script(LOCK)
    shown.page.reload()
    foot = shown.page.locator(".foot-screen")
    expect(foot).to_have_text("North wall · screen kept awake")

    shown.page.evaluate("window.lock.dispatchEvent(new Event('release'))")
    expect(foot).to_have_text("North wall · screen may sleep")
    shown.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(foot).to_have_text("North wall · screen kept awake")

    shown.page.evaluate("localStorage.setItem('refuses', 'yes')")
    shown.page.reload()
    expect(foot).to_have_text("North wall · screen may sleep")


def test_a_changed_board_changes_without_a_reload(show: Show, board: Board) -> None:
    shown = show()
    shown.fill(4, 6, 3)
    chosen = layout.Layout(("queues", "calls"), ("503", "501"))
    changed = editing.update(board, editing.BoardInput("North", "light", "Fire drill at noon", chosen))

    shown.news(f"board:{board.pk}", {"board": layout.board_document(changed)[1]})
    shown.settle()

    assert shown.text("h1") == "North"
    assert shown.text(".board-notice") == "Fire drill at noon"
    assert shown.page.locator(".queue-card-name").all_inner_texts() == ["Billing", "Support"]
    expect(shown.page.locator(".people")).to_be_hidden()
    expect(shown.page.locator(".totals")).to_be_hidden()
    expect(shown.page.locator("html")).to_have_attribute("data-theme", "light")
    assert shown.page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(243, 241, 236)"


def test_a_tv_shows_no_phone_numbers_and_no_controls(show_tv: Show) -> None:
    tv = show_tv()
    tv.fill(6, 24, 5)

    assert "screen=1" in tv.addresses[0]
    expect(tv.page.locator(".call")).not_to_have_count(0)
    assert "••• ••10" in tv.text(".calls-list")
    assert not re.search(r"\d{3,}", " ".join(tv.page.locator(".call-sides").all_inner_texts()))
    assert tv.page.locator("main button, main a, nav").count() == 0


def test_a_call_in_a_queue_waits_until_it_rings_somewhere(show: Show) -> None:
    shown = show()
    shown.fill(3, 4, 1)
    call = fake_feeds.calls(1)["900"]
    in_queue = {**call, "id": 950, "call": "c", "state": "waiting", "queue": "502"}

    shown.news("calls", {"950": in_queue})
    shown.settle()
    expect(shown.page.locator(".calls-count")).to_have_text("1 · 1 waiting")
    assert shown.page.locator(".call-state").all_inner_texts() == ["ringing"]

    shown.news("calls", {"951": {**call, "id": 951, "call": "c"}})
    shown.settle()
    assert shown.page.locator(".call-state").all_inner_texts() == ["ringing", "ringing"]


def test_a_figure_explains_itself_by_keyboard(show: Show) -> None:
    shown = show()
    shown.fill(3, 4, 1)
    box = shown.page.locator("#about")

    shown.page.locator(".queue-card .about").first.press("Enter")

    expect(box.locator("h2")).to_have_text("Support")
    expect(box).to_contain_text(re.compile(r"Late since \d\d?:\d\d"))
    expect(box).to_contain_text(re.compile(r"Longest wait 4:\d\d; the limit is 2:00\."))
    expect(box).to_contain_text("measured")
    shown.page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(shown.page.locator(".queue-card .about").first).to_be_focused()


def test_totals_say_how_they_come_about(show: Show) -> None:
    shown = show()
    shown.fill(3, 4, 1)

    shown.page.locator('[data-total="unanswered"] .about').click()

    expect(shown.page.locator("#about")).to_contain_text("derived")
    expect(shown.page.locator("#about")).to_contain_text("148 ended in all")


def test_a_change_of_level_is_said_aloud(show: Show) -> None:
    shown = show()
    shown.fill(3, 4, 1)

    shown.news("queues", {"queue:502": fake_feeds.queue(1, level="late", reason="waiting", since=fake_feeds.now_ms())})

    expect(shown.page.locator("#announcement")).to_have_text("Sales: Late")
