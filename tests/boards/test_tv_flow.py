"""A TV in front of a whole installation: paired by its code, moved to another board, sent away."""

import pytest
from playwright.sync_api import Page, expect

from tests.harness.browser import Pages
from tests.harness.signing_in import sign_in
from tests.harness.site import Site


def paired(pages: Pages, site: Site, name: str) -> tuple[Page, Page]:
    """A TV that a supervisor has just paired, and the supervisor's page of screens."""
    site.manage("person", "101", "--role", "supervisor")
    tv, supervisor = pages.open(f"{site.url}/pair/"), sign_in(pages, site, "101")
    main_board = supervisor.locator("h1").inner_text()
    supervisor.goto(f"{site.url}/screens/")
    supervisor.get_by_label("Code on the TV").fill(tv.locator(".pair-code").inner_text())
    supervisor.locator("form", has_text="Pair a TV").get_by_label("Name").fill(name)
    supervisor.locator("form", has_text="Pair a TV").get_by_label("Board").select_option(main_board)
    supervisor.get_by_role("button", name="Pair", exact=True).click()
    tv.wait_for_url("**/screen/", timeout=15_000)
    return tv, supervisor


@pytest.mark.console_may_say("403")
def test_a_tv_is_paired_shows_the_board_and_can_be_sent_away(site: Site, pages: Pages) -> None:
    tv, supervisor = paired(pages, site, "Hall")
    tv.locator(".queue-card[data-level]:not([data-level=unknown])").first.wait_for(timeout=15_000)
    expect(tv.locator(".foot-screen")).to_contain_text("Hall")

    supervisor.get_by_role("button", name="Revoke Hall").click()

    expect(tv.locator("h1")).to_have_text("This screen may not look any more", timeout=90_000)


@pytest.mark.console_may_say("403")
def test_a_tv_that_is_moved_shows_the_other_board(site: Site, pages: Pages) -> None:
    tv, supervisor = paired(pages, site, "Foyer")
    supervisor.goto(f"{site.url}/boards/new/")
    supervisor.get_by_label("Name").fill("Second board")
    supervisor.get_by_role("button", name="Make board").click()
    supervisor.wait_for_url("**/edit/")
    supervisor.goto(f"{site.url}/screens/")
    row = supervisor.locator(".screen-row", has=supervisor.locator('input[value="Foyer"]'))

    row.get_by_label("Board").select_option("Second board")
    row.get_by_role("button", name="Save").click()

    expect(tv.locator("h1")).to_have_text("Second board", timeout=90_000)


def test_an_edited_board_changes_on_the_tv_without_a_reload(site: Site, pages: Pages) -> None:
    tv, supervisor = paired(pages, site, "Stairs")
    tv.evaluate("window.isTheSamePage = true")
    supervisor.goto(f"{site.url}/boards/main/edit/")
    supervisor.get_by_label("Notice line").fill("Fire drill at noon")
    supervisor.get_by_role("button", name="Publish").click()

    expect(tv.locator(".board-notice")).to_have_text("Fire drill at noon", timeout=5000)
    assert tv.evaluate("window.isTheSamePage")
