"""A TV that turns boards: without loading anything, at once to the one that needs somebody, and on from there."""

from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Route, expect

from tests.boards import fake_feeds
from tests.boards.board_page import BoardPage
from tests.boards.conftest import Show
from tests.boards.test_board_alerts import alert_document, raised
from wallboard.boards import editing, layout
from wallboard.boards.models import Board
from wallboard.screens import rotations, screens

LATER = """(ms) => {
    const now = Date.now;
    Date.now = () => now() + ms;
    window.passed = (window.passed || 0) + ms / 1000;
    return window.passed;
}"""


@pytest.fixture
def second(board: Board) -> Board:
    return editing.create(board.domain, editing.BoardInput("Sales floor", layout=layout.Layout(queues=("502",))))


@pytest.fixture
def turning(show: Show, board: Board, second: Board) -> BoardPage:
    """A TV with both boards, ten seconds each, that has heard everything."""
    editing.update(board, editing.BoardInput("Service desk", layout=layout.Layout(queues=("501",))))
    rotation = rotations.save(board.domain, rotations.RotationInput("Both", ((board, 10), (second, 10))))
    _, token = screens.create(board, "North wall", None, rotation)
    client = Client()
    client.get(f"/screen/{token}/")
    shown = show(path="/screen/", client=client)
    shown.calls_feed = "wall"
    shown.fill(3, 4, 1)
    for each in (Board.objects.get(pk=board.pk), second):
        document = layout.board_document(each)[1]
        shown.snapshot(f"board:{each.pk}", {"board": document, "today": fake_feeds.today()})
    shown.snapshot("alerts", {})
    shown.page.evaluate("window.isTheSamePage = true")
    return shown


def pass_by(shown: BoardPage, seconds: int) -> None:
    """So many seconds go by at once and what is shown then is drawn; readings stay fresh."""
    passed = shown.page.evaluate(LATER, seconds * 1000)
    shown.news("queues", {"poll": fake_feeds.poll(-passed)})
    shown.settle()


def shows(shown: BoardPage, name: str) -> None:
    expect(shown.page.locator("h1")).to_have_text(name, timeout=3000)


def test_each_board_has_its_time_and_no_page_is_loaded(turning: BoardPage) -> None:
    shows(turning, "Service desk")

    turning.page.evaluate(LATER, 10_000)
    turning.ping()
    shows(turning, "Sales floor")
    turning.page.evaluate(LATER, 10_000)
    turning.ping()
    shows(turning, "Service desk")

    assert turning.page.evaluate("window.isTheSamePage")
    assert len(turning.addresses) == 1, "one socket carries all boards"


def test_an_alert_is_shown_at_once_and_holds_the_rotation(turning: BoardPage) -> None:
    shows(turning, "Service desk")

    raised(turning, "502")
    shows(turning, "Sales floor")
    expect(turning.page.locator(".alert-name")).to_have_text(["Sales"])
    for _turn in range(2):  # each longer than a board has
        pass_by(turning, 11)
        assert turning.text("h1") == "Sales floor"

    seen = alert_document("502", acknowledged_by="Ana", acknowledged_at=fake_feeds.now_ms())
    turning.news("alerts", {"502": seen})
    for _step in range(12):  # in steps, as it may turn at once or after the board's own time
        if turning.text("h1") == "Service desk":
            break
        pass_by(turning, 2)
    shows(turning, "Service desk")


def test_a_tv_without_its_server_goes_on_turning_and_says_that_it_is_old(turning: BoardPage) -> None:
    shows(turning, "Service desk")

    turning.is_mute = True
    turning.page.evaluate(LATER, 40_000)

    shows(turning, "Sales floor")
    expect(turning.page.locator(".foot-queues")).to_have_attribute("data-light", "bad")
    expect(turning.page.locator(".queue-card").first).to_have_attribute("data-level", "unknown")


def test_a_tv_that_may_fall_asleep_says_what_to_do(turning: BoardPage) -> None:
    assert not turning.page.evaluate("window.isSecureContext")

    foot = "North wall · needs https to stay awake; turn off the screen saver"
    expect(turning.page.locator(".foot-screen")).to_have_text(foot)


