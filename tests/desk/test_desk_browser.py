"""The desk in a real browser: one pop per call and person, over tabs, browsers and reloads."""

from playwright.sync_api import Page, expect

from tests.desk.desk_site import DeskSite, connected
from tests.desk.locators import SHOTS, WIDE, band, close_card, name, note
from tests.harness.browser import Pages


def test_each_ringing_call_becomes_a_card(desk_site: DeskSite, mia: str, pages: Pages) -> None:
    page = desk_site.desk(pages, mia, **WIDE)
    for number in range(3):
        call = desk_site.ring(mia, name=f"Caller {number}")
        name(page).filter(has_text=f"Caller {number}").wait_for()
        desk_site.event("ended", call, mia)
        expect(band(page)).to_have_text("Missed")
        close_card(page)


def test_two_tabs_show_one_card(desk_site: DeskSite, mia: str, pages: Pages) -> None:
    one = desk_site.desk(pages, mia, **WIDE)
    two = one.context.new_page()
    two.goto(one.url)
    connected(two)
    call = desk_site.ring(mia)

    one.wait_for_selector(".desk-card, .desk-strip")
    two.wait_for_selector(".desk-card, .desk-strip")
    owner, other = (one, two) if name(one).count() else (two, one)
    assert (name(owner).count(), name(other).count()) == (1, 0)
    expect(other.locator(".desk-strip")).to_contain_text("Shown in your other tab")
    expect(other).to_have_title("Desk")
    expect(other.locator("#quiet")).to_be_hidden()

    other.get_by_role("button", name="Show here").click()
    expect(name(other)).to_have_text("Some Caller")
    expect(owner.locator(".desk-strip")).to_contain_text("Shown in your other tab", timeout=12_000)
    assert name(owner).count() == 0
    desk_site.event("ended", call, mia)
    expect(owner.locator("#quiet")).to_contain_text("No call right now")


def test_two_browsers_show_one_card_and_the_second_inherits_it(desk_site: DeskSite, mia: str, pages: Pages) -> None:
    office = desk_site.desk(pages, mia, **WIDE)
    call = desk_site.ring(mia)
    expect(name(office)).to_have_text("Some Caller")
    home = desk_site.desk(pages, mia, **WIDE)
    expect(home.locator(".desk-strip")).to_contain_text("Shown in your other tab")

    office.close(run_before_unload=False)

    expect(name(home)).to_have_text("Some Caller", timeout=30_000)
    desk_site.event("ended", call, mia)
    expect(band(home)).to_have_text("Missed")


def test_a_duplicated_tab_is_another_page(desk_site: DeskSite, mia: str, pages: Pages) -> None:
    page = desk_site.desk(pages, mia, **WIDE)

    assert page.evaluate("sessionStorage.getItem('desk.page')") is None
    page.reload()
    connected(page)
    assert page.evaluate("sessionStorage.getItem('desk.page')") is None


def pass_by(page: Page, seconds: int) -> None:
    """Let time go by five times as fast, and not in one leap: after that the page would ask the server for the time."""
    for _leap in range(0, seconds, 5):
        page.evaluate("() => { const now = Date.now; Date.now = () => now() + 5000; }")
        page.wait_for_timeout(1100)


def test_taken_by_a_colleague(desk_site: DeskSite, mia: str, pages: Pages) -> None:
    page, ana = desk_site.desk(pages, mia, **WIDE), desk_site.desk(pages, "101", **WIDE)
    call = desk_site.ring("101", mia)
    expect(name(page)).to_be_visible()
    expect(name(ana)).to_be_visible()

    desk_site.event("active", call, "101")
    desk_site.event("ended", call, mia)

    expect(band(page)).to_have_text("Taken by Ana")
    expect(band(ana)).to_have_text("Talking")
    expect(page.locator("#day-missed")).to_have_text("0")
    page.screenshot(path=SHOTS / "desk-taken.png")
    pass_by(page, 10)
    expect(band(page)).to_have_text("Taken by Ana")
    pass_by(page, 10)
    expect(page.locator("#quiet")).to_be_visible(timeout=25_000)
    desk_site.event("ended", call, "101")


def test_a_missed_call_stays_until_it_is_put_away(desk_site: DeskSite, mia: str, pages: Pages) -> None:
    page = desk_site.desk(pages, mia, **WIDE)
    desk_site.event("ended", desk_site.ring(mia, caller="+493090182100"), mia)
    expect(band(page)).to_have_text("Missed")
    expect(page.get_by_role("link", name="Call back")).to_have_attribute("href", "tel:+493090182100")

    page.reload()
    expect(band(page)).to_have_text("Missed")
    page.screenshot(path=SHOTS / "desk-missed.png")
    close_card(page)
    page.reload()
    connected(page)

    expect(page.locator("#quiet")).to_be_visible()
    page.wait_for_timeout(500)
    assert name(page).count() == 0
    expect(page.locator("#day-calls li").first).to_contain_text("Missed")
    page.locator("#day-calls button").first.click()
    expect(band(page)).to_have_text("Missed")


def test_many_missed_calls_are_one_dock_with_close_all(desk_site: DeskSite, mia: str, pages: Pages) -> None:
    page = desk_site.desk(pages, mia, **WIDE)
    for number in range(5):
        desk_site.event("ended", desk_site.ring(mia, name=f"Caller {number}"), mia)

    expect(page.locator(".desk-strip")).to_have_count(4)
    assert name(page).count() == 1
    desk_site.ring(mia, name="Now ringing")
    expect(name(page)).to_have_text("Now ringing")
    tops = page.eval_on_selector_all(
        ".desk-card, .desk-strip", "(nodes) => nodes.map((node) => node.getBoundingClientRect().top)"
    )
    assert tops == sorted(tops)
    assert "desk-card" in str(page.locator(".desk-card, .desk-strip").first.get_attribute("class"))
    page.get_by_role("button", name="Close all that ended").click()
    expect(page.locator(".desk-strip")).to_have_count(0)
    expect(name(page)).to_have_text("Now ringing")


def test_a_call_that_rings_again_is_no_second_pop(desk_site: DeskSite, mia: str, pages: Pages) -> None:
    page = desk_site.desk(pages, mia, **WIDE)
    call = desk_site.ring(mia)
    note(page).press_sequentially("first try")
    desk_site.event("ended", call, mia)
    expect(band(page)).to_have_text("Missed")

    desk_site.event("ringing", call, mia, "second leg")

    expect(band(page)).to_have_text("Ringing you")
    assert (name(page).count(), page.locator(".desk-strip").count()) == (1, 0)
    expect(note(page)).to_have_value("first try")
