"""Rules and links in a real browser."""

from playwright.sync_api import Route, expect

from tests.desk.desk_site import DeskSite
from tests.desk.locators import band, close_card, name
from tests.harness.browser import Pages


def test_a_card_on_answer_comes_with_the_answer_and_hides_afterwards(
    desk_site: DeskSite, pages: Pages, mia: str
) -> None:
    page = desk_site.desk(pages, mia)
    page.get_by_role("heading", name="When it rings").click()
    page.get_by_label("Show the card").select_option("answer")
    page.get_by_label("Put an ended card away after seconds").fill("1")
    page.locator("#rules").get_by_role("button", name="Save").click()
    expect(page.locator("#rules-message")).to_contain_text("Saved")

    call = desk_site.ring(mia)
    expect(page.locator("#day-calls")).to_contain_text("Some Caller")
    assert name(page).count() == 0
    desk_site.event("active", call, mia)
    expect(band(page)).to_contain_text("Talking")
    desk_site.event("ended", call, mia)

    expect(name(page)).to_have_count(0)


def test_a_link_leads_out_without_a_way_back_once_and_only_in_the_focused_tab(
    desk_site: DeskSite, pages: Pages, mia: str
) -> None:
    page = desk_site.desk(pages, mia)
    opened: list[str] = []

    def crm(route: Route) -> None:
        opened.append(route.request.url)
        route.fulfill(body="x")

    page.context.route("https://crm.test/**", crm)
    page.get_by_role("heading", name="When it rings").click()
    page.get_by_label("Open by itself").select_option("CRM")
    page.locator("#rules").get_by_role("button", name="Save").click()
    expect(page.locator("#rules-message")).to_contain_text("Saved")
    page.bring_to_front()

    with page.context.expect_page() as tab:
        call = desk_site.ring(mia, caller="+49891234567")
    tab.value.wait_for_load_state()

    assert opened == ["https://crm.test/?q=%2B49891234567"]
    assert tab.value.evaluate("window.opener") is None
    assert page.url == f"{desk_site.url}/desk/"
    link = page.get_by_role("link", name="CRM")
    assert (link.get_attribute("target"), link.get_attribute("rel")) == ("_blank", "noopener noreferrer")

    page.add_init_script("window.opened = []; window.open = (address) => window.opened.push(address);")
    page.reload()
    expect(link).to_be_visible()
    assert page.evaluate("opened") == [], "once per call, reloaded or not"
    desk_site.event("ended", call, mia)
    close_card(page)
    page.evaluate("document.hasFocus = () => false")
    call = desk_site.ring(mia, caller="+49891234568", name="Behind")
    expect(name(page)).to_have_text("Behind")
    assert page.evaluate("opened") == [], "never behind somebody's back"
    desk_site.event("ended", call, mia)
    close_card(page)
    page.evaluate("document.hasFocus = () => true")
    desk_site.ring(mia, caller="+49891234569", name="Before")
    expect(name(page)).to_have_text("Before")
    assert page.evaluate("opened") == ["https://crm.test/?q=%2B49891234569"]


def test_rules_saved_in_an_older_tab_keep_whom_another_tab_ignores(desk_site: DeskSite, pages: Pages, mia: str) -> None:
    older, newer = desk_site.desk(pages, mia), desk_site.desk(pages, mia)
    for page, number in ((newer, "+49 89 1111111"), (older, "+49 89 2222222")):
        page.get_by_role("heading", name="When it rings").click()
        ignored = page.get_by_label("No card for these numbers")
        ignored.fill(number)
        page.locator("#rules").get_by_role("button", name="Save").click()
        expect(page.locator("#rules-message")).to_contain_text("Saved")

    expect(ignored).to_have_value("089 2222222\n089 1111111")

    ignored.fill("089 1111111")
    older.locator("#rules").get_by_role("button", name="Save").click()
    expect(ignored).to_have_js_property("defaultValue", "089 1111111")
