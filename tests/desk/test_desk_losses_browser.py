"""Nothing typed is lost, and nothing is claimed to be seen that cannot be seen."""

import time
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.desk.desk_site import DeskSite
from tests.desk.locators import SHOTS, WIDE, band, name, note
from tests.harness.browser import Pages
from wallboard.live import feeds


def test_a_reload_brings_the_live_call_and_its_note_back(desk_site: DeskSite, mia: str, pages: Pages) -> None:
    page = desk_site.desk(pages, mia, **WIDE)
    call = desk_site.ring(mia)
    expect(name(page)).to_be_visible()
    desk_site.event("active", call, mia)
    expect(band(page)).to_have_text("Talking")
    note(page).press_sequentially("half a sent")

    page.reload()

    expect(name(page)).to_have_text("Some Caller")
    expect(band(page)).to_have_text("Talking")
    expect(note(page)).to_have_value("half a sent")


@pytest.mark.console_may_say("net::ERR_INTERNET_DISCONNECTED|WebSocket connection")
def test_typing_goes_on_without_a_connection(desk_site: DeskSite, mia: str, pages: Pages) -> None:
    page = desk_site.desk(pages, mia, **WIDE)
    desk_site.ring(mia)
    note(page).press_sequentially("before ")
    expect(page.locator(".desk-note-kept")).to_contain_text("Saved")

    page.context.set_offline(True)
    note(page).press_sequentially("and after")
    expect(page.locator(".desk-note-kept")).to_have_text("Not saved yet; kept in this browser")
    page.context.set_offline(False)

    expect(page.locator(".desk-note-kept")).to_contain_text("Saved", timeout=10_000)
    elsewhere = desk_site.desk(pages, mia, **WIDE)
    elsewhere.get_by_role("button", name="Show here").click()
    expect(note(elsewhere)).to_have_value("before and after")


def test_a_tab_closed_in_the_middle_of_a_word_loses_nothing(desk_site: DeskSite, mia: str, pages: Pages) -> None:
    page = desk_site.desk(pages, mia, **WIDE)
    desk_site.ring(mia)
    note(page).press_sequentially("closed in the mid")
    page.close(run_before_unload=True)

    again = desk_site.desk(pages, mia, **WIDE)

    again.wait_for_selector(".desk-card, .desk-strip")
    if again.get_by_role("button", name="Show here").count():
        again.get_by_role("button", name="Show here").click()
    expect(note(again)).to_have_value("closed in the mid")


@pytest.mark.console_may_say("net::ERR_INTERNET_DISCONNECTED|WebSocket connection")
def test_what_a_dead_connection_kept_back_is_delivered_by_the_next_visit(
    desk_site: DeskSite, mia: str, pages: Pages
) -> None:
    page = desk_site.desk(pages, mia, **WIDE)
    call = desk_site.ring(mia)
    expect(name(page)).to_be_visible()
    page.context.set_offline(True)
    note(page).press_sequentially("typed in a tunnel")
    expect(page.locator(".desk-note-kept")).to_contain_text("Not saved yet")
    again = page.context.new_page()
    with page.expect_event("close"):
        page.close(run_before_unload=True)
    again.context.set_offline(False)
    desk_site.event("ended", call, mia)

    with again.expect_response("**/desk/note/") as kept:
        again.goto(f"{desk_site.url}/desk/")

    assert kept.value.json()["text"] == "typed in a tunnel"
    expect(note(again)).to_have_value("typed in a tunnel", timeout=32_000)


def test_a_second_call_never_takes_the_keyboard_away(desk_site: DeskSite, mia: str, pages: Pages) -> None:
    page = desk_site.desk(pages, mia, **WIDE)
    first = desk_site.ring(mia, name="First Caller")
    desk_site.event("active", first, mia)
    note(page).press_sequentially("typing ")

    second = desk_site.ring(mia, caller="+442071838750", name="Second Caller")
    expect(page.locator(".desk-strip")).to_contain_text("Second Caller")
    expect(page.locator("#heard")).to_contain_text("Second Caller")
    page.keyboard.type("on and on")

    expect(name(page)).to_have_text("First Caller")
    expect(note(page)).to_have_value("typing on and on")
    page.screenshot(path=SHOTS / "desk-two-calls.png")
    page.locator('.desk-strip [data-act="show"]').click()
    expect(name(page)).to_have_text("Second Caller")
    expect(page.locator(".desk-number")).to_have_text("+44 20 7183 8750")
    expect(note(page)).to_have_value("")
    page.locator('.desk-strip [data-act="show"]').click()
    expect(note(page)).to_have_value("typing on and on")
    desk_site.event("ended", first, mia)
    expect(band(page)).to_have_text("Ended")
    note(page).press_sequentially(", after the end")
    third = desk_site.ring(mia, name="Third Caller")
    expect(page.locator(".desk-strip")).to_have_count(2)
    page.keyboard.type(" too")
    expect(note(page)).to_have_value("typing on and on, after the end too")
    expect(page.locator(".desk-note-kept")).to_contain_text("Saved")

    page.locator("#people-search").focus()
    desk_site.event("active", third, mia)
    expect(name(page)).to_have_text("Third Caller")
    assert page.evaluate("document.activeElement.id") == "people-search"
    for call in (second, third):
        desk_site.event("ended", call, mia)


