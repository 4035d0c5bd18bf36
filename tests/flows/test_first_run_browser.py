"""From a clone to live figures in a browser: nothing set, no file edited, every step by the wizard alone."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.harness.axe import violations
from tests.harness.browser import Pages
from tests.harness.fresh_clone import FreshClone
from tests.harness.simulator import Simulator
from tests.harness.site import bare_environment

SHOTS = Path(__file__).resolve().parent.parent / "screenshots"
FIGURES = "article.queue-card[data-level]:not([data-level=unknown])"
MOST_SECONDS = 300  # a new administrator has five minutes
pytestmark = pytest.mark.timeout(400)


@pytest.fixture
def clone(tmp_path: Path) -> Iterator[FreshClone]:
    made = FreshClone(tmp_path)
    yield made
    made.stop()


@pytest.fixture
def provider(clone: FreshClone, tmp_path: Path) -> Iterator[Simulator]:
    """It knows the redirect address, as a portal in which somebody entered it."""
    running = Simulator(tmp_path, bare_environment(), f"{clone.url}/accounts/callback/", {"load": 0})
    running.start()
    yield running
    running.child.stop()


@pytest.mark.console_may_say("400|404")  # the wrong secret, and the address that was used
def test_a_clone_shows_live_figures_by_the_wizard_alone(
    clone: FreshClone, provider: Simulator, pages: Pages, capsys: pytest.CaptureFixture[str]
) -> None:
    began = time.monotonic()
    address = clone.set_up()
    prepared = time.monotonic()
    clone.start()
    page = pages.open(address)
    try:
        become_administrator(page)
        connect(page, provider)
        link(page)
        wait_for_events(page)
        describe_the_floor(page)
        tv = pair(page, pages, clone)
        page.get_by_role("link", name="Open the board").click()
        page.locator(FIGURES).first.wait_for(timeout=30_000)
        tv.locator(FIGURES).first.wait_for(timeout=30_000)
        took = time.monotonic() - began
        move(page, clone, provider)
    except Exception:
        print(clone.tails())
        raise
    seconds, setting_up = took, prepared - began

    with capsys.disabled():
        print(f"\nFrom a clone to live figures: {seconds:.0f} s, {setting_up:.0f} s of them `manage.py setup`.")
    assert seconds < MOST_SECONDS
    assert pages.open(address).locator("form").count() == 0  # nobody else can begin


def move(page: Page, clone: FreshClone, provider: Simulator) -> None:
    """The site gets another address while it runs: no process is started again, and call events come there."""
    page.goto(f"{clone.url}/setup/start/address/")
    shot(page, "a-address")
    moved = clone.url.replace("localhost", "127.0.0.1")
    page.fill("[name=address]", moved)
    page.get_by_role("button", name="Try and save").click()
    shot(page, "b-moved")
    page.click("#onward")
    page.wait_for_url(f"{moved}/setup/start/events/")
    page.locator("#next").wait_for(timeout=40_000)  # the first message has come in at the new address
    page.goto(f"{moved}/setup/")
    page.locator("main").get_by_text(moved).first.wait_for()


def shot(page: Page, name: str) -> None:
    """A picture of the step, which everybody must be able to use."""
    assert violations(page) == []
    page.screenshot(path=SHOTS / f"first-run-{name}.png", full_page=True)


def become_administrator(page: Page) -> None:
    shot(page, "0-first")
    page.fill("[name=password1]", "a-long-enough-phrase")
    page.fill("[name=password2]", "a-long-enough-phrase")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/setup/start/provider/")


def connect(page: Page, provider: Simulator) -> None:
    """Both credentials, the first time with a secret that is wrong."""
    for secret in ("wrong", provider.client_secret):
        page.fill("[name=name]", "Brandt Werkzeuge")
        page.select_option("[name=time_zone]", "Europe/Berlin")
        page.select_option("[name=country]", "DE")
        page.fill("[name=base_url]", provider.base_url)
        page.fill("[name=client_id]", provider.client_id)
        page.fill("[name=client_secret]", secret)
        page.get_by_role("button", name="Try and save").click()
        if secret == "wrong":
            page.get_by_text("refuses the client id or its secret").wait_for()
            shot(page, "1-refused")
    page.wait_for_url("**/setup/start/login/")
    shot(page, "2-login")
    assert page.input_value("#redirect").endswith("/accounts/callback/")
    page.fill("[name=client_id]", provider.login_client_id)
    page.fill("[name=client_secret]", provider.login_client_secret)
    page.get_by_role("button", name="Try and save").click()


def link(page: Page) -> None:
    """The round trip to the provider's own page."""
    page.wait_for_url("**/setup/start/link/")
    shot(page, "3-link")
    page.click("#sign-in")
    if page.locator("#find").count():
        page.fill("#find", "101")
        page.press("#find", "Enter")
    page.click("button[name=extension][value='101']")
    page.wait_for_url("**/setup/start/link/")
    page.get_by_text("You are extension").wait_for()
    page.goto(page.url.replace("link/", ""))  # as somebody who left and comes back


def wait_for_events(page: Page) -> None:
    """The provider's first message comes back by itself, or as soon as it is asked for."""
    page.wait_for_url(re.compile(r"/setup/start/\w+/$"))
    page.get_by_role("link", name="Call events").click()
    page.get_by_role("button", name="Ask the provider now").click()
    page.locator("#next").wait_for(timeout=30_000)
    page.get_by_role("button", name="See what stands in the way").click()
    page.get_by_text("What is posted below /hooks/ reaches us").wait_for()
    shot(page, "4-events")
    page.click("#next")


def describe_the_floor(page: Page) -> None:
    """Names of the queues, the people, the targets."""
    page.wait_for_url("**/setup/start/queues/")
    shot(page, "5-queues")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/setup/start/people/")
    page.fill("[name=extension]", "102")
    page.fill("[name=name]", "Ada Example")
    page.get_by_role("button", name="Add").click()
    page.get_by_text("Ada Example").first.wait_for()
    shot(page, "6-people")
    page.click("#next")
    page.wait_for_url("**/setup/start/targets/")
    page.fill("[name=longest_wait_late_seconds]", "90")
    shot(page, "7-targets")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/setup/start/tv/")


def pair(page: Page, pages: Pages, clone: FreshClone) -> Page:
    """A TV shows a code; it is typed into the wizard."""
    tv = pages.open(f"{clone.url}/pair/")
    page.fill("[name=pair-code]", tv.locator(".pair-code").inner_text())
    page.fill("[name=pair-name]", "Hall")
    shot(page, "8-tv")
    page.get_by_role("button", name="Pair").click()
    page.wait_for_url("**/setup/start/done/")
    shot(page, "9-done")
    return tv
