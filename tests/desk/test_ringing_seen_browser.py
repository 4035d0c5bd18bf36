"""A call that rings is seen at once wherever the person looks, and what stands beside it has room for its names."""

import pytest
from playwright.sync_api import expect

from tests.desk.desk_site import DeskSite
from tests.desk.locators import NARROW, SHOTS, WIDE, band, close_card, note
from tests.harness.axe import violations
from tests.harness.browser import Pages

IN_SIGHT = """(element) => {
    const { top, bottom, height } = element.getBoundingClientRect();
    return top > -2 && bottom <= innerHeight && height;
}"""


def test_a_call_that_rings_above_a_scrolled_page_stands_across_its_top(
    desk_site: DeskSite, mia: str, pages: Pages
) -> None:
    page = desk_site.desk(pages, mia, **NARROW)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")

    call = desk_site.ring(mia, name="Caller Above")

    bar = page.locator("#ringing")
    expect(bar).to_contain_text("Caller Above")
    assert bar.evaluate(IN_SIGHT) >= 60
    assert violations(page) == []
    page.screenshot(path=SHOTS / "desk-ringing-scrolled.png")
    bar.get_by_role("button", name="Show").click()
    expect(bar).to_be_hidden()
    assert page.locator(".desk-band").evaluate(IN_SIGHT)
    desk_site.event("ended", call, mia)


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_call_that_rings_while_a_note_is_written_is_no_thin_line(
    desk_site: DeskSite, mia: str, pages: Pages, size: dict[str, int]
) -> None:
    page = desk_site.desk(pages, mia, **size)
    first = desk_site.ring(mia, name="First")
    desk_site.event("active", first, mia)
    desk_site.event("ended", first, mia)
    expect(band(page)).to_have_text("Ended")
    note(page).press_sequentially("still writ")

    call = desk_site.ring(mia, name="Second")

    strip = page.locator(".desk-strip[data-state=ringing]")
    expect(strip).to_contain_text("Second")
    time, acts = (strip.locator(f".desk-strip-{part}").bounding_box() for part in ("time", "acts"))
    assert time is not None
    assert acts is not None
    assert time["x"] + time["width"] <= acts["x"] or time["y"] + time["height"] <= acts["y"]
    page.screenshot(path=SHOTS / f"desk-ringing-noting-{size['width']}.png")
    assert strip.evaluate(IN_SIGHT) >= 80
    note(page).press_sequentially("ing")
    expect(note(page)).to_have_value("still writing")
    desk_site.event("ended", call, mia)


def test_putting_a_live_call_away_does_not_sound_like_hanging_up(desk_site: DeskSite, mia: str, pages: Pages) -> None:
    page = desk_site.desk(pages, mia, **WIDE)
    call = desk_site.ring(mia, name="Caller")
    away = page.locator('.desk-card [data-act="close"]')

    expect(away).to_have_text("Hide card")
    desk_site.event("ended", call, mia)
    expect(away).to_have_text("Close")
    close_card(page)


@pytest.mark.parametrize("width", [360, 1280, 1920])
def test_colleagues_have_their_whole_names_and_a_wide_screen_is_used(
    desk_site: DeskSite, mia: str, pages: Pages, width: int
) -> None:
    page = desk_site.desk(pages, mia, width=width, height=900)
    expect(page.locator("#people-rows li")).not_to_have_count(0)

    cut = "(names) => names.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)"
    assert page.eval_on_selector_all("#people-rows .desk-row-name", cut) == []
    used = page.locator(".desk-grid").evaluate("(grid) => grid.getBoundingClientRect().width / innerWidth")
    assert used > 0.85
    page.screenshot(path=SHOTS / f"desk-{width}.png")
