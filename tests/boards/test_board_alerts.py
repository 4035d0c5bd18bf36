"""Alerts on the board: seen, heard after a click, taken by somebody, and not shown as live when they may be old."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.boards import fake_feeds
from tests.boards.board_page import ORIGIN, BoardPage
from tests.boards.conftest import Show, SignIn, with_theme
from tests.harness.axe import violations
from wallboard.alerts import sound
from wallboard.boards import editing, layout
from wallboard.boards.models import Board

Docs = dict[str, Any]


def alert_document(number: str = "501", ago_seconds: int = 200, **more: Any) -> Docs:
    since = fake_feeds.now_ms() - ago_seconds * 1000
    return {
        "id": int(number),
        "queue": number,
        "name": "Old name",
        "level": "late",
        "reason": "longest_wait",
        "since": since,
        "raised_at": since + 30_000,
        "acknowledged_by": "",
        "acknowledged_at": None,
        **more,
    }


def raised(shown: BoardPage, *numbers: str, **more: Any) -> None:
    shown.snapshot("alerts", {number: alert_document(number, **more) for number in numbers})
    shown.settle()


def sounds(page: Page) -> None:
    """Counts the sounds from now on in `window.sounded`."""
    page.evaluate("() => { window.sounded = 0; document.addEventListener('sounded', () => { window.sounded += 1; }); }")


def test_an_alert_stands_on_top_of_the_board(show: Show) -> None:
    shown = show()
    shown.fill(6, 4, 1)
    expect(shown.page.locator("#alert-bar")).to_be_hidden()

    shown.snapshot("alerts", {"1": alert_document("503", level="watch"), "2": alert_document("501")})
    shown.settle()

    rows = shown.page.locator(".alert")
    expect(rows.locator(".alert-name")).to_have_text(["Support", "Billing"])
    expect(rows.first.locator(".alert-word")).to_have_text("Late")
    expect(rows.first.locator(".alert-why")).to_have_text("longest wait too long")
    expect(rows.first.locator(".alert-for")).to_have_text("for 3 min")
    assert shown.page.title() == "Late: Support · Service desk"
    expect(shown.page.locator("#alert-announcement")).to_have_text("Late: Support. Watch: Billing")
    edges = (
        "(nodes) => nodes.flatMap((node) => [node.getBoundingClientRect().left, node.getBoundingClientRect().right])"
    )
    cards = shown.page.locator(".cards").evaluate_all(edges)
    assert cards == pytest.approx([min(found := rows.evaluate_all(edges)), max(found)], abs=0.3)
    shapes = rows.locator(".shape").evaluate_all("(nodes) => nodes.map((node) => getComputedStyle(node).clipPath)")
    assert len(set(shapes)) == 2
    overflow = "() => document.documentElement.scrollHeight - window.innerHeight"
    assert shown.page.evaluate(overflow) <= 0, "the board makes room and still fits"

    shown.news("alerts", {}, gone=("1", "2"))
    shown.settle()
    expect(shown.page.locator("#alert-bar")).to_be_hidden()
    assert shown.page.title() == "Service desk"


def test_what_has_just_been_drawn_is_not_measured_at_each_update(show: Show) -> None:
    shown = show()
    shown.fill(6, 4, 1)
    raised(shown, "501")
    shown.page.evaluate("""() => {
        window.measured = 0;
        Object.defineProperty(document.querySelector(".alert-muted"), "offsetWidth", {
            get() { window.measured += 1; return 0; },
        });
    }""")

    for number in ("502", "503"):
        raised(shown, "501", number)
    assert shown.page.evaluate("window.measured") == 0

    shown.page.set_viewport_size({"width": 1500, "height": 900})
    shown.page.wait_for_function("() => window.measured === 1")


def test_a_board_shows_the_alerts_of_its_own_queues(show: Show, board: Board) -> None:
    editing.update(board, editing.BoardInput("Sales", layout=layout.Layout(queues=("502", "503"))))
    shown = show()
    shown.fill(3, 4, 1)

    raised(shown, "501", "502")

    expect(shown.page.locator(".alert-name")).to_have_text(["Sales"])


def test_while_readings_are_old_nobody_is_called(show: Show) -> None:
    shown = show()
    shown.fill(3, 4, 1, read_ago_seconds=60)

    raised(shown, "501")

    expect(shown.page.locator("#alert-bar")).to_have_attribute("data-old", "true")
    expect(shown.page.locator(".alert-for")).to_contain_text("as of")
    assert shown.page.title() == "Service desk"


def test_acknowledging_asks_the_server_and_shows_who(show: Show) -> None:
    shown = show()
    shown.fill(3, 4, 1)
    raised(shown, "501")
    asked: list[str] = []
    shown.page.route(
        "**/alerts/**",
        lambda route: (asked.append(route.request.url), route.fulfill(json={"alert": None})),  # type: ignore[func-returns-value]
    )

    shown.page.get_by_role("button", name="Acknowledge Support").click()
    shown.settle()
    assert asked == [f"{ORIGIN}/alerts/501/acknowledge/"]

    shown.news("alerts", {"501": alert_document(acknowledged_by="Ana", acknowledged_at=fake_feeds.now_ms())})
    shown.settle()
    expect(shown.page.locator(".alert-acknowledged")).to_contain_text("Acknowledged by Ana")
    expect(shown.page.locator(".alert-act")).to_be_hidden()
    assert shown.page.title() == "Service desk"


@pytest.mark.console_may_say("503")
def test_a_failed_acknowledgement_is_told(show: Show) -> None:
    shown = show()
    shown.fill(3, 4, 1)
    raised(shown, "501")
    shown.page.route("**/alerts/**", lambda route: route.fulfill(status=503))

    shown.page.get_by_role("button", name="Acknowledge Support").click()

    expect(shown.page.locator(".alert-failed")).to_have_text("Not acknowledged: the server did not answer. Try again.")


def test_sound_comes_after_a_click_and_again_until_somebody_takes_it(show: Show) -> None:
    shown = show()
    shown.fill(3, 4, 1)
    sounds(shown.page)
    button = shown.page.locator("#sound")
    expect(button).to_have_text("Turn sound on")

    button.click()
    shown.page.wait_for_function("() => window.sounded === 1")  # the test tone
    expect(button).to_have_text("Sound on")
    raised(shown, "501")
    shown.page.wait_for_function("() => window.sounded === 2")

    shown.page.evaluate("() => { const now = Date.now; Date.now = () => now() + 16000; }")
    shown.news("queues", {"poll": fake_feeds.poll(-16)})
    shown.page.wait_for_function("() => window.sounded === 3")
    shown.news("alerts", {"501": alert_document(acknowledged_by="Ana", acknowledged_at=fake_feeds.now_ms())})
    shown.page.evaluate("() => { const now = Date.now; Date.now = () => now() + 16000; }")
    shown.news("queues", {"poll": fake_feeds.poll(-32)})
    shown.page.wait_for_timeout(1500)
    assert shown.page.evaluate("window.sounded") == 3


def test_a_muted_sound_says_so(show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sound, "is_wanted", lambda viewer: True)
    shown = show()
    shown.page.add_init_script(
        "Object.defineProperty(AudioContext.prototype, 'state', { get() { return 'suspended'; } })"
    )
    shown.page.reload()
    shown.fill(3, 4, 1)

    expect(shown.page.locator("#sound")).to_have_text("Muted: click to turn sound on")
    expect(shown.page.locator("#sound")).to_have_attribute("data-state", "blocked")


def test_a_notification_leads_back_to_the_board(show: Show) -> None:
    shown = show()
    shown.page.add_init_script(
        """window.told = []; window.done = []; document.hasFocus = () => false;
        window.focus = () => window.done.push("focus");
        window.Notification = class {
            constructor(title, more) { window.told.push([title, more.tag]); window.notice = this; }
            close() { window.done.push("close"); }
        };
        Notification.permission = "granted";"""
    )
    shown.page.reload()
    shown.fill(3, 4, 1)

    raised(shown, "501")
    shown.page.wait_for_function("() => window.notice")
    assert shown.page.evaluate("window.told") == [["Late: Support", "alert-501"]]

    shown.page.evaluate("window.notice.onclick()")
    assert shown.page.evaluate("window.done") == ["focus", "close"]


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (1080, 1920)])
def test_a_tv_shows_alerts_and_asks_nobody_to_click(show_tv: Show, size: tuple[int, int]) -> None:
    shown = show_tv(*size)
    shown.fill(6, 4, 1)

    raised(shown, "501", "502", "503")

    rows = {1080: 2, 720: 2, 1920: 1}[size[1]]
    expect(shown.page.locator(".alert")).to_have_count(rows)
    expect(shown.page.locator(".alert-more:not([hidden])")).to_have_text([f"and {3 - rows} more"] * (rows < 3))
    expect(shown.page.locator(".alert-act")).to_have_count(0)
    expect(shown.page.locator("#sound")).to_be_hidden()
    height = shown.page.locator(".alert").first.evaluate("(node) => parseFloat(getComputedStyle(node).fontSize)")
    assert height >= 24


def test_an_alert_fits_a_tv_page_on_a_phone(show_tv: Show) -> None:
    shown = show_tv(390, 844)
    shown.fill(6, 4, 1)

    raised(shown, "501")

    line = shown.page.locator(".alert-line").bounding_box()
    words = shown.page.locator(".alert-words").bounding_box()
    assert line
    assert words
    assert line["y"] <= words["y"]
    assert words["y"] + words["height"] <= line["y"] + line["height"]
    assert shown.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_no_line_of_an_alert_is_cut_in_half_on_a_phone(show: Show) -> None:
    shown = show(390, 844)
    shown.fill(6, 4, 1)

    raised(shown, "501", kind="nobody", reason="", facts={"waiting": "12"})

    why = shown.page.locator(".alert-why")
    text, ground = why.bounding_box(), shown.page.locator(".alert").bounding_box()
    assert text
    assert ground
    assert text["y"] + text["height"] <= ground["y"] + ground["height"]
    lines = why.evaluate("(node) => node.clientHeight / parseFloat(getComputedStyle(node).lineHeight)")
    assert lines == pytest.approx(round(lines), abs=0.1)
    for part in ("alert-word", "alert-for"):
        assert shown.page.locator(f".{part}").evaluate(
            "(node) => node.scrollWidth <= node.clientWidth || !node.clientWidth"
        )


def test_an_agent_sees_alerts_and_cannot_take_them(show: Show, sign_in: SignIn) -> None:
    shown = show(client=sign_in("agent"))
    shown.calls_feed = "wall"
    shown.fill(3, 4, 1)

    raised(shown, "501")

    expect(shown.page.locator(".alert-name")).to_have_text(["Support"])
    expect(shown.page.locator(".alert-act")).to_have_count(0)


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_alerts_are_accessible(show: Show, board: Board, theme: str) -> None:
    with_theme(board, theme)
    shown = show(bypass_csp=True)
    shown.fill(6, 4, 1)
    taken = alert_document("503", acknowledged_by="Ana", acknowledged_at=fake_feeds.now_ms())
    shown.snapshot("alerts", {"1": alert_document("501"), "2": alert_document("502", level="watch"), "3": taken})
    shown.settle()

    assert violations(shown.page) == []


def test_the_alarmed_queue_rises_in_a_table(show: Show, board: Board) -> None:
    grid = {"rows": 8, "cards": [{"id": "c1", "kind": "table", "x": 0, "y": 0, "w": 12, "h": 8}]}
    editing.update(board, editing.BoardInput("Table", layout=layout.parse(grid)))
    shown = show()
    shown.fill(4, 4, 1)
    expect(shown.page.locator(".table-name")).to_have_text(["Support", "Billing", "Sales", "Returns"])

    raised(shown, "504")

    expect(shown.page.locator(".table-name")).to_have_text(["Returns", "Support", "Billing", "Sales"])


def test_a_low_window_keeps_its_board_and_leads_to_the_rest(show: Show) -> None:
    shown = show(1280, 720)
    shown.fill(6, 4, 1)

    raised(shown, "501", "502", "503")

    expect(shown.page.locator(".alert")).to_have_count(2)
    expect(shown.page.get_by_role("link", name="and 1 more")).to_have_attribute("href", "/alerts/")
    expect(shown.page.locator(".board")).to_have_attribute("data-flow", "fit")
