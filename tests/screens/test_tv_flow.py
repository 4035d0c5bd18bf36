"""A TV in front of a whole installation: paired by its code, found, moved to another board, sent away."""

import time

import pytest
from playwright.sync_api import Page, expect

from tests.harness.axe import violations
from tests.harness.browser import Pages
from tests.harness.signing_in import sign_in
from tests.harness.site import Site

pytestmark = pytest.mark.one_database


def paired(pages: Pages, site: Site, name: str) -> tuple[Page, Page]:
    """A TV that a supervisor has just paired, and the supervisor's page of screens."""
    site.manage("person", "101", "--role", "supervisor")
    tv, supervisor = pages.open(f"{site.url}/pair/"), sign_in(pages, site, "101")
    main_board = supervisor.locator("h1").inner_text()
    code = tv.locator(".pair-code").inner_text()
    supervisor.goto(f"{site.url}/screens/?code={code.replace(' ', '')}")  # as the QR code says
    form = supervisor.locator("form", has_text="Pair a TV")
    expect(form.get_by_label("Code on the TV")).to_have_value(code.replace(" ", ""))
    form.get_by_label("Name").fill(name)
    form.get_by_label("Shows").select_option(main_board)
    supervisor.get_by_role("button", name="Pair", exact=True).click()
    tv.wait_for_url("**/screen/", timeout=15_000)
    tv.locator(".queue-card[data-level]:not([data-level=unknown])").first.wait_for(timeout=15_000)
    return tv, supervisor


@pytest.mark.console_may_say("403")
def test_a_tv_is_paired_looked_after_and_sent_away(site: Site, pages: Pages) -> None:
    tv, supervisor = paired(pages, site, "Hall")
    expect(tv.locator(".foot-screen")).to_contain_text("Hall")
    row = supervisor.locator(".screen-row", has=supervisor.locator('input[value="Hall"]'))
    expect(row.locator(".screen-state")).to_have_text("live", timeout=10_000)
    expect(row.locator('[data-key="shows"] dd')).to_have_text(tv.locator("h1").inner_text())
    expect(row.locator('[data-key="release"] dd')).to_have_text("up to date")

    supervisor.get_by_role("button", name="Flash Hall to find it").click()
    expect(tv.locator("#flash")).to_have_text("Hall", timeout=5000)
    expect(tv.locator("#flash")).to_be_visible()

    tv.evaluate("window.isOld = true")
    supervisor.get_by_role("button", name="Reload Hall").click()
    tv.wait_for_function("() => !window.isOld", timeout=5000)
    tv.locator(".queue-card").first.wait_for(timeout=15_000)

    began = time.monotonic()
    row.locator(".screen-revoke summary").click()
    supervisor.get_by_role("button", name="Revoke Hall now").click()
    expect(tv.locator(".board")).to_be_hidden(timeout=5000)
    assert time.monotonic() - began < 5
    expect(tv.locator("h1")).to_have_text("This screen may not look any more", timeout=90_000)


@pytest.mark.console_may_say("403")
def test_a_tv_that_is_moved_shows_the_other_board(site: Site, pages: Pages) -> None:
    tv, supervisor = paired(pages, site, "Foyer")
    site.manage("shell", "-v0", "-c", SECOND)
    supervisor.goto(f"{site.url}/screens/")
    row = supervisor.locator(".screen-row", has=supervisor.locator('input[value="Foyer"]'))

    row.get_by_label("Shows").select_option("Second board")
    row.get_by_role("button", name="Save").click()

    expect(tv.locator("h1")).to_have_text("Second board", timeout=90_000)


SECOND = """
from accounts.models import Domain
from wallboard.boards import editing
editing.create(Domain.objects.get(), editing.BoardInput("Second board"))
"""


def test_an_edited_board_changes_on_the_tv_without_a_reload(site: Site, pages: Pages) -> None:
    tv, _supervisor = paired(pages, site, "Stairs")
    tv.evaluate("window.isTheSamePage = true")

    site.manage("shell", "-v0", "-c", NOTICE)

    expect(tv.locator(".board-notice")).to_have_text("Fire drill at noon", timeout=5000)
    assert tv.evaluate("window.isTheSamePage")


NOTICE = """
from dataclasses import replace
from wallboard.boards import editing
from wallboard.boards.models import Board
board = Board.objects.get(slug="main")
editing.update(board, replace(editing.current_input(board), notice="Fire drill at noon"))
"""


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_pages_of_tvs_and_alerts_are_accessible(site: Site, pages: Pages, theme: str) -> None:
    site.manage("person", "101", "--role", "supervisor")
    site.manage("screen", "main", "--name", "Axe wall")
    page = sign_in(pages, site, "101", "/screens/", bypass_csp=True)
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    for path in ("/screens/", "/screens/rotations/new/", "/alerts/", "/pair/"):
        page.goto(site.url + path)

        assert violations(page) == [], path
