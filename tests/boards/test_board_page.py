"""The board page in a real browser: it fits its screen, tells old from live, and shows a TV no numbers."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from playwright.sync_api import expect

from tests.boards import floor
from tests.boards.conftest import Show, SignIn
from tests.boards.showing import ShownBoard
from tests.harness.browser import Pages
from wallboard.boards import editing, layout, screens
from wallboard.boards.models import Board

SCREENSHOTS = Path(settings.BASE_DIR) / "tests" / "screenshots"
SIZES = {"720p": (1280, 720), "1080p": (1920, 1080), "4k": (3840, 2160), "portrait": (1080, 1920)}
COUNTS = {1: (4, 2), 6: (24, 5), 12: (30, 9), 40: (100, 20)}

# Every box with text of its own must lie inside the window, must not be cut off and must not lie on another one.
MEASURE = """() => {
  const visible = (node, card) => {
    const own = node.getBoundingClientRect();
    const rect = { left: own.left, right: own.right, top: own.top, bottom: own.bottom };
    for (let each = node; each !== card; each = each.parentElement) {
      const box = each.getBoundingClientRect();
      if (getComputedStyle(each).overflow !== "hidden") continue;
      Object.assign(rect, { left: Math.max(rect.left, box.left), right: Math.min(rect.right, box.right) });
    }
    return Object.assign(rect, { width: rect.right - rect.left, height: rect.bottom - rect.top });
  };
  const wrong = [];
  const size = { w: window.innerWidth, h: window.innerHeight };
  if (document.documentElement.scrollHeight > size.h) wrong.push("the page scrolls down");
  if (document.documentElement.scrollWidth > size.w) wrong.push("the page scrolls sideways");
  const cards = Array.from(document.querySelectorAll(".queue-card, .total, .person, .call"));
  for (const card of cards) {
    const box = card.getBoundingClientRect();
    const name = card.className + " " + card.textContent.trim().slice(0, 40);
    if (box.width < 8 || box.height < 8) wrong.push(name + " has no size");
    const isOutside = box.right > size.w + 1 || box.bottom > size.h + 1 || box.left < -1 || box.top < -1;
    if (isOutside) wrong.push(name + " is outside");
    const texts = Array.from(card.querySelectorAll("*")).filter((each) => {
      const own = Array.from(each.childNodes).some((node) => node.nodeType === 3 && node.textContent.trim());
      const style = getComputedStyle(each);
      return own && each.offsetParent && style.clip !== "rect(0px, 0px, 0px, 0px)" && style.position !== "absolute";
    });
    const rects = texts.map((each) => [each, visible(each, card)]).filter((pair) => pair[1].width > 1);
    for (const [each, rect] of rects) {
      const isWide = rect.right > box.right + 1.5 || rect.left < box.left - 1.5;
      if (isWide || rect.bottom > box.bottom + 1.5 || rect.top < box.top - 3)
        wrong.push(name + ": " + each.className + " is cut off");
    }
    for (let one = 0; one < rects.length; one += 1) for (let other = one + 1; other < rects.length; other += 1) {
      const [a, b] = [rects[one][1], rects[other][1]];
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      const contains = rects[one][0].contains(rects[other][0]) || rects[other][0].contains(rects[one][0]);
      if (!contains && wide > 1 && high > 0.3 * Math.min(a.height, b.height))
        wrong.push(name + ": " + rects[one][0].className + " lies on " + rects[other][0].className);
    }
  }
  return wrong;
}"""
SMALLEST = """() => Math.min(...Array.from(document.querySelectorAll(".board *")).filter((each) => {
  const own = Array.from(each.childNodes).some((node) => node.nodeType === 3 && node.textContent.trim());
  const isHeard = getComputedStyle(each).clip === "rect(0px, 0px, 0px, 0px)" || each.closest(".only-heard");
  return own && each.offsetParent && !isHeard;
}).map((each) => parseFloat(getComputedStyle(each).fontSize)))"""


@pytest.fixture
def show_tv(show: Show, board: Board) -> Show:
    """Open the board as a TV does."""

    def shown(width: int = 1920, height: int = 1080, **more: Any) -> ShownBoard:
        _, token = screens.make(board, "North wall")
        client = Client()
        client.get(f"/screen/{token}/")
        tv = show(width, height, path="/screen/", client=client, **more)
        tv.calls_feed = "wall"
        return tv

    return shown


def with_theme(board: Board, theme: str) -> None:
    editing.change(board, replace(editing.wish_of(board), theme=theme))


@pytest.mark.parametrize("queues", COUNTS)
@pytest.mark.parametrize("size", SIZES)
def test_the_board_fills_its_screen_without_scrolling(show_tv: Show, size: str, queues: int) -> None:
    tv = show_tv(*SIZES[size])

    tv.fill(queues, *COUNTS[queues])

    assert tv.page.evaluate(MEASURE) == []
    assert tv.page.locator(".queue-card").count() == queues
    assert tv.page.locator(".person").count() == COUNTS[queues][0]
    foot = tv.page.locator(".board-foot").bounding_box()
    assert foot is not None
    assert foot["y"] + foot["height"] > SIZES[size][1] * 0.95


@pytest.mark.parametrize("queues", [1, 2, 3, 4, 6, 8])
def test_figures_can_be_read_from_afar(show_tv: Show, queues: int) -> None:
    tv = show_tv(1920, 1080)

    tv.fill(queues, 16, 4)

    sizes = "(nodes) => nodes.map((node) => parseFloat(getComputedStyle(node).fontSize))"
    assert min(tv.page.eval_on_selector_all(".queue-card-figure", sizes)) >= 96
    assert tv.page.evaluate(SMALLEST) >= 23.5


@pytest.mark.parametrize("figures", [{"waiting": 128, "longest_wait": 4000, "average_wait": 3700}, {"waiting": 12}])
@pytest.mark.parametrize("queues", [6, 12, 40])
def test_large_figures_stay_inside_their_card(show_tv: Show, queues: int, figures: dict[str, int]) -> None:
    tv = show_tv(1280, 720)
    tv.fill(queues, 12, 3)

    tv.news("queues", {f"queue:{501 + index}": floor.queue(index, **figures) for index in range(queues)})
    tv.settle()

    assert tv.page.evaluate(MEASURE) == []


def test_a_long_name_is_shortened_and_nothing_else_suffers(show_tv: Show) -> None:
    tv = show_tv(1280, 720)
    tv.fill(6, 12, 3)
    name = "Ersatzteile und Reklamationen Werkstatt Nord"

    tv.news("queues", {"about:501": {**floor.about(0), "name": name}})
    tv.settle()

    assert tv.page.evaluate(MEASURE) == []


@pytest.mark.parametrize("size", [(390, 844), (768, 1024)])
def test_small_screens_scroll_down_only(show: Show, size: tuple[int, int]) -> None:
    shown = show(*size)

    shown.fill(6, 24, 5)

    wide, high = shown.page.evaluate(
        "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    )
    assert wide == size[0]
    assert high > size[1]


def test_a_queue_says_how_it_stands_in_shape_and_word(show: Show) -> None:
    shown = show()
    shown.fill(6, 4, 1)

    cards = shown.page.locator(".queue-card")
    assert [cards.nth(index).get_attribute("data-level") for index in range(3)] == ["late", "normal", "watch"]
    expect(cards.nth(0).locator(".queue-card-level")).to_have_text("Late3 min")
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
    assert shown.text('[data-total="late"] .total-figure') == "23"
    assert shown.text('[data-total="unanswered"] .total-figure') == "7"


def test_zero_none_and_unknown_look_different(show: Show) -> None:
    shown = show()
    shown.fill(4, 4, 1)
    missing = floor.now_ms() - 600_000

    shown.news("queues", {"queue:503": floor.queue(2, missing_since=missing)})
    shown.settle()

    empty, gone = shown.page.locator(".queue-card").nth(3), shown.page.locator(".queue-card").nth(2)
    expect(empty.locator(".queue-card-figure")).to_have_text("0")
    expect(empty.locator(".queue-card-longest")).to_have_text("–")
    expect(empty.locator(".queue-card-longest")).to_be_visible()
    expect(gone.locator(".queue-card-figure")).to_have_text("?")
    expect(gone.locator(".queue-card-since")).to_have_text(re.compile(r"no data since \d\d?:\d\d"))
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


def test_readings_that_stop_turn_into_question_marks(show: Show) -> None:
    shown = show()
    shown.fill(4, 4, 1, read_ago_seconds=14, interval_seconds=5)
    expect(shown.page.locator(".queue-card-figure").first).to_have_text("6")

    expect(shown.page.locator(".queue-card-figure").first).to_have_text("?", timeout=4000)

    expect(shown.page.locator(".total-figure").first).to_have_text("?")
    expect(shown.page.locator(".foot-queues")).to_have_attribute("data-light", "bad")

    shown.news("queues", {"poll": floor.poll()})
    expect(shown.page.locator(".queue-card-figure").first).to_have_text("6")


def test_a_failing_poll_says_why(show: Show) -> None:
    shown = show()

    shown.fill(4, 4, 1, read_ago_seconds=60, failure="unreachable", failing_since=floor.now_ms() - 50_000)

    expect(shown.page.locator(".foot-queues")).to_have_text("queues old: 1 min, the provider cannot be reached")


@pytest.mark.parametrize("state", ["down", "starting"])
def test_people_and_calls_are_unknown_while_events_cannot_be_trusted(show: Show, state: str) -> None:
    shown = show()
    shown.fill(4, 6, 3)
    expect(shown.page.locator(".call")).to_have_count(3)

    shown.news("people", {"events": floor.events(state)})
    shown.news("calls", {"events": floor.events(state)})
    shown.settle()

    expect(shown.page.locator(".call")).to_have_count(0)
    assert set(shown.page.locator(".person-word").all_inner_texts()) == {"?"}
    assert set(shown.page.locator(".person-time").all_inner_texts()) == {""}
    expect(shown.page.locator(".people-summary")).to_be_hidden()
    expect(shown.page.locator('[data-total="unanswered"] .total-figure')).to_have_text("?")


def test_a_silent_server_makes_everything_unknown(show: Show) -> None:
    shown = show()
    shown.page.clock.install()
    shown.page.reload()
    shown.fill(4, 6, 3)

    shown.is_mute = True
    shown.page.clock.run_for(27_000)

    assert set(shown.page.locator(".queue-card-figure").all_inner_texts()) == {"?"}
    assert set(shown.page.locator(".person-word").all_inner_texts()) == {"?"}
    expect(shown.page.locator(".call")).to_have_count(0)
    expect(shown.page.locator(".foot-link")).to_be_visible()


def test_a_changed_board_changes_without_a_reload(show: Show, board: Board) -> None:
    shown = show()
    shown.fill(4, 6, 3)
    chosen = layout.Layout(("queues", "calls"), ("503", "501"))
    changed = editing.change(board, editing.Wish("North", "light", "Fire drill at noon", chosen))

    shown.news(f"board:{board.pk}", {"board": layout.board_document(changed)[1]})
    shown.settle()

    assert shown.text("h1") == "North"
    assert shown.text(".board-notice") == "Fire drill at noon"
    assert shown.page.locator(".queue-card-name").all_inner_texts() == ["Billing", "Support"]
    expect(shown.page.locator(".people")).to_be_hidden()
    expect(shown.page.locator(".totals")).to_be_hidden()
    expect(shown.page.locator("html")).to_have_attribute("data-theme", "light")
    assert shown.page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(243, 241, 236)"


def test_only_what_changed_is_touched(show: Show) -> None:
    shown = show()
    shown.fill(4, 6, 3)
    shown.page.evaluate("""() => {
      window.touched = new Set();
      new MutationObserver((list) => list.forEach((each) => {
        const node = each.target.nodeType === 1 ? each.target : each.target.parentElement;
        const card = node && node.closest(".queue-card");
        if (card) window.touched.add(card.dataset.key);
      })).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    }""")

    shown.news("queues", {"queue:504": floor.queue(3, available=1)})
    shown.settle()

    touched = set(shown.page.evaluate("() => Array.from(window.touched)"))
    assert "504" in touched
    assert touched <= {"501", "502", "503", "504"}
    assert shown.text('[data-key="504"] .queue-card-available') == "1 of 4 available"


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
    call = floor.calls(1)["900"]
    in_queue = {**call, "id": 950, "call": "c", "state": "talking", "queue": "502"}

    shown.news("calls", {"950": in_queue})
    shown.settle()
    waiting = shown.page.locator('.call[data-state="waiting"]')
    expect(waiting).to_contain_text("waiting")
    expect(waiting).to_contain_text("Sales ←")

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

    shown.news("queues", {"queue:502": floor.queue(1, level="late", reason="waiting", since=floor.now_ms())})

    expect(shown.page.locator("#said")).to_have_text("Sales: Late")


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("is_stale", [False, True])
def test_the_board_is_accessible(show: Show, board: Board, theme: str, is_stale: bool) -> None:
    with_theme(board, theme)
    shown = show(1920, 1080, bypass_csp=True)
    shown.fill(6, 24, 5, read_ago_seconds=60 if is_stale else 1)
    if is_stale:
        shown.news("people", {"events": floor.events("down")})
        shown.settle()

    found = Axe().run(shown.page)

    assert found.violations_count == 0, found.generate_report()


def test_motion_can_be_reduced(show: Show) -> None:
    shown = show(reduced_motion="reduce")
    shown.fill(3, 4, 1)

    fade = shown.page.eval_on_selector(".queue-card", "(node) => getComputedStyle(node).transitionDuration")
    assert fade == "0s"


PICTURES = [
    ("board-1080-dark", 1920, 1080, "dark"),
    ("board-1080-light", 1920, 1080, "light"),
    ("board-720-dark", 1280, 720, "dark"),
    ("board-720-light", 1280, 720, "light"),
    ("board-phone", 390, 844, "system"),
]


@pytest.mark.parametrize(("name", "width", "height", "theme"), PICTURES)
def test_pictures_of_the_board(show: Show, board: Board, name: str, width: int, height: int, theme: str) -> None:
    with_theme(board, theme)
    shown = show(width, height)
    shown.fill(6, 24, 5)
    shown.news("queues", {"queue:506": floor.queue(5, missing_since=floor.now_ms() - 660_000)})
    shown.settle()

    shown.page.screenshot(path=SCREENSHOTS / f"{name}.png")


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_pictures_of_the_tv(show_tv: Show, board: Board, theme: str) -> None:
    with_theme(board, theme)
    tv = show_tv()
    tv.fill(6, 24, 5)

    tv.page.screenshot(path=SCREENSHOTS / f"tv-{theme}.png")


MANAGED = {
    "/": "boards",
    "/boards/main/edit/": "edit",
    "/screens/": "screens",
    "/calls/": "calls",
    "/reports/": "reports",
    "/setup/": "set-up",
}


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("path", [*MANAGED, "/pair/"])
def test_every_page_is_accessible(pages: Pages, board: Board, sign_in: SignIn, path: str, scheme: Any) -> None:
    page = pages.open(width=1280, height=800, locale="en-GB", color_scheme=scheme, bypass_csp=True)
    ShownBoard(page, sign_in("administrator"), board, path)

    found = Axe().run(page)

    assert found.violations_count == 0, found.generate_report()
    if path in MANAGED and scheme == "light":
        page.screenshot(path=SCREENSHOTS / f"page-{MANAGED[path]}.png")


@pytest.fixture(autouse=True)
def a_folder_for_pictures() -> None:
    """The pictures are not part of the repository, so their folder may be missing."""
    SCREENSHOTS.mkdir(exist_ok=True)
