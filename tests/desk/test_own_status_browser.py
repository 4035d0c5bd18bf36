"""From the page of all people to a colleague's desk: what somebody says of themself is there at once."""

from playwright.sync_api import expect

from tests.desk.desk_site import DeskSite
from tests.harness.browser import Pages


def test_what_is_said_on_one_page_shows_on_a_colleagues_desk(desk_site: DeskSite, pages: Pages) -> None:
    desk = desk_site.desk(pages, next(desk_site.agents))
    row = desk.locator("#people-rows li", has_text="101")
    expect(row.locator("[data-slot=status]")).to_be_hidden()
    page = pages.open()
    page.context.add_cookies([desk_site.cookie("101")])
    page.goto(f"{desk_site.url}/people/")
    page.get_by_text("Your status").click()
    page.get_by_label("Status", exact=True).select_option("meeting")
    page.get_by_label("Back", exact=True).select_option("30")
    page.get_by_role("button", name="Set status").click()

    expect(row.locator("[data-slot=status]")).to_contain_text("meeting, back")
    expect(page.locator("#own-status-text")).to_contain_text("meeting, back")

    page.get_by_text("Your status").click()
    page.get_by_role("button", name="Clear status").click()

    expect(row.locator("[data-slot=status]")).to_be_hidden()
