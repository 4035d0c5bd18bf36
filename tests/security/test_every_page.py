"""Every page of the site in a real browser: no violation that a machine can find, in both themes, and at 200 % zoom.

The pages come from the list of all addresses that tests/security/asks.py must answer for, so no new one is forgotten.
"""

import json
from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation
from playwright.sync_api import Browser, Page, Route, WebSocketRoute

from accounts.models import Domain, User
from tests.boards import fake_feeds
from tests.harness.axe import violations
from tests.harness.static_files import PAGES
from tests.security.asks import Ask, asks, further
from tests.security.company import Company
from wallboard import matrix
from wallboard.setup import rtl_styles

ORIGIN = "http://testserver"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
USUAL = {"width": 1280, "height": 1024}
ZOOMED = {"width": 640, "height": 512}  # the usual one at 200 %
PHONE = {"width": 390, "height": 844}
NO_PAGES = {"webhooks:hook"}  # asynchronous, and for the provider only
ENHANCED = ["color-contrast", "color-contrast-enhanced"]  # the second tells only what is between 4.5 and 7 to 1
SINGLE = {"screens:tv": "screen", "accounts:link": "unlinked"}
LOOKED_AT_IN_CONTRAST = {"boards:board", "calls:people", "screens:pair", "queues:targets", "desk:desk"}
LOOKED_AT_IN_ARABIC = {
    "boards:board",
    "calls:people",
    "queues:targets",
    "desk:desk",
    "alerts:alerts",
    "boards:edit",
    "reports:reports",
    "setup:manage",
}
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(true), 80)))"


@dataclass
class Shown:
    """One page as the server wrote it."""

    name: str
    path: str
    answer: Any


def visitor_of(name: str) -> str:
    """Who looks at a page: the one with the most rights that may."""
    audience = matrix.AUDIENCE_OF[name]
    if audience == "superuser":
        return audience
    return SINGLE.get(name) or ("nobody" if audience in ("everybody", "holder") else "administrator")


def pages_of(company: Company, names: Set[str] = frozenset()) -> list[Shown]:
    """Every address that answers a GET with a page, whatever it is usually asked for with; or those of these names."""
    found: dict[str, Shown] = {}
    for ask in [*asks(company).values(), *further(company)]:
        if ask.name in NO_PAGES or ask.name in found or (names and ask.name not in names):
            continue
        data = ask.data if ask.method == "get" and "as" not in ask.data else {}
        plain = Ask(ask.name, "get", ask.args, data)
        answer = plain.send(company.browser(visitor_of(ask.name)))
        if answer.status_code in (200, 400) and answer.headers.get("Content-Type", "").startswith("text/html"):
            found[ask.name] = Shown(ask.name, answer.wsgi_request.get_full_path(), answer)
    return list(found.values())


class Serving:
    """Answers a browser with what Django wrote before, and plays the other end of its sockets."""

    def __init__(self, page: Page, company: Company) -> None:
        self.page, self.company = page, company
        self.shown: Shown | None = None
        page.route(PAGES, self._answer)
        page.route_web_socket("**/live/**", self._accept)

    def open(self, shown: Shown) -> None:
        self.shown = shown
        self.page.goto(ORIGIN + shown.path)
        self.page.wait_for_function(SETTLED)

    def _answer(self, route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN).split("?")[0]
        assert self.shown is not None
        if path.startswith("/brand/mirrored/"):
            route.fulfill(body=rtl_styles.style(), content_type="text/css; charset=utf-8")
        elif route.request.resource_type == "document":
            answer = self.shown.answer
            headers = {name: value for name, value in answer.headers.items() if name != "Cross-Origin-Opener-Policy"}
            route.fulfill(status=answer.status_code, headers=headers, body=answer.content)
        else:
            route.fulfill(status=204)

    def _accept(self, socket: WebSocketRoute) -> None:
        def say(frame: dict[str, Any]) -> None:
            socket.send(json.dumps(frame))

        say(fake_feeds.ping())
        board = f"board:{self.company.board.pk}"
        feeds = {
            "queues": fake_feeds.queues(8),
            "people": fake_feeds.people(24),
            "calls": fake_feeds.calls(6, masked=False),
        }
        for feed, documents in {
            **feeds,
            "wall": fake_feeds.calls(6),
            board: {"today": fake_feeds.today()},
        }.items():
            say({"feed": feed, "id": f"1-{feed}", "snapshot": documents})


