"""All pages walked in a browser: every number in a text has a figure, and every figure tells its words on a tap.

The pages are those of tests/security/test_every_page.py, with a morning of calls and a forecast beside them.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.urls import reverse
from playwright.sync_api import Browser, Page, Route, expect

from tests.forecast import mondays
from tests.security.company import Company
from tests.security.test_every_page import ORIGIN, Serving, Shown, pages_of
from wallboard.figures.registry import FIGURES

NO_FIGURES = {  # what has numbers that are none of measure, and why
    "time, .board-clock, .board-draft, .heat-map thead, .trend-text, #next-hour": "moments",
    "input, textarea, option, select, code, progress": "what somebody types or chooses",
    "[dir=auto], bdi, .accounts-facts dd, .contacts-numbers": "names and numbers that somebody gave",
    "tbody th[scope=row], .contacts-errors td:first-child, .contacts-preview td:first-child": "names of rows",
    "a, button, label, summary, legend": "what one presses, and the names of fields",
    ".accounts-code strong, .pair-code": "codes",
    ".hint, .hint-box, .targets-lead, .targets .soft.small, .pair-words, .desk-quiet .soft": "sentences that explain",
    "#keeping ~ form .soft.small, #mutes ~ ul span, .rotation-list .soft": "what somebody has set",
    ".guide-text": "what a guide tells of",
    ".companies-counts dd": "rows that are removed with a company",
    ".service-formula, .service-formulas td": "formulas with the seconds that somebody has set",
}
WITHOUT = {"boards:edit", "screens:tv", "screens:embed", "admin:login"}  # drawn inert, without a tap, or not ours
NUMBERS = """async (exempt) => {
  const { figuresAt } = await import("/static/js/lib/figure-marks.js");
  const isSeen = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const bare = [], keys = new Set();
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement, text = walker.currentNode.textContent.trim();
    const isNumberToCall = /^[+•\\d][•\\d\\s()/-]{5,}$/.test(text);
    if (!/\\d/.test(text) || isNumberToCall || !isSeen(node) || node.closest("script, template, style")) continue;
    const found = figuresAt(node);
    const isCard = node.closest(".card, .total, .queue-card")?.querySelector(".about");
    if (found.length) found.forEach((key) => keys.add(key));
    else if (!isCard && !node.closest(exempt)) bare.push(`${text.slice(0, 60)} in ${node.outerHTML.slice(0, 80)}`);
  }
  return { bare, keys: [...keys] };
}"""

MARKED = """async () => {
  const { figuresAt } = await import("/static/js/lib/figure-marks.js");
  const isOne = (cell) => cell.checkVisibility() && figuresAt(cell).length && !cell.querySelector("a, button");
  return [...document.querySelectorAll("main td.number")].findIndex(isOne);
}"""


LOOKS = re.compile(r"/static/.*\.(css|woff2|svg|png)")


class Answering(Serving):
    """Answers what scripts fetch, too."""

    def __init__(self, page: Page, company: Company) -> None:
        self.fetched: dict[str, Any] = {}
        super().__init__(page, company)
        page.route(LOOKS, lambda route: route.abort())  # what is said of figures needs none, and the walk is long

    def _answer(self, route: Route) -> None:
        if route.request.resource_type in ("stylesheet", "image"):
            route.abort()
            return
        answer = self.fetched.get(route.request.url.removeprefix(ORIGIN).split("?")[0])
        if answer is None or route.request.resource_type == "document":
            super()._answer(route)
        else:
            route.fulfill(status=answer.status_code, headers=dict(answer.headers), body=answer.content)


@pytest.fixture
def busy(ours: Company) -> Company:
    """With a Monday of calls of two queues, and what figures rest on proven."""
    mondays.mondays(ours.domain)
    mondays.certain(ours.domain)
    return ours


def walked(company: Company) -> Iterator[Shown]:
    """Every page, and reports and service level of that Monday."""
    yield from pages_of(company)
    browser = company.browser("administrator")
    at = mondays.MONDAY + timedelta(hours=11, minutes=1)
    with time_machine.travel(at, tick=False):
        mondays.forecast(company.domain, at)
        browser = company.browser("administrator")
        for path in (
            "/reports/?what_queue=501&what_day=2026-03-09&what_from=9&what_until=12&what_change=2",
            "/reports/?first=2026-03-09&last=2026-03-09",
            "/setup/service-level/",
        ):
            yield Shown(path, path, browser.get(path))


TOLD = {"desk:desk", "calls:calls", "alerts:alerts", "/reports/?first=2026-03-09&last=2026-03-09"}


def tells_all_of_it(page: Page, keys: list[str], words: dict[str, Any]) -> None:
    """The button at the end of the page tells the words of all its figures, and a tap on a number those of its own."""
    page.locator("#figures-all").click()
    box = page.locator("#about")
    expect(box).to_contain_text("as this page was loaded")
    text = box.inner_text()
    for key in keys:
        each = words[key]
        assert [
            each[part] for part in ("name", "kind", "formula", "window", "unit", "source") if each[part] not in text
        ] == []
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(page.locator("#figures-all")).to_be_focused()
    if (index := page.evaluate(MARKED)) >= 0:
        page.locator("main td.number").nth(index).click(position={"x": 4, "y": 4})
        expect(box).to_contain_text("Unit")
        page.locator("#about-close").click()


@pytest.mark.django_db
@pytest.mark.timeout(240)  # some fifty pages
def test_every_number_of_every_page_has_its_figure_and_tells_its_words(busy: Company, browser: Browser) -> None:
    pages = list(walked(busy))
    context = browser.new_context(viewport={"width": 1280, "height": 1024}, reduced_motion="reduce", bypass_csp=True)
    serving = Answering(context.new_page(), busy)
    client = busy.browser("administrator")
    for name in ("calibration:figures", "desk:day", "desk:call_backs"):
        serving.fetched[reverse(name)] = client.get(reverse(name))
    client_words = serving.fetched[reverse("calibration:figures")].json()["figures"]
    bare: dict[str, list[str]] = {}
    seen: set[str] = set()
    for shown in pages:
        if shown.name in WITHOUT:
            continue
        serving.open(shown)
        if not serving.page.locator("main").count():
            continue
        found = serving.page.evaluate(NUMBERS, ", ".join(NO_FIGURES))
        if shown.name in TOLD:
            tells_all_of_it(serving.page, found["keys"], client_words)
        seen |= set(found["keys"])
        if found["bare"]:
            bare[shown.name] = found["bare"]
    context.close()

    assert bare == {}
    assert seen <= FIGURES.keys()
    assert len(seen) > 20, sorted(seen)
