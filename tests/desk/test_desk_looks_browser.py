"""What the card says and how it looks, for everybody and on every screen."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.desk.desk_site import DeskSite
from tests.desk.locators import HOSTILE, NARROW, SHOTS, WIDE, band, close_card, name, note
from tests.harness.axe import violations
from tests.harness.browser import Pages


def test_a_call_from_ring_to_end(desk_site: DeskSite, mia: str, pages: Pages) -> None:
    page = desk_site.desk(pages, mia, **WIDE)
    page.screenshot(path=SHOTS / "desk-quiet.png")
    number = next(desk_site.regulars)
    call = desk_site.ring(mia, "103", queue="800", caller=number, name="Hanna Brandt")

    shown = number.replace("+4930", "030 ")
    expect(name(page)).to_have_text("Hanna Brandt")
    expect(page.locator(".desk-number")).to_have_text(shown)
    expect(band(page)).to_have_text("Ringing you · Support")
    expect(page).to_have_title("Ringing: Hanna Brandt")
    expect(page.locator("#heard")).to_have_text(f"Ringing: Hanna Brandt, {shown} Support")
    expect(page.locator(".desk-sentences")).to_contain_text("nobody answered")
    expect(page.locator(".desk-earlier li")).to_have_count(3)
    expect(page.locator("#people-rows li", has_text="Farid")).to_contain_text("ringing")
    page.wait_for_timeout(1500)
    page.screenshot(path=SHOTS / "desk-ringing.png")

    desk_site.event("active", call, mia)
    expect(band(page)).to_have_text("Talking · Support")
    expect(page).to_have_title("Hanna Brandt · Desk")
    note(page).press_sequentially("Replacement arrived damaged, wants a")
    expect(page.locator(".desk-note-kept")).to_contain_text("Saved")
    page.screenshot(path=SHOTS / "desk-talking.png")

    desk_site.event("ended", call, mia)
    desk_site.event("ended", call, "103")
    expect(band(page)).to_have_text("Ended · Support")
    expect(page.locator(".desk-band-time")).to_contain_text("talked 0:0")
    expect(page.locator("#day-answered")).to_have_text("1")
    expect(page).to_have_title("Desk")
    page.screenshot(path=SHOTS / "desk-ended.png")
    close_card(page)
    expect(page.locator("#quiet")).to_be_visible()


def test_a_call_is_said_by_what_is_known_of_it(desk_site: DeskSite, mia: str, pages: Pages) -> None:
    page = desk_site.desk(pages, mia, **WIDE)
    heard = page.locator("#heard")

    call = desk_site.ring(mia, caller="+442079460012", name="")
    expect(name(page)).to_be_visible()
    number = name(page).inner_text()
    expect(heard).to_have_text(f"Ringing: {number}")
    desk_site.event("ended", call, mia)
    close_card(page)

    desk_site.ring(mia, queue="800", caller="+442079460012", name="")
    expect(heard).to_have_text(f"Ringing: {number}, Support")


def test_a_hostile_name_is_only_text(desk_site: DeskSite, mia: str, pages: Pages) -> None:
    page = desk_site.desk(pages, mia, **NARROW)
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    call = desk_site.ring(mia, name=HOSTILE)

    expect(name(page)).to_contain_text("<img src=x onerror=alert(1)>")
    assert dialogs == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert name(page).bounding_box()["height"] < 90
    desk_site.event("ended", call, mia)


@pytest.mark.parametrize("caller", [None, "anonymous"])
def test_a_withheld_number_has_a_plain_card(desk_site: DeskSite, mia: str, pages: Pages, caller: str | None) -> None:
    page = desk_site.desk(pages, mia, **WIDE)
    call = desk_site.ring(mia, caller=caller, name="")

    expect(name(page)).to_have_text("Number withheld")
    assert page.locator(".desk-sentences:visible, .desk-earlier:visible, .desk-number:visible").count() == 0
    desk_site.event("ended", call, mia)


def test_colleagues_are_found_by_name_and_extension(desk_site: DeskSite, mia: str, pages: Pages) -> None:
    page = desk_site.desk(pages, mia, **WIDE)
    call = desk_site.ring("104", name="Somebody")
    desk_site.event("active", call, "104")
    row = page.locator("#people-rows li", has_text="Deniz")
    expect(row).to_contain_text("talking 0:0")
    desk_site.event("ended", call, "104")

    expect(row).to_contain_text("idle under 1 min")
    expect(page.locator("#people-free")).to_have_text(re.compile(r"^\d+ idle$"))
    expect(row.locator("a")).to_have_attribute("href", "tel:104")
    page.get_by_role("searchbox").fill("weiß")
    expect(page.locator("#people-rows li")).to_have_count(1)
    for typed in ("106", "١٠٦"):
        page.get_by_role("searchbox").fill("weiß")
        page.get_by_role("searchbox").fill(typed)
        expect(page.locator("#people-rows li")).to_contain_text("Lucía")
    page.get_by_role("searchbox").fill("nobody")
    expect(page.locator("#people-none")).to_have_text("Nobody by that name or extension.")


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_state_is_accessible_and_fits(
    desk_site: DeskSite, mia: str, pages: Pages, size: Any, scheme: Any
) -> None:
    page = desk_site.desk(pages, mia, **size, color_scheme=scheme, reduced_motion="reduce")
    label = f"{'narrow' if size is NARROW else 'wide'}-{scheme}"
    looked_at(page, f"desk-quiet-{label}")
    call = desk_site.ring(mia, "103", queue="800", caller=next(desk_site.regulars), name="Hanna Brandt")
    expect(name(page)).to_be_visible()
    looked_at(page, f"desk-ringing-{label}")
    desk_site.event("active", call, mia)
    expect(band(page)).to_contain_text("Talking")
    other = desk_site.ring(mia, name="Another Caller", caller="+4989240118")
    expect(page.locator(".desk-strip")).to_be_visible()
    page.get_by_role("heading", name="When it rings").click()
    page.get_by_text("Quiet", exact=True).click()
    looked_at(page, f"desk-talking-{label}")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="30 minutes")).to_be_hidden()
    for each, extension in ((call, mia), (call, "103"), (other, mia)):
        desk_site.event("ended", each, extension)
    expect(band(page)).to_contain_text("Ended")
    looked_at(page, f"desk-ended-{label}")


def looked_at(page: Page, shot: str) -> None:
    """Axe finds nothing, nothing sticks out sideways, and there is a picture of it."""
    page.screenshot(path=SHOTS / f"{shot}.png", full_page=True)
    assert violations(page, ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