CUT = """() => {
  const isCut = (node) => {
    const style = getComputedStyle(node);
    const box = node.getBoundingClientRect();
    if (style.overflowX !== "hidden" && style.overflowX !== "clip") return false;
    return box.width > 4 && box.height > 4 && style.visibility === "visible" && node.scrollWidth > node.clientWidth + 1;
  };
  const hasText = (node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
  const isTold = (node) => node.closest("[title], [aria-label]");
  return [...document.querySelectorAll("body *")].filter((node) => hasText(node) && isCut(node) && !isTold(node))
    .map((node) => node.outerHTML.slice(0, 110));
}"""


FORMS = (Path(__file__).parent / "form_controls.js").read_text()
WALLS = {"boards:board", "replay:page", "screens:tv", "screens:embed"}  # for five metres: their foot has its own rules
LEAST = 40  # px high, so that a finger hits it; the foot of a board is small, always
CONTROLS = """(least) => {
  const isSeen = (node) => {
    const box = node.getBoundingClientRect();
    return node.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && box.width > 4 && box.height > 4;
  };
  const all =
    "button:not(.foot-tool), a.button, a.button-quiet, select, summary, input:not([type=checkbox], [type=radio])";
  const told = (node, what) => `${what}: ${node.outerHTML.slice(0, 110)}`;
  return [...document.querySelectorAll(all)].filter((node) => !node.disabled && isSeen(node)).flatMap((node) => {
    const found = node.offsetHeight < least ? [told(node, `${node.offsetHeight} px high`)] : [];
    node.focus({ preventScroll: true });
    const { outlineStyle, outlineWidth } = getComputedStyle(node);
    const isTold = document.activeElement !== node || (outlineStyle !== "none" && parseFloat(outlineWidth) >= 3);
    return isTold ? found : [...found, told(node, `a ring of ${outlineStyle} ${outlineWidth}`)];
  });
}"""


def small_controls(page: Page) -> list[str]:
    """Controls that a finger misses, and those whose focus a keyboard does not show."""
    page.keyboard.press("Tab")  # from now on what gets the focus shows it
    found: list[str] = page.evaluate(CONTROLS, LEAST)
    return found


def uneven_forms(page: Page) -> list[str]:
    """Controls not level side by side or not apart, labels with colons, tables to push sideways; on a phone, too."""
    found: list[str] = page.evaluate(FORMS)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.wait_for_function(SETTLED)
    found += [f"on a phone {each}" for each in page.evaluate(FORMS)]
    page.set_viewport_size(USUAL)  # type: ignore[arg-type]
    page.wait_for_function(SETTLED)
    return found


