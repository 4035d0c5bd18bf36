"""Quiet times, ignored callers, sound, badge, today's calls, and the window on top, in a real browser."""

import time
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.desk.desk_site import DeskSite
from tests.desk.locators import SHOTS, WIDE, band, name, note
from tests.harness.browser import Pages
from wallboard.demo.processes import wait_until

EXTRAS = Path(__file__).with_name("extras.js")


NOTICES = """globalThis.notices = [];
globalThis.done = [];
globalThis.focus = () => done.push("focus");
globalThis.Notification = class extends EventTarget {
    static permission = "granted";
    constructor(title, more) {
        super();
        this.told = [title, more.body, more.tag];
        notices.push(this);
    }
    close() { done.push("close"); }
};"""


def desk(desk_site: DeskSite, pages: Pages, extension: str) -> Page:
    page = desk_site.desk(pages, extension, **WIDE)
    page.context.add_init_script(path=EXTRAS)
    page.reload()
    page.wait_for_selector("#people-rows li")
    return page


def test_quiet_for_a_while_lists_calls_without_cards(desk_site: DeskSite, pages: Pages, mia: str) -> None:
    page = desk(desk_site, pages, mia)
    page.get_by_text("Quiet", exact=True).click()
    page.get_by_role("button", name="30 minutes").click()
    expect(page.locator("#hush")).to_contain_text("Quiet until")

    call = desk_site.ring(mia, name="Quiet Caller")

    expect(page.locator("#day-calls")).to_contain_text("Quiet Caller")
    assert name(page).count() == 0
    expect(page).to_have_title("Desk")
    page.screenshot(path=SHOTS / "desk-hushed.png")
    page.get_by_role("button", name="Show cards again").click()
    expect(name(page)).to_have_text("Quiet Caller")
    expect(page.locator("#hush")).to_be_hidden()
    desk_site.event("ended", call, mia)


def test_a_caller_is_ignored_from_the_card_and_back(desk_site: DeskSite, pages: Pages, mia: str) -> None:
    page = desk(desk_site, pages, mia)
    desk_site.event("ended", desk_site.ring(mia, caller="+498912345000", name="Robot"), mia)
    page.get_by_role("button", name="No card for this number").click()
    expect(page.locator("#toast")).to_contain_text("Robot brings up no card any more.")
    expect(name(page)).to_have_count(0)
    expect(page.locator("#rules-ignored")).to_have_value("089 12345000")

    desk_site.event("ended", desk_site.ring(mia, caller="+498912345000", name="Robot"), mia)
    expect(page.locator("#day-calls li", has_text="Robot")).to_have_count(2)
    assert name(page).count() == 0
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#toast")).to_contain_text("Robot brings up a card again.")
    call = desk_site.ring(mia, caller="+498912345000", name="Robot")
    expect(name(page)).to_have_text("Robot")
    desk_site.event("ended", call, mia)


def test_sound_badge_and_title_tell_of_calls(desk_site: DeskSite, pages: Pages, mia: str) -> None:
    page = desk(desk_site, pages, mia)
    missed = desk_site.ring(mia, name="First")
    expect(band(page)).to_have_text("Ringing you")
    assert page.evaluate("heard.tones") == 0
    desk_site.event("ended", missed, mia)
    expect(page).to_have_title("(1) Desk")

    page.locator("#sound").click()
    page.get_by_role("button", name="Try the sound").click()
    assert wait_until(lambda: page.evaluate("heard.tones") == 4, 5)
    call = desk_site.ring(mia, name="Second")

    assert wait_until(lambda: page.evaluate("heard.tones") == 6, 5)
    expect(page).to_have_title("(2) Ringing: Second")
    desk_site.event("active", call, mia)
    expect(page).to_have_title("(1) Second · Desk")
    assert page.evaluate("heard.badges") == [1, 2, 1]
    page.reload()
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")
    desk_site.event("ended", call, mia)


def test_a_notification_reaches_whoever_looks_elsewhere_and_goes_with_its_call(
    desk_site: DeskSite, pages: Pages, mia: str
) -> None:
    page = desk(desk_site, pages, mia)
    page.add_init_script(NOTICES)
    page.reload()
    seen = desk_site.ring(mia, name="Seen")
    expect(page).to_have_title("Ringing: Seen")
    assert page.evaluate("notices.length") == 0
    desk_site.event("ended", seen, mia)
    expect(band(page)).to_have_text("Missed")

    page.evaluate("document.hasFocus = () => false")
    call = desk_site.ring(mia, caller="+4930901899", name="Unseen")
    page.wait_for_function("() => notices.length === 1 && done.length === 0")
    assert page.evaluate("notices[0].told") == ["Unseen", "030 901899 · First call from this number.", f"call-{call}"]
    desk_site.event("ended", call, mia)
    page.wait_for_function("() => done[0] === 'close'")
    page.evaluate("notices[0].dispatchEvent(new Event('click'))")
    assert page.evaluate("done") == ["close", "focus", "close"]


