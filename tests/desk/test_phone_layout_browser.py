"""The desk on a phone: names and numbers are whole, and no button lies on what is read."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.desk.desk_site import DeskSite
from tests.desk.locators import band, name
from tests.harness.browser import Pages

PHONE: Any = {"width": 390, "height": 844, "color_scheme": "dark", "locale": "de-DE"}
NAME = "Alexandra Schönfelder-Winterhalter"
NUMBER = "+493023125039"
WHOLE = "(node) => node.scrollWidth <= node.clientWidth + 1 && node.scrollHeight <= node.clientHeight + 1"
LINES = """(node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
}"""


@pytest.fixture
def phone(desk_site: DeskSite, mia: str, pages: Pages) -> Page:
    return desk_site.desk(pages, mia, **PHONE)


def test_a_second_call_has_its_buttons_below_what_it_says(desk_site: DeskSite, mia: str, phone: Page) -> None:
    first = desk_site.ring(mia, name="First")
    desk_site.event("active", first, mia)
    expect(band(phone)).to_contain_text("Im Gespräch")
    second = desk_site.ring(mia, name="", caller=NUMBER)

    strip = phone.locator(".desk-strip[data-state=ringing]")
    expect(strip).to_contain_text("Klingelt bei Ihnen")
    boxes = [strip.locator(f".desk-strip-{part}").bounding_box() for part in ("state", "name", "acts")]
    tops = [box["y"] for box in boxes if box]
    ends = [box["y"] + box["height"] for box in boxes if box]
    assert ends[0] <= tops[1] + 1
    assert ends[1] <= tops[2] + 1
    assert strip.locator(".desk-strip-name").evaluate(WHOLE)
    for call in (first, second):
        desk_site.event("ended", call, mia)


def test_the_name_on_the_card_has_the_whole_width(desk_site: DeskSite, mia: str, phone: Page) -> None:
    call = desk_site.ring(mia, name=NAME, caller=NUMBER)

    expect(name(phone)).to_have_text(NAME)
    assert name(phone).evaluate(WHOLE)
    assert phone.locator(".desk-number").evaluate(LINES) == 1
    acts, reach = phone.locator(".desk-acts").bounding_box(), phone.locator(".desk-reach").bounding_box()
    assert acts is not None
    assert reach is not None
    assert acts["y"] >= reach["y"] + reach["height"]
    desk_site.event("ended", call, mia)


def test_the_tools_stand_in_one_line_and_open_over_what_is_below(phone: Page) -> None:
    tools = phone.locator(".desk-bar > :not([hidden])").evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect().top)"
    )
    phone.get_by_text("Ruhe", exact=True).click()
    last = phone.locator("#quiet-menu button").last

    assert len(tools) >= 3
    assert len(set(tools)) == 1
    last.click(trial=True)  # what covers it or cuts it off would take the click
    box = last.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


def test_a_call_of_today_has_its_number_below_its_name(desk_site: DeskSite, mia: str, phone: Page) -> None:
    call = desk_site.ring(mia, name="Alexandra Schönfelder", caller=NUMBER)
    desk_site.event("ended", call, mia)

    row = phone.locator("#day-calls li")
    expect(row).to_contain_text("Alexandra Schönfelder")
    above, below = (row.locator(f".desk-row-{part}").bounding_box() for part in ("name", "number"))
    assert row.locator(".desk-row-name").evaluate(WHOLE)
    assert row.locator(".desk-row-number").evaluate(LINES) == 1
    assert above is not None
    assert below is not None
    assert below["y"] >= above["y"] + above["height"] - 1