def in_contrast(page: Page) -> list[str]:
    """What cannot be read where the device asks for more contrast."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, contrast="more")
        found += [f"more contrast, {scheme}, {each}" for each in violations(page, ENHANCED)]
    page.emulate_media(contrast="no-preference")
    return found


def problems(page: Page) -> list[str]:
    """What a machine finds on the open page."""
    page.emulate_media(color_scheme="light")
    found = violations(page, RULES)
    page.emulate_media(color_scheme="dark")
    found += [f"dark, {each}" for each in violations(page, ["color-contrast"])]
    page.set_viewport_size(ZOOMED)  # type: ignore[arg-type]
    page.wait_for_function(SETTLED)
    if page.evaluate("document.documentElement.scrollWidth > innerWidth + 1"):
        found.append("at 200 % zoom it scrolls sideways")
    found += [f"at 200 % zoom it is cut off: {each}" for each in page.evaluate(CUT)[:3]]
    page.set_viewport_size(USUAL)  # type: ignore[arg-type]
    return found


def test_small_controls_and_missing_rings_are_found(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content(
        """<style>* { height: 40px; outline: 3px solid } p { height: auto } select { height: 36px } a { outline: 0 }
        a { display: block } [hidden] { display: none } [disabled] { height: 9px }</style><button>good</button>
        <select><option>small</option></select><a class="button" href="#">no ring</a>
        <button hidden>unseen</button><button disabled>off</button>"""
    )

    found = small_controls(page)
    page.close()

    assert [each.split(": ")[0] for each in found] == ["36 px high", "a ring of none 0px"]


def test_the_check_finds_what_is_wrong(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 1024})
    page.set_content(
        """<html lang="en"><title>x</title><style>p { width: 900px } b { display: block; width: 40px; overflow: hidden;
        white-space: nowrap } i { color: #6a6a6a }
        @media (prefers-color-scheme: dark) { p { color: #777; background: #666 } }</style>
        <main><p>wide</p><i>soft</i><img src="data:,"><b>a long text that is cut off</b></main>"""
    )

    found, in_more = problems(page), in_contrast(page)
    page.close()

    assert [each.split(":")[0] for each in found] == [
        "image-alt",
        "dark, color-contrast",
        "at 200 % zoom it scrolls sideways",
        "at 200 % zoom it is cut off",
    ]
    assert {each.split(":")[0] for each in in_more} == {
        "more contrast, light, color-contrast-enhanced",
        "more contrast, dark, color-contrast",
        "more contrast, dark, color-contrast-enhanced",
    }


@pytest.mark.django_db
@pytest.mark.timeout(300)  # some sixty pages, each in both themes, zoomed and on a phone
def test_every_page_is_accessible_in_both_themes_and_zoomed_and_its_controls_agree(
    ours: Company, browser: Browser
) -> None:
    pages = pages_of(ours)
    found: dict[str, list[str]] = {}
    context = browser.new_context(viewport={"width": 1280, "height": 1024}, reduced_motion="reduce")
    serving = Serving(context.new_page(), ours)
    for shown in pages:
        serving.open(shown)
        wrong = [] if shown.name in WALLS else uneven_forms(serving.page)
        wrong += small_controls(serving.page) + problems(serving.page)
        if shown.name in LOOKED_AT_IN_CONTRAST:
            wrong += in_contrast(serving.page)
        if wrong:
            found[shown.name] = wrong
    context.close()

    names = {shown.name for shown in pages}
    assert {"boards:board", "screens:tv", "desk:desk", "accounts:login", "calls:people", "queues:targets"} <= names
    assert {"queues:hours", "reports:reports", "setup:brand", "contacts:import"} <= names
    assert found == {}


@pytest.mark.django_db
def test_pages_from_right_to_left_are_accessible_in_both_themes_and_zoomed(ours: Company, browser: Browser) -> None:
    User.objects.update(language="ar")
    Domain.objects.update(language="ar")
    with translation.override("ar"):
        pages = pages_of(ours, LOOKED_AT_IN_ARABIC)
    context = browser.new_context(viewport={"width": 1280, "height": 1024}, reduced_motion="reduce")
    serving = Serving(context.new_page(), ours)
    found = {}
    for shown in pages:
        serving.open(shown)
        is_rtl = serving.page.evaluate("getComputedStyle(document.body).direction") == "rtl"
        if wrong := problems(serving.page) + ([] if is_rtl else ["not from right to left"]):
            found[shown.name] = wrong
    context.close()

    assert {shown.name for shown in pages} == LOOKED_AT_IN_ARABIC
    assert found == {}
