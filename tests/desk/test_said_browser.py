"""From the page of all people to a colleague's desk: what somebody says of themself is there at once."""

from playwright.sync_api import expect

from tests.desk.desk_site import DeskSite
from tests.harness.browser import Pages


def test_what_is_said_on_one_page_shows_on_a_colleagues_desk(stage: DeskSite, pages: Pages) -> None:
    desk = stage.desk(pages, next(stage.agents))
    row = desk.locator("#people-rows li", has_text="101")
    expect(row.locator("[data-slot=said]")).to_be_hidden()
    page = pages.open()
    page.context.add_cookies([stage.cookie("101")])
    page.goto(f"{stage.url}/people/")
    page.get_by_text("Your status").click()
    page.get_by_label("Status", exact=True).select_option("meeting")
    page.get_by_label("Back", exact=True).select_option("30")
    page.get_by_role("button", name="Set status").click()

    expect(row.locator("[data-slot=said]")).to_contain_text("meeting, back")
    expect(page.locator("#own-said")).to_contain_text("meeting, back")

    page.get_by_text("Your status").click()
    page.get_by_role("button", name="Clear status").click()

    expect(row.locator("[data-slot=said]")).to_be_hidden()