def test_orders_reach_the_page(turning: BoardPage) -> None:
    turning.page.evaluate(
        """() => {
            const set = window.setTimeout;
            window.setTimeout = (what, ms) => (ms === 10_000 ? ((window.over = what), 0) : set(what, ms));
        }"""
    )
    turning.say({"order": "flash"})
    expect(turning.page.locator("#flash")).to_have_text("North wall")
    expect(turning.page.locator("#flash")).to_be_visible()
    turning.page.evaluate("() => window.over()")
    expect(turning.page.locator("#flash")).to_be_hidden()

    turning.say({"order": "settings", "name": "South wall", "sound": True})
    expect(turning.page.locator(".foot-screen")).to_contain_text("South wall")


def test_a_tv_that_missed_an_order_learns_its_settings_with_its_next_heartbeat(turning: BoardPage) -> None:
    told: list[Any] = []

    def answer(route: Route) -> None:
        told.append(route.request.post_data_json)
        route.fulfill(json={"name": "South wall", "sound": True})

    turning.page.route("**/screen/alive/", answer)
    turning.page.evaluate(LATER, 21_000)
    turning.ping()
    expect(turning.page.locator(".foot-screen")).to_contain_text("South wall")
    turning.page.wait_for_timeout(1500)

    assert told[0]["sound"] == "off"
    assert told[-1]["sound"] in ("on", "blocked")


def test_an_answer_that_was_on_its_way_takes_no_order_back(turning: BoardPage) -> None:
    routes: list[Route] = []
    turning.page.route("**/screen/alive/", lambda route: routes.append(route))
    turning.page.evaluate(LATER, 21_000)
    turning.ping()
    turning.page.wait_for_timeout(1500)

    turning.say({"order": "settings", "name": "South wall", "sound": False})
    routes[0].fulfill(json={"name": "North wall", "sound": False})
    turning.page.wait_for_timeout(500)

    expect(turning.page.locator(".foot-screen")).to_contain_text("South wall")


def test_a_tv_tells_how_it_is_doing(turning: BoardPage, board: Board) -> None:
    told: list[dict[str, object]] = []
    turning.page.route(
        "**/screen/alive/",
        lambda route: (told.append(route.request.post_data_json), route.fulfill(status=204)),  # type: ignore[func-returns-value]
    )

    turning.say({"order": "settings", "name": "North wall", "sound": True})
    turning.page.wait_for_timeout(1500)

    assert told[-1]["showing"] == board.pk
    assert told[-1]["sound"] in ("on", "blocked")
    assert told[-1]["awake"] in ("insecure", "asleep", "awake")
    assert (told[-1]["width"], told[-1]["height"]) == (1920, 1080)
    assert isinstance(told[-1]["data_age"], int)


def test_no_word_of_a_tv_overtakes_another(turning: BoardPage) -> None:
    routes: list[Route] = []
    turning.page.route("**/screen/alive/", lambda route: routes.append(route))

    turning.say({"order": "settings", "name": "North wall", "sound": True})
    turning.page.wait_for_timeout(500)
    turning.page.set_viewport_size({"width": 1280, "height": 720})
    turning.page.wait_for_timeout(2500)
    assert len(routes) == 1  # the second waits for the answer to the first
    routes[0].fulfill(status=204)
    turning.page.wait_for_timeout(2500)

    told = [route.request.post_data_json for route in routes]
    assert [each and each["width"] for each in told] == [1920, 1280]


def test_memory_stays_flat_over_many_turns(turning: BoardPage) -> None:
    session = turning.page.context.new_cdp_session(turning.page)

    def held() -> tuple[int, int]:
        session.send("HeapProfiler.collectGarbage")
        found = session.send("Memory.getDOMCounters")
        return found["nodes"], found["jsEventListeners"]

    def turn(times: int) -> None:
        for index in range(times):
            document = {str(600 + index): alert_document("501", id=600 + index)}
            turning.news("alerts", document)
            turning.page.evaluate(LATER, 10_500)
            turning.settle()
            turning.news("alerts", {}, gone=tuple(document))
            turning.settle()

    turn(6)
    before = held()
    turn(24)
    after = held()

    assert after[0] <= before[0] * 1.1 + 50
    assert after[1] <= before[1] + 5
