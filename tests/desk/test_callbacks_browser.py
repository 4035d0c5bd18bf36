"""Call-backs in a real browser: an entry is taken by one, seen by all, and gone once somebody spoke with them."""

from playwright.sync_api import expect

from tests.desk.desk_site import DeskSite
from tests.desk.locators import SHOTS, WIDE
from tests.harness.axe import violations
from tests.harness.browser import Pages


def test_a_missed_caller_is_listed_taken_and_gone_when_answered(desk_site: DeskSite, pages: Pages, mia: str) -> None:
    page = desk_site.desk(pages, mia, **WIDE)
    call = desk_site.ring(mia, caller="+498955501234", name="Vera Wait")
    desk_site.event("ended", call, mia)
    row = page.locator(".desk-back", has_text="Vera Wait")

    row.get_by_role("button", name="I will").focus()
    page.keyboard.press("Enter")
    expect(row).to_contain_text("Mia calls back")
    assert row.get_by_role("link").get_attribute("href") == "tel:+498955501234"

    colleague = desk_site.desk(pages, next(desk_site.agents), **WIDE)
    theirs = colleague.locator(".desk-back", has_text="Vera Wait")
    expect(theirs).to_contain_text("a colleague calls back")  # agents of these tests are hidden
    expect(theirs.get_by_role("button")).to_have_count(0)
    assert violations(page) == []
    page.screenshot(path=SHOTS / "desk-call-backs.png", full_page=True)

    again = desk_site.ring(mia, caller="+498955501234", name="Vera Wait")
    desk_site.event("active", again, mia)
    desk_site.event("ended", again, mia)
    expect(row).to_have_count(0, timeout=10_000)
