"""The whole way over real HTTP: sign in where the provider does not say who it is, dial, and be at the desk."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.harness.browser import Pages
from tests.harness.site import Site, running_site
from wallboard.demo.processes import BASE_DIR

pytestmark = [pytest.mark.flow, pytest.mark.console_may_say("favicon")]  # of the provider's page
FORBIDDEN = {"at": "subscriptions.create", "do": "status", "status": 403}


@pytest.fixture(scope="module")
def shy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """An installation whose provider tells nobody's extension: looking with a person's token is forbidden."""
    with running_site(tmp_path_factory.mktemp("shy"), {"scenario": "quiet"}, {}) as site:
        site.simulator.control("faults", FORBIDDEN)
        yield site


def waiting_page(pages: Pages, site: Site) -> tuple[Page, str]:
    """A browser of somebody who just signed in, and the number that it shows."""
    page = pages.open()
    page.goto(site.url + "/accounts/login/start/?domain=main&next=/desk/")
    page.locator("[name=extension][value='104']").click()
    expect(page.locator("#link-number")).to_have_text(re.compile(r"^\d{4}$"))
    return page, page.locator("#link-number").inner_text()


def dial(site: Site, extension: str, number: str) -> None:
    site.simulator.control("call", {"from_user": extension, "to_number": number, "ring_seconds": 1})


def test_the_phone_that_dials_is_at_the_desk(shy: Site, pages: Pages) -> None:
    page, number = waiting_page(pages, shy)
    other, another = waiting_page(pages, shy)
    assert number != another

    dial(shy, "104", number)
    expect(page.get_by_text("Your call was seen")).to_be_visible(timeout=10_000)
    expect(page).to_have_url(shy.url + "/desk/", timeout=20_000)
    expect(page.get_by_text("you are extension 104")).to_be_visible()

    dial(shy, "104", another)
    expect(other.get_by_text("Extension 104 belongs to another sign-in already")).to_be_visible(timeout=20_000)
    expect(other.locator("#link-number")).not_to_have_text(another)


def test_two_phones_are_refused_and_a_new_number_is_shown(shy: Site, pages: Pages) -> None:
    page, number = waiting_page(pages, shy)

    dial(shy, "105", number)
    dial(shy, "106", number)

    expect(page.get_by_text("neither was linked")).to_be_visible(timeout=20_000)
    expect(page.locator("#link-number")).not_to_have_text(number)
    page.goto(shy.url + "/desk/")
    expect(page).to_have_url(shy.url + "/accounts/link/")


def test_what_the_simulators_document_says_leads_to_the_page_and_through_it(shy: Site, pages: Pages) -> None:
    text = (BASE_DIR / "docs/simulator.md").read_text().partition("### Linking a phone")[2].partition("\n## ")[0]
    (_faults, fault), (_call, call) = re.findall(r"curl -s \S+/control/(\w+) -d '(.+)'", text)
    shy.simulator.control("faults/clear", {})
    shy.simulator.control("faults", json.loads(fault))

    page, number = waiting_page(pages, shy)
    shy.simulator.control("call", json.loads(call) | {"to_number": number})

    expect(page.get_by_text("you are extension 103")).to_be_visible(timeout=20_000)
    shy.simulator.control("faults", FORBIDDEN)
