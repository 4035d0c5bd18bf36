"""The guides for newcomers, administrators, supervisors and agents, followed in a browser against the demo.

Each chapter's words in bold type must stand on the page that it speaks of, and each has a picture:
WALLBOARD_GUIDES=1 takes those anew that are in docs/pictures.
"""

import os
import re
import signal
from io import BytesIO
from pathlib import Path

import pytest
import requests
from django.template.defaultfilters import slugify
from PIL import Image
from playwright.sync_api import Page

from tests.harness.browser import Pages
from tests.harness.running_demo import RunningDemo
from tests.harness.signing_in import sign_in
from wallboard.demo.processes import BASE_DIR

pytestmark = [pytest.mark.flow, pytest.mark.timeout(240)]
DOCS = BASE_DIR / "docs"
PICTURES = DOCS / "pictures"
IS_TAKEN = bool(os.environ.get("WALLBOARD_GUIDES"))
FIGURES = "article.queue-card[data-level]:not([data-level=unknown])"
WORDS_ON_PAGE = """() => document.body.innerText + " " + [...document.querySelectorAll("*")].map((node) =>
  ["aria-label", "title", "placeholder"].map((name) => node.getAttribute(name) || "").join(" ")).join(" ")"""


class Guide:
    """A guide while it is followed: `shows` is called once for each chapter, in any order."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = PICTURES if IS_TAKEN else folder
        parts = re.split(r"^## (.+)$", (DOCS / f"{name}.md").read_text(), flags=re.MULTILINE)[1:]
        self.chapters = {str(slugify(title)): text for title, text in zip(parts[::2], parts[1::2], strict=True)}
        self.seen: set[str] = set()
        self.words = ""

    def passes(self, page: Page) -> None:
        """The page is on the way to the next chapter's, which speaks of it too."""
        self.words += " ".join(page.evaluate(WORDS_ON_PAGE).split()).lower()

    def shows(self, page: Page, chapter: str) -> None:
        """The page is the one of that chapter: what is bold there stands on it. Takes its picture."""
        text = self.chapters[chapter]
        if IS_TAKEN:
            page.wait_for_timeout(2000)  # figures settle
        picture = f"{self.name}-{chapter}.png"
        page.wait_for_load_state("networkidle")
        self.passes(page)
        bold = [" ".join(each.split()) for each in re.findall(r"\*\*(.+?)\*\*", text, re.DOTALL)]

        assert [each for each in bold if each.lower() not in self.words] == [], f"{self.name}#{chapter}"
        assert f"(pictures/{picture})" in text
        assert IS_TAKEN or (PICTURES / picture).is_file()
        drawn = Image.open(BytesIO(page.screenshot())).convert("RGB").quantize(96)
        assert len(drawn.getcolors() or []) > 8, "an empty page"
        drawn.save(self.folder / picture, optimize=True)
        self.seen.add(chapter)
        self.words = ""

    def is_followed(self) -> bool:
        """Whether each chapter was shown."""
        return self.seen == set(self.chapters)


def ring(demo: RunningDemo, extension: str, number: str = "+442079469876", **more: object) -> None:
    call = {"from_number": number, "to_user": extension, "ring_seconds": 60, **more}
    requests.post(f"{demo.address('Simulated provider')}control/call", json=call, timeout=10).raise_for_status()


def test_an_agent_finds_what_the_guide_says(demo: RunningDemo, pages: Pages, tmp_path: Path) -> None:
    guide, agent = Guide("agent", tmp_path), demo.extension("agent")
    guide.shows(pages.open(f"{demo.url}/desk/"), "sign-in")
    page = sign_in(pages, demo, agent, "/desk/")
    page.locator("#people-rows li").first.wait_for()
    guide.shows(page, "the-desk")
    ring(demo, agent, "+442079469811", ring_seconds=1, answer=False)
    page.get_by_role("button", name="I will").first.wait_for()
    page.locator("#call-backs").evaluate("node => node.scrollIntoView()")
    guide.shows(page, "call-back")
    ring(demo, agent)
    page.get_by_text("9876").first.wait_for()
    page.evaluate("scrollTo(0, 0)")
    guide.shows(page, "when-your-phone-rings")
    page.get_by_label("Note for this call").first.fill("Wants the invoice again, sent to her new address.")
    page.get_by_role("button", name="Solved").first.click()
    guide.shows(page, "notes-and-outcomes")
    for path, chapter in (("/people/", "who-is-free"), ("/desk/contacts/", "contacts"), ("/accounts/", "your-account")):
        page.goto(demo.url + path)
        guide.shows(page, chapter)
    page.goto(f"{demo.url}/boards/main/")
    page.locator(FIGURES).first.wait_for()
    guide.shows(page, "a-board")

    assert guide.is_followed()


