"""The keyboard alone is enough: card, note, outcome, contact, quiet times and away."""

from playwright.sync_api import Page, expect

from tests.desk.desk_site import DeskSite
from tests.desk.locators import WIDE, band, name, note
from tests.harness.browser import Pages


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the focus is there, and see that one can see it."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
            return
    raise AssertionError(f"The keyboard does not reach {selector}.")


def test_a_stranger_is_noted_saved_and_put_away(desk_site: DeskSite, mia: str, pages: Pages) -> None:
    page = desk_site.desk(pages, mia, **WIDE)
    call = desk_site.ring(mia, caller="+498977001122", name="")
    expect(band(page)).to_have_text("Ringing you")

    tab_to(page, ".desk-card textarea")
    page.keyboard.type("wants an offer")
    tab_to(page, ".desk-chip")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Solved")).to_have_attribute("aria-pressed", "true")
    tab_to(page, ".desk-save summary")
    page.keyboard.press("Enter")
    tab_to(page, ".desk-save-form input[name=name]")
    page.keyboard.type("Keya Board")
    page.keyboard.press("Enter")
    expect(name(page)).to_have_text("Keya Board")
    expect(note(page)).to_be_focused()
    expect(page.locator(".desk-note-kept")).to_contain_text("Saved")

    desk_site.event("ended", call, mia)
    expect(page.get_by_role("link", name="Call back")).to_be_visible()
    for _ in range(6):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.dataset.act === 'close'"):
            break
    page.keyboard.press("Enter")
    expect(page.locator("#quiet")).to_be_visible()


def test_quiet_begins_and_ends(desk_site: DeskSite, mia: str, pages: Pages) -> None:
    page = desk_site.desk(pages, mia, **WIDE)

    tab_to(page, "#quiet-menu summary")
    page.keyboard.press("Enter")
    tab_to(page, "[data-minutes='60']")
    page.keyboard.press("Enter")
    expect(page.locator("#hush")).to_contain_text("Quiet until")

    tab_to(page, "#hush-end")
    page.keyboard.press("Enter")
    expect(page.locator("#hush")).to_be_hidden()
