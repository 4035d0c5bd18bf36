"""The navigation and the pages' layout in a browser: one line, one left edge, nothing out of sight, phone to 4K."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from tests.boards.conftest import Show, SignIn
from wallboard.boards.models import Board

SIZES = {
    "small phone": (360, 740),
    "phone": (390, 844),
    "narrow": (1080, 700),
    "usual": (1920, 1080),
    "4K": (3840, 2160),
}
DAILY = ("/", "/people/", "/calls/", "/reports/", "/boards/new/", "/manage/", "/accounts/", "/boards/main/")
MANAGED = (
    "/targets/",
    "/targets/hours/",
    "/alerts/",
    "/desk/contacts/",
    "/accounts/people/",
    "/setup/privacy/",
    "/brand/",
    "/setup/notifications/",
    "/setup/calibration/",
)
MEASURED = """() => {
  const box = (node) => { const { left, right, top, bottom, width, height } = node.getBoundingClientRect();
    return { left, right, top, bottom, width, height, text: node.textContent.trim() }; };
  const seen = (node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return Boolean(hit) && node.contains(hit) && node.scrollWidth <= node.clientWidth + 1;
  };
  const all = (selector) => [...document.querySelectorAll(selector)];
  const size = (node) => parseFloat(getComputedStyle(node).fontSize);
  const least = 0.74 * size(document.querySelector(".nav"));
  const isText = (child) => child.nodeType === 3 && child.textContent.trim();
  const isSmall = (node) => node.checkVisibility() && size(node) < least && !node.closest("svg, .only-heard")
    && [...node.childNodes].some(isText);
  return {
    overflow: document.documentElement.scrollWidth - innerWidth,
    daily: all(".nav-daily a").map(box),
    more: all(".nav-more a, .nav form button").filter((node) => node.checkVisibility()).map(box),
    brand: box(document.querySelector(".nav-brand")),
    hidden: all(".nav a, .nav button:not([hidden])").filter((node) => node.checkVisibility() && !seen(node))
      .map((node) => node.textContent.trim()),
    side: all(".manage li a").map(box).filter((each) => each.height),
    heading: box(document.querySelector("h1")),
    text: parseFloat(getComputedStyle(document.querySelector(".nav-daily a")).fontSize),
    main: box(document.getElementById("content")),
    small: [...new Set(all("body *").filter(isSmall).map((node) => node.outerHTML.slice(0, 80)))],
    about: size(document.getElementById("about")),
    tables: all(".table-wrap").map((node) => node.scrollWidth - node.clientWidth),
  };
}"""


BAR = """() => {
  const parts = document.querySelectorAll(".nav-brand, .nav a, .nav button");
  const words = (node) => { const range = document.createRange(); range.selectNodeContents(node);
    return (node.matches(".badge-link") ? node : range).getBoundingClientRect(); };
  const top = document.querySelector(".nav").getBoundingClientRect();
  return [...new Set(parts)].filter((node) => node.checkVisibility())
    .map((node) => ({ text: node.textContent.trim(), ...words(node).toJSON() }))
    .filter((box) => box.width && box.top < top.bottom);
}"""


def measured(page: Page) -> Any:
    return page.evaluate(MEASURED)


def in_one_line(boxes: list[dict[str, float]]) -> bool:
    return len({round(box["top"]) for box in boxes}) == 1 and len({round(box["height"]) for box in boxes}) == 1


def at_every_size(show: Show, client: Client, path: str) -> Iterator[tuple[str, Any]]:
    """The page measured at each of SIZES."""
    shown = show(*SIZES["usual"], path=path, client=client)
    for name, (width, height) in SIZES.items():
        shown.page.set_viewport_size({"width": width, "height": height})
        shown.settle()
        yield name, measured(shown.page)


@pytest.mark.parametrize("path", [*DAILY, *MANAGED])
def test_a_page_has_its_bar_in_one_line_and_begins_at_one_left_edge(show: Show, sign_in: SignIn, path: str) -> None:
    for size, found in at_every_size(show, sign_in("administrator"), path):
        bar_is_in_sight(found, is_phone="phone" in size)
        if path != "/boards/main/":
            begins_at_its_edge(found, path, is_phone="phone" in size)


@pytest.mark.parametrize("language", ["en", "ar", "de", "es", "fr", "nl"])
def test_nothing_in_the_bar_lies_over_anything_else_in_any_language(show: Show, sign_in: SignIn, language: str) -> None:
    client = sign_in("administrator")
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    shown = show(1280, 800, path="/accounts/", client=client, locale=language)
    shown.page.locator(".alert-badge").evaluate("(node) => { node.dataset.state = 'open'; }")
    shown.page.locator(".badge-count").evaluate("(node) => { node.textContent = '12'; }")
    for width in (320, 360, 390, 480, 768, 800, 901, 1024, 1051, 1280):
        shown.page.set_viewport_size({"width": width, "height": 800})
        boxes = sorted(shown.page.evaluate(BAR), key=lambda box: box["left"])
        assert len(boxes) > 4
        assert boxes[0]["left"] >= 0
        assert boxes[-1]["right"] <= width
        over = [(one["text"], other["text"]) for one, other in pairwise(boxes) if other["left"] < one["right"] - 1]
        assert (width, over) == (width, [])


def bar_is_in_sight(found: Any, *, is_phone: bool) -> None:
    assert found["overflow"] <= 0
    assert [each["text"] for each in found["daily"]] == ["Wall", "Desk", "People", "Calls", "Reports"]
    rest = ["Manage", "Account", "Sign out"] if is_phone else ["Manage", "Account", "Help", "Sign out"]
    assert [each["text"] for each in found["more"]] == rest
    assert found["hidden"] == []
    assert in_one_line(found["daily"])
    assert len({round((box["top"] + box["bottom"]) / 2) for box in found["more"]}) == 1
    if not is_phone:
        assert found["tables"] == [0] * len(found["tables"])


def begins_at_its_edge(found: Any, path: str, *, is_phone: bool) -> None:
    is_beside_the_list = path in MANAGED and not is_phone
    edge = found["text"] / 16 * 228 if is_beside_the_list else found["brand"]["left"]
    assert found["heading"]["left"] == pytest.approx(edge, abs=1)
    assert found["small"] == []
    assert found["about"] == found["text"] or is_phone
    is_wide = path in ("/", "/reports/")  # boards and charts take all the room that there is
    assert found["main"]["width"] <= (1440 + 48) * found["text"] / 16 or is_phone or is_wide
    assert len(found["side"]) == (22 if is_beside_the_list else 0)


@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "nl", "ar"])
def test_the_list_of_people_is_whole_in_each_language(show: Show, sign_in: SignIn, board: Board, language: str) -> None:
    client = sign_in("administrator")
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    page = show(1280, 850, path="/accounts/people/", client=client).page

    assert page.evaluate("document.documentElement.lang") == language
    assert page.locator(".accounts-people .row .button-quiet").count() == 1
    assert measured(page)["tables"] == [0]


def test_type_grows_where_a_screen_is_large(show: Show, sign_in: SignIn, board: Board) -> None:
    client = sign_in("supervisor")
    sizes = {width: measured(show(width, 1080, path="/people/", client=client).page) for width in (1920, 2200, 3840)}
    over_a_board = measured(show(3840, 2160, client=client).page)

    assert (sizes[1920]["text"], sizes[2200]["text"]) == (16, 16)
    assert sizes[3840]["text"] == pytest.approx(26, abs=0.1)
    assert sizes[3840]["main"]["width"] > 2200
    assert over_a_board["text"] == pytest.approx(26, abs=0.1)
    assert over_a_board["brand"]["left"] == pytest.approx(sizes[3840]["brand"]["left"], abs=1)


def test_on_a_phone_the_places_of_the_day_stand_at_the_thumb_and_cover_nothing(
    show: Show, sign_in: SignIn, board: Board
) -> None:
    page = show(390, 844, path="/manage/", client=sign_in("administrator")).page
    found = measured(page)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    last = page.locator(".manage-all a").last.bounding_box()

    assert all(box["bottom"] >= 840 and box["height"] >= 44 and box["width"] >= 70 for box in found["daily"])
    assert page.locator(".nav-daily .nav-icon:visible").count() == 5
    assert all(box["bottom"] < 60 for box in found["more"])
    assert last is not None
    assert last["y"] + last["height"] <= min(box["top"] for box in found["daily"])


def test_the_list_of_manage_begins_where_the_page_is(show: Show, sign_in: SignIn) -> None:
    page = show(1280, 700, path="/brand/", client=sign_in("administrator")).page

    expect(page.locator(".manage [aria-current]")).to_have_text("Look")
    expect(page.locator(".manage [aria-current]")).to_be_in_viewport(ratio=1)


def test_on_a_phone_a_page_of_manage_leads_back_to_the_list(show: Show, sign_in: SignIn, board: Board) -> None:
    page = show(390, 844, path="/targets/", client=sign_in("supervisor")).page

    back = page.get_by_role("navigation", name="Manage").get_by_role("link")

    assert [back.count(), back.inner_text(), back.get_attribute("href")] == [1, "Manage", "/manage/"]


def test_the_keyboard_walks_the_bar_in_its_order_and_shows_where_it_is(
    show: Show, sign_in: SignIn, board: Board
) -> None:
    page = show(1080, 700, path="/targets/", client=sign_in("supervisor")).page
    walked = []
    for _ in range(14):
        page.keyboard.press("Tab")
        walked.append(
            page.evaluate(
                "[document.activeElement.textContent.trim(), getComputedStyle(document.activeElement).outlineStyle]"
            )
        )

    assert [text for text, _ring in walked] == [
        *(
            "Skip to content",
            "Wallboard",
            "Wall",
            "Desk",
            "People",
            "Calls",
            "Reports",
            "Manage",
            "Account",
            "Help",
            "?Not connected: open alerts are not known.",
            "Sign out",
        ),
        *("Manage", "Alerts"),
    ]
    assert {ring for _text, ring in walked} == {"solid"}


def test_a_tv_loads_nothing_of_the_navigation(show_tv: Show) -> None:
    tv = show_tv().page

    assert tv.locator("nav, .nav").count() == 0
    assert [
        link
        for link in tv.locator("link[rel=stylesheet]").evaluate_all("all => all.map((each) => each.href)")
        if "nav.css" in link or "pages.css" in link
    ] == []
