"""Signing in in a real browser, in a whole installation; leaves a picture of each page."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.harness.axe import violations
from tests.harness.browser import Pages
from tests.harness.site import Site

pytestmark = [
    pytest.mark.one_database,
    pytest.mark.console_may_say("favicon"),  # of the provider's page
]
SHOTS = Path(__file__).resolve().parent.parent / "screenshots"


@pytest.fixture(autouse=True)
def _shots() -> None:
    SHOTS.mkdir(exist_ok=True)


def sign_in(page: Page, site: Site, path: str, extension: str) -> None:
    """Open one of our pages, be sent to the provider, choose who we are, and come back."""
    page.goto(site.url + path)
    page.get_by_role("link", name="Sign in with").click()
    page.locator(f"[name=extension][value='{extension}']").click()
    page.wait_for_url(site.url + "/**")


def assert_accessible(page: Page) -> None:
    """No violation of WCAG 2 that a machine can find."""
    assert violations(page, ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]) == []


def too_wide(page: Page) -> list[str]:
    """What makes the page scroll sideways."""
    found: list[str] = page.evaluate(
        """() => document.documentElement.scrollWidth <= innerWidth ? [] :
        [...document.querySelectorAll("body *")]
            .filter((part) => part.getBoundingClientRect().right > innerWidth)
            .map((part) => part.outerHTML.slice(0, 80))"""
    )
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_sign_in_page(site: Site, pages: Pages, scheme: str, width: int) -> None:
    page = pages.open(site.url + "/desk/", width=width, height=720, color_scheme=scheme)

    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert too_wide(page) == []
    assert_accessible(page)
    page.screenshot(path=SHOTS / f"sign-in-{width}-{scheme}.png")


def test_signing_in_leads_to_the_page_that_was_asked_for(site: Site, page: Page) -> None:
    sign_in(page, site, "/accounts/", "106")

    expect(page).to_have_url(site.url + "/accounts/")
    expect(page.get_by_text("106", exact=True)).to_be_visible()
    assert_accessible(page)
    page.screenshot(path=SHOTS / "account.png")

    page.get_by_role("button", name="Sign out here").click()

    expect(page.locator(".message")).to_have_text("You are signed out.")


@pytest.mark.console_may_say("400|favicon")
def test_failed_sign_in_says_what_to_do(site: Site, pages: Pages) -> None:
    page = pages.open(site.url + "/accounts/callback/?state=old&code=x")

    page.screenshot(path=SHOTS / "sign-in-failed.png")
    assert_accessible(page)
    page.get_by_role("link", name="Start again").click()

    start = page.get_by_role("link", name="Sign in with")
    expect(start).to_be_visible()
    assert "\n" not in start.inner_text(), "the company's name stands apart from the words before it"


@pytest.mark.parametrize("width", [1280, 360])
def test_administrator_gives_a_role(site: Site, pages: Pages, width: int) -> None:
    site.manage("person", "107", "--role", "administrator", "--name", "Ada")
    site.manage("person", "108", "--role", "agent", "--name", "Ben")
    page = pages.open(width=width)
    sign_in(page, site, "/accounts/people/?q=108", "107")

    page.get_by_label("Role").select_option("supervisor")
    page.get_by_role("button", name="Save").click()

    expect(page.get_by_text("Ben is saved.")).to_be_visible()
    page.goto(site.url + "/accounts/people/?q=108")
    assert page.get_by_label("Role").input_value() == "supervisor"
    page.screenshot(path=SHOTS / f"people-{width}.png", full_page=True)
    assert too_wide(page) == []
    assert_accessible(page)


WAIT = """
from accounts.models import Person, User
person = Person.objects.get(extension="109")
User.objects.filter(pk=person.user_id).update(link_code="4821", username="waiting")
Person.objects.filter(pk=person.pk).update(user=None)
"""
CONFIRM = """
from accounts import people
from accounts.models import Person, User
people.link(Person.objects.get(extension="109"), User.objects.get(username="waiting"))
"""


def test_waiting_page_goes_on_by_itself(site: Site, page: Page) -> None:
    sign_in(page, site, "/accounts/", "109")
    site.manage("shell", "-c", WAIT)
    page.goto(site.url + "/accounts/link/")
    expect(page.locator("#link-number")).to_have_text(re.compile(r"^\d{4}$"))
    expect(page.locator("#link-counts")).to_contain_text("It counts for")
    assert_accessible(page)
    page.screenshot(path=SHOTS / "link-your-phone.png")
    # Events may stop and come back while somebody dials.
    page.route("**/link/number/", lambda route: route.fulfill(json={"message": "No call events."}))
    expect(page.locator("#link-message")).to_have_text("No call events.", timeout=10_000)
    page.unroute("**/link/number/")
    expect(page.locator("#link-message")).to_have_text("", timeout=10_000)

    site.manage("shell", "-c", CONFIRM)

    expect(page).not_to_have_url(site.url + "/accounts/link/", timeout=15_000)