@pytest.mark.console_may_say("net::ERR_FAILED")
def test_a_server_that_does_not_answer_is_no_silence(desk_site: DeskSite, mia: str, pages: Pages) -> None:
    page = desk_site.desk(pages, mia, **WIDE)
    page.route("**/desk/pop/", lambda route: route.abort())
    call = desk_site.ring(mia)
    expect(page.locator(".desk-strip")).to_contain_text("Who it is could not be fetched. Trying again.")
    expect(page.locator(".desk-strip")).to_contain_text("Ringing you")

    page.unroute("**/desk/pop/")

    expect(name(page)).to_have_text("Some Caller")
    assert page.locator(".desk-strip").count() == 0
    desk_site.event("ended", call, mia)


def test_missing_call_events_are_said_plainly(desk_site: DeskSite, mia: str, pages: Pages, settings: Any) -> None:
    page = desk_site.desk(pages, mia, **WIDE)
    expect(page.locator("#connection")).to_be_hidden()
    settings.REDIS_URL = desk_site.env["REDIS_URL"]
    since = int(time.time() * 1000) - 600_000
    feed, version = feeds.people(desk_site.domain_id), int(time.time() * 1000) + 10_000

    feed.publish({"events": (version, {"state": "down", "since": since, "heard_at": since})})
    expect(page.locator("#connection")).to_contain_text("Call events since")
    expect(page.locator("#people-free")).to_have_text("")
    expect(page.locator("#quiet")).to_contain_text("Calls cannot be seen right now")
    expect(page.locator("#day-note")).to_contain_text("may be too low")
    page.screenshot(path=SHOTS / "desk-events-missing.png")

    call = desk_site.ring(mia)
    expect(page.locator(".desk-band-time")).to_contain_text("as of")
    feed.publish({"events": (version + 1, {"state": "live", "since": None, "heard_at": since})})
    expect(page.locator("#connection")).to_be_hidden()
    expect(page.locator(".desk-band-time")).to_contain_text("0:0")
    desk_site.event("ended", call, mia)


def test_a_queue_that_is_left_out_tells_since_when(desk_site: DeskSite, mia: str, pages: Pages, settings: Any) -> None:
    page = desk_site.desk(pages, mia, timezone_id="Europe/Berlin", **WIDE)
    row = page.locator("#queue-rows li", has_text="Orders")
    expect(row).to_contain_text("0 waiting")
    settings.REDIS_URL = desk_site.env["REDIS_URL"]
    feed, key = feeds.queues(desk_site.domain_id), "queue:801"
    figures = {"waiting": 0, "longest_wait": 0, "average_wait": 0, "level": "normal", "agents": 4, "available": 2}
    figures |= {"unavailable": 2, "reason": "", "since": 0, "missing_since": None}
    eight = int(datetime(2026, 11, 20, 7, tzinfo=UTC).timestamp() * 1000)

    feed.publish({key: (1000, figures | {"missing_since": eight})})
    expect(row).to_contain_text("no figures since 08:00")
    feed.publish({key: (1001, figures)})
    expect(row).to_contain_text("0 waiting")


def test_a_queue_that_is_off_every_board_is_off_the_desk(
    desk_site: DeskSite, mia: str, pages: Pages, settings: Any
) -> None:
    page = desk_site.desk(pages, mia, **WIDE)
    names = page.locator("#queue-rows .desk-row-name")
    expect(names.filter(has_text="Orders")).to_have_count(1)
    rows = names.count()
    settings.REDIS_URL = desk_site.env["REDIS_URL"]
    about = {"number": "801", "name": "Orders", "order": 1, "targets": {}}

    feeds.queues(desk_site.domain_id).publish({"about:801": (1000, None)})
    expect(names).to_have_count(rows - 1)
    feeds.queues(desk_site.domain_id).publish({"about:801": (1001, about)})
    expect(names).to_have_count(rows)


@pytest.mark.console_may_say("WebSocket")
def test_a_page_without_a_connection_says_so(desk_site: DeskSite, mia: str, pages: Pages) -> None:
    page = pages.open(**WIDE)
    page.context.add_cookies([desk_site.cookie(mia)])
    page.route_web_socket("**/live/**", lambda socket: socket.close(code=1011))
    page.goto(f"{desk_site.url}/desk/")

    expect(page.locator("#connection")).to_contain_text("No connection since", timeout=15_000)
