"""A replayed hour in a real browser: dragged, walked by keys, played, and its link and picture taken."""

import re
import struct
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from accounts.models import User
from tests.boards.board_page import ORIGIN
from tests.boards.conftest import SignIn
from tests.harness.browser import Pages
from tests.replay.replay_page import ReplayPage, record, rows
from wallboard.boards.models import Board

pytestmark = pytest.mark.django_db
CLIPBOARD = """Object.defineProperty(navigator, "clipboard", {
    value: { writeText: async (text) => { window.copied = text; } } });"""


def test_a_recorded_hour_is_dragged_played_and_shared(
    pages: Pages, board: Board, sign_in: SignIn, monkeypatch: Any
) -> None:
    rows(board)
    record(monkeypatch, board)
    page = pages.open(width=1280, height=720, locale="en-GB")
    page.add_init_script(CLIPBOARD)
    shown = ReplayPage(page, sign_in("supervisor"), board, "2026-11-22T10:41:00")

    # The minute after the alert, as it was: ages count against that moment.
    expect(page.locator(".replay-moment")).to_have_text(re.compile("^Sunday, .*2026, 10:41:00$"))
    expect(page.locator(".queue-card").first).to_have_attribute("data-level", "late")
    expect(page.locator(".queue-card").first.locator(".queue-card-longest")).to_have_text("3:01")
    expect(page.locator(".alert-name")).to_have_text("Support")
    expect(page.locator(".board-clock")).to_have_text("10:41")
    walks_by_keys(page)
    drags_over_the_gap(page)
    plays(page)
    shares_the_alert(page)
    page.set_viewport_size({"width": 768, "height": 1024})
    shown.settle()
    cut = "(node) => node.scrollWidth - node.clientWidth"
    assert page.locator(".nav nav").evaluate(cut) <= 0  # no place of the product lies over another one


def test_a_phone_that_becomes_a_wide_window_is_laid_out_anew(
    pages: Pages, board: Board, sign_in: SignIn, monkeypatch: Any
) -> None:
    rows(board)
    record(monkeypatch, board)
    page = pages.open(width=1920, height=1080)
    shown = ReplayPage(page, sign_in("supervisor"), board, "2026-11-22T10:41:00")
    cards = "() => [...document.querySelectorAll('.queue-card')].map((card) => card.getBoundingClientRect().toJSON())"
    expect(page.locator(".queue-card").first).to_be_visible()
    before = page.evaluate(cards)

    page.set_viewport_size({"width": 390, "height": 844})
    shown.settle()
    assert page.evaluate(cards) != before
    page.set_viewport_size({"width": 1920, "height": 1080})
    shown.settle()

    assert page.evaluate(cards) == before


def test_the_day_that_was_chosen_last_is_shown_at_the_same_time_of_day(
    pages: Pages, board: Board, sign_in: SignIn, monkeypatch: Any
) -> None:
    rows(board)
    record(monkeypatch, board)
    client, page = sign_in("supervisor"), pages.open(width=1280, height=720, locale="en-GB")
    ReplayPage(page, client, board, "2026-11-22T10:41:00")
    held: list[Route] = []
    page.route(re.compile("/replay/day/"), lambda route: held.append(route))
    day, again = page.locator("#day"), page.locator("#again")

    def answered(route: Route) -> None:
        route.fulfill(json=client.get(route.request.url.removeprefix(ORIGIN)).json())

    def wait_for(count: int) -> None:
        while len(held) < count:
            page.wait_for_timeout(10)

    for count, chosen in enumerate(("2026-11-21", "2026-11-20"), start=1):
        day.evaluate("(node, day) => { node.value = day; node.dispatchEvent(new Event('change')); }", chosen)
        wait_for(count)
    held[1].fulfill(status=200, body="<html>")
    again.click()
    wait_for(3)
    answered(held[2])
    answered(held[0])

    page.wait_for_timeout(200)
    expect(page.locator(".replay-moment")).to_have_text(re.compile("November 20, 2026, 10:41:00$"))
    expect(day).to_have_value("2026-11-20")


def walks_by_keys(page: Page) -> None:
    """To the second, and to the minute before the alert."""
    track = page.get_by_role("slider", name="Moment")
    track.focus()
    page.keyboard.press("ArrowRight")
    expect(track).to_have_attribute("aria-valuetext", re.compile("10:41:01"))
    track.evaluate(  # two keys before anything is drawn
        """(node) => {
            for (const key of [{ key: "PageDown" }, { key: "ArrowLeft", shiftKey: true }])
                node.dispatchEvent(new KeyboardEvent("keydown", key));
        }"""
    )
    expect(page.locator(".replay-moment")).to_have_text(re.compile("10:39:51"))
    expect(page.locator(".queue-card").first).to_have_attribute("data-level", "normal")
    expect(page.locator(".alert")).to_have_count(0)


def drags_over_the_gap(page: Page) -> None:
    """From the alert back to 10:20; the timeline begins at 10:00 and ends at 11:00."""
    late = page.locator(".queue-card").first
    page.get_by_role("button", name="Next alert").click()
    expect(page.locator(".replay-moment")).to_have_text(re.compile("10:40:02"))
    expect(late).to_have_attribute("data-level", "late")
    box = page.get_by_role("slider", name="Moment").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 41 / 60, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 27 / 60, box["y"] + 10, steps=10)
    expect(page.locator(".replay-note")).to_contain_text("nothing was recorded from 10:24 to 10:30")
    expect(page.locator(".board-body")).not_to_be_visible()
    page.mouse.move(box["x"] + box["width"] * 20 / 60, box["y"] + 10, steps=10)
    page.mouse.up()
    expect(page.locator(".replay-note")).to_have_text("")
    expect(late).to_have_attribute("data-level", "normal")


def plays(page: Page) -> None:
    """At 60 times: a second of ours is a minute."""
    track = page.get_by_role("slider", name="Moment")
    before = int(track.get_attribute("aria-valuenow") or 0)
    page.get_by_text("60×").click()
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(
        f"() => Number(document.getElementById('track').ariaValueNow) >= {before + 30}", timeout=5000
    )
    page.get_by_role("button", name="Pause").click()
    assert int(track.get_attribute("aria-valuenow") or 0) - before < 300


def shares_the_alert(page: Page) -> None:
    """What goes to a colleague: the link, and a picture for a mail."""
    page.get_by_role("button", name="Next alert").click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".replay-done")).to_have_text("The link to this moment is copied.")
    assert page.evaluate("copied").endswith("/boards/main/replay/?at=2026-11-22T10:40:02")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save picture").click()
    assert download.value.suggested_filename == "Service desk 2026-11-22 10.40.02.png"
    head = Path(download.value.path()).read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">I", head[16:20])[0] == 2560


def test_an_arabic_moment_has_arabic_commas(pages: Pages, board: Board, sign_in: SignIn, monkeypatch: Any) -> None:
    rows(board)
    record(monkeypatch, board)
    client = sign_in("supervisor")
    User.objects.update(language="ar")
    page = pages.open(width=1280, height=720)

    ReplayPage(page, client, board, "2026-11-22T10:41:00")

    expect(page.locator(".replay-moment")).to_have_text(re.compile("^[^,]+، 10:41:00$"))
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", re.compile("^[^,]+، 10:41:00"))