SUPERVISORS = {
    "the-wall": "/",
    "replay": "/boards/main/replay/",
    "alerts": "/alerts/",
    "alerts-that-reach-you": "/notifications/",
    "calls": "/calls/",
    "people": "/people/",
    "reports": "/reports/",
    "tvs": "/screens/",
    "embedded-boards": "/screens/embeds/",
    "targets-and-hours": "/targets/",
    "contacts": "/desk/contacts/",
}
ADMINISTRATORS = {
    "connect": "/setup/start/provider/",
    "queue-names": "/setup/queues/",
    "roles-and-sign-ins": "/accounts/people/",
    "teams-and-limits": "/teams/",
    "alert-routes": "/setup/notifications/",
    "calibration": "/setup/calibration/",
    "service-level": "/setup/service-level/",
    "outcomes-and-links": "/desk/offers/",
    "caller-records": "/setup/callers/",
    "address-books": "/desk/contacts/books/",
    "privacy": "/setup/privacy/",
    "look": "/brand/",
    "programs-of-your-own": "/setup/api/",
    "connection": "/setup/",
}


def test_a_supervisor_finds_what_the_guide_says(demo: RunningDemo, pages: Pages, tmp_path: Path) -> None:
    guide = Guide("supervisor", tmp_path)
    page = sign_in(pages, demo, demo.extension("supervisor"))
    page.locator(FIGURES).first.wait_for()
    guide.shows(page, "a-board")
    for chapter, path in SUPERVISORS.items():
        page.goto(demo.url + path)
        guide.shows(page, chapter)
    page.goto(f"{demo.url}/")
    guide.passes(page)
    page.get_by_role("link", name="New board").first.click()
    page.fill("[name=name]", "Hall")
    page.locator("[name=starter]").nth(1).check(force=True)
    page.get_by_role("button", name="Make board").click()
    page.locator(".preview-cards .card").first.wait_for()
    guide.shows(page, "make-a-board")

    assert guide.is_followed()


def test_an_administrator_finds_what_the_guide_says(demo: RunningDemo, pages: Pages, tmp_path: Path) -> None:
    guide = Guide("administrator", tmp_path)
    page = sign_in(pages, demo, demo.extension("administrator"), "/setup/")
    for chapter, path in ADMINISTRATORS.items():
        page.goto(demo.url + path)
        guide.shows(page, chapter)

    assert guide.is_followed()


def test_whoever_tries_it_finds_what_the_guide_says(demo: RunningDemo, pages: Pages, tmp_path: Path) -> None:
    guide = Guide("try-it", tmp_path)
    guide.shows(pages.open(f"{demo.url}/boards/main/"), "start-it")
    board = sign_in(pages, demo, demo.extension("supervisor"))
    board.locator(FIGURES).first.wait_for()
    guide.shows(board, "watch-the-board")
    tv = pages.open(demo.address("TV, without sign-in"))
    tv.locator(FIGURES).first.wait_for()
    guide.shows(tv, "put-it-on-a-tv")
    desk = sign_in(pages, demo, demo.extension("agent"), "/desk/")
    ring(demo, demo.extension("agent"))
    desk.get_by_text("9876").first.wait_for()
    guide.shows(desk, "ring-a-phone")
    provider = demo.pids()["simulator"]
    os.kill(provider, signal.SIGSTOP)
    try:
        board.locator("#alert-line[data-line=outage]").wait_for(timeout=60_000)
        guide.shows(board, "take-the-provider-away")
    finally:
        os.kill(provider, signal.SIGCONT)

    assert guide.is_followed()
