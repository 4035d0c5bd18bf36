"""The editor in a real browser before a running site: keyboard, mouse, touch, two people, and boards that are open."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import expect

from tests.boards.editor_actions import Box, box_of, drag, handle, move, places, said, saved, starts, tab_to, touch
from tests.boards.editor_site import EditorSite
from tests.boards.test_images import picture
from tests.harness.axe import violations
from tests.harness.browser import Pages
from tests.harness.database import own_database

pytestmark = pytest.mark.one_database
SCREENSHOTS = Path(settings.BASE_DIR) / "tests" / "screenshots"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EditorSite]:
    """One company for all tests of this file."""
    keys = {name: os.environ[name] for name in ("SECRET_KEY", "TOKEN_KEYS")}
    with own_database() as url:
        started = EditorSite(tmp_path_factory.mktemp("editor"), url, keys)
        try:
            started.start()
            yield started
        finally:
            started.stop()


def test_a_board_is_built_from_empty_with_the_keyboard_alone(site: EditorSite, pages: Pages) -> None:
    page = site.page(pages, "101", "/", width=1440, height=900)
    board = site.board(page, "Keys")
    for kind, column in (("Totals", 1), ("Queues", 1), ("Trend line", 9)):
        tab_to(page, kind)
        page.keyboard.press("Enter")
        said(page, f"{kind} added at column {column}")
    tab_to(page, "Trend line. Column 9, row 3")

    page.keyboard.press("ArrowRight")
    said(page, "Trend line is at the edge")
    page.keyboard.press("Shift+ArrowLeft")
    said(page, "Trend line is 3 wide, 3 high")
    page.keyboard.press("ArrowRight")
    said(page, "Trend line moved to column 10, row 3")
    page.keyboard.press("ArrowDown")
    said(page, "Trend line moved to column 10, row 4")
    page.keyboard.press("Enter")
    page.keyboard.type("Last hour")
    said(page, "Last hour changed")
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Delete")
    said(page, "Totals removed")
    page.keyboard.press("Control+z")
    said(page, "Undone")
    page.keyboard.press("Control+y")
    said(page, "Done again")

    assert places(page) == [("Queues", "1", "3"), ("Last hour", "10", "4")]
    saved(page)
    for _ in range(40):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.classList.contains('publish')"):
            break
    page.keyboard.press("Enter")
    said(page, "Published")
    page.goto(site.url + board)
    expect(page.locator(".trend-card .card-title")).to_have_text("Last hour")


def test_a_card_is_dragged_and_resized_with_the_mouse(site: EditorSite, pages: Pages) -> None:
    page = site.page(pages, "101", "/", width=1440, height=900)
    site.board(page, "Mouse")
    page.get_by_role("button", name="Clock", exact=True).click()
    page.get_by_role("button", name="Single figure").click()
    clock = box_of(page, "Clock")
    cell, row = clock["width"] / 3, clock["height"] / 2

    drag(page, clock, 4.2 * cell, 0)
    said(page, "Clock moved to column 5, row 1. Single figure made room")
    moved = box_of(page, "Clock")
    corner = {"x": moved["x"] + moved["width"] - 8, "y": moved["y"] + moved["height"] - 8, "width": 2, "height": 2}
    drag(page, corner, 2 * cell, row)
    said(page, "Clock is 5 wide, 3 high")
    drag(page, box_of(page, "Clock"), 3000, 0)
    said(page, "Clock moved to column 8, row 1")
    for _ in range(3):
        page.get_by_role("button", name="Undo").click()

    assert places(page)[0] == ("Clock", "1", "1")
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    picker = page.get_by_role("button", name="Text", exact=True).bounding_box()
    preview = page.locator(".preview-screen").bounding_box()
    assert picker is not None
    assert preview is not None
    drag(page, Box(**picker), preview["x"] + preview["width"] / 2 - picker["x"], preview["y"] + 300 - picker["y"])
    said(page, "Text added at column")
    page.get_by_role("button", name="Undo").click()


def test_a_card_is_dragged_and_resized_by_touch(site: EditorSite, pages: Pages) -> None:
    page = site.page(pages, "101", "/", width=1024, height=768, has_touch=True)
    site.board(page, "Touch")
    page.get_by_role("button", name="Clock", exact=True).tap()
    clock = box_of(page, "Clock")
    cell = clock["width"] / 3

    touch(page, (clock["x"] + 20, clock["y"] + 10), (clock["x"] + 20 + 3 * cell, clock["y"] + 10))
    said(page, "Clock moved to column 4, row 1")
    moved = box_of(page, "Clock")
    right, bottom = moved["x"] + moved["width"], moved["y"] + moved["height"]
    touch(page, (right - 6, bottom - 6), (right + cell, bottom - 6))
    said(page, "Clock is 4 wide, 2 high")


def test_a_card_that_finds_no_room_is_refused_in_sight(site: EditorSite, pages: Pages) -> None:
    page = site.page(pages, "101", "/", width=1440, height=900)
    site.board(page, "Full", "floor")
    people = box_of(page, "People")
    page.mouse.move(people["x"] + 60, people["y"] + 60)
    page.mouse.down()
    page.mouse.move(people["x"] - 100, people["y"] + 60, steps=4)

    expect(page.locator(".preview-ghost")).to_have_text("No room here")
    page.mouse.up()
    said(page, "There is no room there")
    expect(page.locator(".preview-ghost")).to_be_hidden()
    assert ("People", "9", "3") in places(page)
    page.get_by_role("button", name="Clock", exact=True).click()
    said(page, "Clock added at column 1, row 13")


@pytest.mark.console_may_say("409|ERR_FAILED")
def test_two_editors_lose_nothing(site: EditorSite, pages: Pages) -> None:
    ana = site.page(pages, "101", "/", width=1440, height=900, bypass_csp=True)
    board = site.board(ana, "Shared")
    for kind in ("Clock", "Text", "Single figure"):
        ana.get_by_role("button", name=kind, exact=True).click()
    saved(ana)
    ben = site.page(pages, "102", f"{board}edit/", width=1440, height=900, bypass_csp=True)
    expect(ben.locator(".others")).to_have_text("Ana is editing too")
    expect(ana.locator(".others")).to_have_text("Ben is editing too", timeout=6000)
    saved_by = ben.locator(".draft-state")
    expect(saved_by).to_contain_text("by Ana")

    move(ana, "Clock", "ArrowDown")
    move(ben, "Text", "ArrowDown")
    for page in (ana, ben):
        expect(handle(page, "Clock")).to_have_attribute("aria-label", starts("Clock. Column 1, row 2"), timeout=9000)
        expect(handle(page, "Text")).to_have_attribute("aria-label", starts("Text. Column 4, row 2"), timeout=9000)

    ben.route("**/draft/*", lambda route: route.abort())
    for page, title in ((ana, "Ana’s clock"), (ben, "Ben’s clock")):
        handle(page, "Clock").click()
        page.get_by_label("Title").fill(title)
    saved(ana)
    ben.unroute("**/draft/*")
    asked = ben.locator("dialog")
    expect(asked).to_contain_text("Ana’s clock", timeout=9000)
    expect(asked).to_contain_text("Ben’s clock")
    assert violations(ben) == []
    ben.get_by_role("button", name="Keep yours").click()
    expect(handle(ana, "Ben’s clock")).to_be_visible(timeout=9000)
    ben.get_by_role("button", name="Undo").click()
    assert ("Ana’s clock", "1", "2") in places(ben)
    assert ("Text", "4", "2") in places(ben)


def test_the_settings_are_those_of_the_card_as_soon_as_it_is_chosen(site: EditorSite, pages: Pages) -> None:
    """What is typed right after choosing a card must not meet the fields of the card before."""
    page = site.page(pages, "101", "/", width=1440, height=900)
    site.board(page, "At once")
    for kind in ("Clock", "Text"):
        page.get_by_role("button", name=kind, exact=True).click()
        expect(page.locator(".card-panel h2")).to_have_text(f"Settings of {kind}")

    shown = handle(page, "Clock").evaluate(
        "(handle) => (handle.focus(), document.querySelector('.card-panel h2').textContent)"
    )

    assert shown == "Settings of Clock"


def test_publishing_reaches_an_open_board_without_a_reload(site: EditorSite, pages: Pages) -> None:
    page = site.page(pages, "101", "/", width=1440, height=900)
    address = site.board(page, "Live")
    board = site.page(pages, "102", address)
    board.evaluate("window.isTheSamePage = true")
    page.get_by_role("button", name="Text", exact=True).click()
    page.get_by_label("Text", exact=True).fill("Fire drill at noon")
    saved(page)
    board.wait_for_timeout(300)
    assert board.get_by_text("Fire drill at noon").count() == 0

    page.get_by_role("button", name="Publish").click()

    expect(board.get_by_text("Fire drill at noon")).to_be_visible(timeout=5000)
    assert board.evaluate("window.isTheSamePage")
    page.get_by_role("button", name="Text", exact=True).click()
    page.get_by_role("button", name="Discard draft").click()
    said(page, "Draft discarded")
    assert len(places(page)) == 1


def test_the_preview_shows_real_figures_of_a_draft(site: EditorSite, pages: Pages) -> None:
    page = site.page(pages, "101", "/", width=1440, height=900)
    site.board(page, "Figures")
    page.get_by_role("button", name="Single figure").click()
    expect(page.locator(".preview-cards .card-figure")).to_have_text("3")
    expect(page.locator(".levels legend")).to_have_text("Levels: callers waiting")
    expect(page.locator(".levels .hint")).to_have_text("Empty: the queues’ own targets.")

    page.get_by_label("Figure", exact=True).select_option("idle")
    expect(page.locator(".levels legend")).to_have_text("Levels: people idle")
    expect(page.get_by_text("All queues, new ones too")).to_be_hidden()
    page.get_by_label("Figure", exact=True).select_option("waiting")
    page.get_by_text("Only these, in this order").click()
    front = page.locator(".some-group input")
    front.uncheck()
    expect(page.get_by_label("Billing", exact=True)).to_be_checked()
    page.get_by_label("Support", exact=True).check()
    expect(front).to_have_js_property("indeterminate", True)
    page.get_by_label("Figure", exact=True).select_option("most_waiting")
    page.get_by_label("Over").select_option("60")

    expect(page.locator(".preview-cards .card-figure")).to_have_text("7")
    expect(page.locator(".preview-cards .card-note")).to_contain_text("Support")
    saved(page)
    page.get_by_text("Phone", exact=True).click()
    assert page.locator(".preview-cards").get_attribute("data-flow") == "scroll"


@pytest.mark.console_may_say("ERR_FAILED")
def test_what_is_unsaved_is_saved_on_leaving_or_warned_of(site: EditorSite, pages: Pages) -> None:
    page = site.page(pages, "101", "/", width=1440, height=900)
    board = site.board(page, "Leaving")
    page.get_by_role("button", name="Clock", exact=True).click()
    page.goto(f"{site.url}/screens/")
    page.goto(f"{site.url}{board}edit/")
    expect(page.locator(".handle")).to_have_count(1)

    page.route("**/draft/*", lambda route: route.abort())
    page.get_by_role("button", name="Text", exact=True).click()
    expect(page.locator(".draft-state")).to_contain_text("Not saved", timeout=5000)
    with page.expect_event("dialog") as asked:
        page.evaluate("setTimeout(() => location.assign('/screens/'), 0)")
    assert asked.value.type == "beforeunload"
    asked.value.dismiss()
    assert page.url.endswith("/edit/")
    page.unroute("**/draft/*")
    saved(page)


def test_a_picture_is_uploaded_and_shown(site: EditorSite, pages: Pages) -> None:
    page = site.page(pages, "101", "/", width=1440, height=900)
    site.board(page, "Pictures")
    page.get_by_role("button", name="Picture", exact=True).click()

    page.set_input_files("input[type=file]", {"name": "logo.png", "mimeType": "image/png", "buffer": picture()})

    expect(page.locator(".preview-cards img")).to_be_visible()
    expect(page.locator(".preview-cards img")).to_have_js_property("naturalWidth", 60)
    expect(page.get_by_role("button", name="logo", exact=True)).to_have_attribute("aria-pressed", "true")


def test_the_editor_is_accessible_and_fits_every_window(site: EditorSite, pages: Pages) -> None:
    SCREENSHOTS.mkdir(exist_ok=True)
    page = site.page(pages, "101", "/boards/new/", width=1440, height=900, bypass_csp=True)
    found = violations(page)
    site.board(page, "Looks", "team")
    handle(page, "Queues").click()
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        page.screenshot(path=SCREENSHOTS / f"editor-{theme}.png")
        found += violations(page)
    for name, width, height in (("720", 1280, 720), ("1080", 1920, 1080), ("phone", 390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(100)
        page.screenshot(path=SCREENSHOTS / f"editor-{name}.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    page.locator(".side-tabs").get_by_text("Board").click()
    page.get_by_role("button", name="Let it arrange itself again").click()
    found += violations(page)

    assert found == []


def test_every_style_of_a_board_is_in_the_editor_too() -> None:
    folder = Path(settings.BASE_DIR) / "templates" / "boards"
    texts = {name: (folder / name).read_text() for name in ("board.html", "edit.html")}
    of_board = set(re.findall(r"css/parts/[\w-]+\.css", texts["board.html"]))
    assert ['{% include "boards/_card_styles.html" %}' in text for text in texts.values()] == [True, True]
    assert of_board == {f"css/parts/{name}.css" for name in ("alert-bar", "alert-line", "board-phone", "embed")}