def test_the_calls_move_to_a_window_on_top_and_back(desk_site: DeskSite, pages: Pages, mia: str) -> None:
    page = desk(desk_site, pages, mia)
    call = desk_site.ring(mia, name="On Top")
    desk_site.event("active", call, mia)
    expect(band(page)).to_have_text("Talking")
    note(page).press_sequentially("begun here")

    with page.context.expect_page() as opened:
        page.get_by_role("button", name="Keep on top").click()
    apart = opened.value

    expect(name(apart)).to_have_text("On Top")
    expect(page.locator("#on-top-place")).to_be_visible()
    assert name(page).count() == 0
    note(apart).press_sequentially(", kept on top")
    expect(apart.locator(".desk-note-kept")).to_contain_text("Saved")
    apart.screenshot(path=SHOTS / "desk-on-top.png")
    desk_site.event("ended", call, mia)
    expect(band(apart)).to_have_text("Ended")
    apart.close()

    expect(note(page)).to_have_value("begun here, kept on top")
    expect(page.locator("#on-top-place")).to_be_hidden()


def test_calls_of_today_are_searched(desk_site: DeskSite, pages: Pages, mia: str) -> None:
    page = desk(desk_site, pages, mia)
    for number, who in (("+498955500001", "Vera"), ("+498955500002", "Paul")):
        desk_site.event("ended", desk_site.ring(mia, caller=number, name=who), mia)
    page.locator(".desk-card [data-act=close]").click()
    page.locator(".desk-card [data-act=close]").click()
    expect(page.locator("#day-calls li")).to_have_count(2)

    page.get_by_label("Find a call of today").fill("5550 0002")
    expect(page.locator("#day-calls li")).to_have_count(1)
    expect(page.locator("#day-calls")).to_contain_text("Paul")
    page.get_by_label("Find a call of today").fill("nobody")
    expect(page.locator("#day-none")).to_have_text("No call of today with that name or number.")


def test_a_call_one_makes_is_followed_and_noted(desk_site: DeskSite, pages: Pages, mia: str) -> None:
    page = desk(desk_site, pages, mia)
    source = {"id": mia, "call_id": f"made-by-{mia}", "user": mia, "domain": "d"}
    target = {"id": "+498955500077", "call_id": f"made-by-{mia}-to", "user": None, "domain": None, "name": None}
    desk_site.post(source | {"state": "ringing"}, target | {"state": "ringing"})

    page.reload()  # agents of these tests are hidden, so there is no news of what they do
    expect(band(page)).to_have_text("You are calling")
    answered = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())
    desk_site.post(source | {"state": "active"}, target | {"state": "active"}, answered)
    note(page).press_sequentially("Rang back")
    expect(page.locator(".desk-note-kept")).to_contain_text("Saved")
    desk_site.post(source | {"state": "ended"}, target | {"state": "ended"}, answered)
    page.locator(".desk-card [data-act=close]").click()
    page.get_by_label("Find a call of today").fill("5550007")
    page.locator("#day-calls button", has_text="you called").click()

    expect(band(page)).to_have_text("Ended")
    expect(note(page)).to_have_value("Rang back")
    expect(page.get_by_role("link", name="Call again")).to_have_attribute("href", "tel:+498955500077")
    page.screenshot(path=SHOTS / "desk-dialled.png")


def test_calling_back_puts_the_running_call_before_the_missed_one(desk_site: DeskSite, pages: Pages, mia: str) -> None:
    page = desk(desk_site, pages, mia)
    missed = desk_site.ring(mia, caller="+498955500099", name="Missed Caller")
    desk_site.event("ended", missed, mia)
    expect(band(page)).to_have_text("Missed")
    source = {"id": mia, "call_id": f"back-by-{mia}", "user": mia, "domain": "d"}
    target = {"id": "+498955500099", "call_id": f"back-by-{mia}-to", "user": None, "domain": None, "name": None}

    page.get_by_role("link", name="Call back").first.click()
    desk_site.post(source | {"state": "ringing"}, target | {"state": "ringing"})
    expect(band(page)).to_have_text("You are calling")
    expect(page.locator("#over .desk-strip")).to_contain_text("Missed")
    answered = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())
    desk_site.post(source | {"state": "active"}, target | {"state": "active"}, answered)
    page.reload()
    expect(band(page)).to_have_text("Talking")
    note(page).fill("Rang back at once")  # not by keys: those go to the browser's question about the tel: link

    expect(page.locator(".desk-note-kept")).to_contain_text("Saved")
    expect(page.locator("#over .desk-strip")).to_have_count(0)
    expect(page).to_have_title("089 55500099 · Desk")
    desk_site.post(source | {"state": "ended"}, target | {"state": "ended"}, answered)
