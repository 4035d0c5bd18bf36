"""Saving a caller, choosing among several and marking an outcome, in a real browser."""

from playwright.sync_api import expect

from tests.desk.desk_site import SWITCHBOARD, DeskSite, connected
from tests.desk.locators import HOSTILE, name
from tests.harness.browser import Pages


def test_a_stranger_is_saved_while_the_phone_rings(desk_site: DeskSite, pages: Pages, mia: str) -> None:
    page = desk_site.desk(pages, mia)
    call = desk_site.ring(mia, name="")
    page.get_by_text("Save as contact").click()

    page.get_by_label("Name", exact=True).fill("Greta " + HOSTILE[:60])
    page.get_by_label("Company").fill("Holm AG")
    desk_site.event("active", call, mia)
    expect(page.locator(".desk-card")).to_have_attribute("data-state", "talking")
    page.get_by_role("button", name="Save contact").click()

    expect(name(page)).to_contain_text("Greta <img src=x onerror=alert(1)>")
    expect(page.get_by_text("Holm AG")).to_be_visible()
    expect(page.get_by_text("Save as contact")).to_be_hidden()
    expect(page.locator(".desk-card textarea")).to_be_focused()


def test_of_two_people_on_one_number_the_agent_picks_one_and_it_stays(
    desk_site: DeskSite, pages: Pages, mia: str
) -> None:
    page = desk_site.desk(pages, mia)
    desk_site.ring(mia, caller=SWITCHBOARD, name="")

    page.get_by_role("button", name="Ute Lang").click()

    expect(name(page)).to_have_text("Ute Lang")
    expect(page.locator(".desk-note-kept")).to_contain_text("Saved")
    page.reload()
    connected(page)
    expect(name(page)).to_have_text("Ute Lang")
    expect(page.get_by_role("button", name="Ute Lang")).to_have_attribute("aria-pressed", "true")


def test_an_outcome_is_chosen_and_changed_by_keyboard(desk_site: DeskSite, pages: Pages, mia: str) -> None:
    page = desk_site.desk(pages, mia)
    desk_site.ring(mia)
    solved, ordered = (page.get_by_role("button", name=word) for word in ("Solved", "Order placed"))

    solved.focus()
    page.keyboard.press("Enter")
    expect(solved).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")

    expect(ordered).to_have_attribute("aria-pressed", "true")
    expect(solved).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".desk-note-kept")).to_contain_text("Saved")
    page.reload()
    connected(page)
    expect(ordered).to_have_attribute("aria-pressed", "true")
