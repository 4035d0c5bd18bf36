"""The pages on which an administrator says who sees what, in a whole installation; leaves a picture of each."""

import pytest
from playwright.sync_api import expect

from tests.accounts.test_pages_browser import SHOTS, assert_accessible, sign_in, too_wide
from tests.harness.browser import Pages
from tests.harness.site import Site

pytestmark = [
    pytest.mark.one_database,
    pytest.mark.console_may_say("favicon"),  # of the provider's page
]


def test_an_administrator_makes_a_team_and_limits_somebody_to_it(site: Site, pages: Pages) -> None:
    SHOTS.mkdir(exist_ok=True)
    site.manage("person", "104", "--role", "administrator")
    page = pages.open(width=1280, height=720, color_scheme="dark")
    sign_in(page, site, "/teams/", "104")

    page.get_by_label("Name").fill("Early shift")
    page.get_by_role("button", name="Add").click()
    page.get_by_role("checkbox").first.check()
    page.screenshot(path=SHOTS / "team.png")
    assert_accessible(page)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("link", name="Early shift")).to_be_visible()
    page.screenshot(path=SHOTS / "teams.png")
    assert_accessible(page)

    page.goto(f"{site.url}/accounts/people/")
    page.get_by_role("link", name="everything").first.click()
    page.get_by_label("Only these").check()
    page.get_by_role("checkbox").first.check()
    page.get_by_label("People", exact=True).select_option(label="Only the team Early shift")
    page.screenshot(path=SHOTS / "limit.png")
    assert_accessible(page)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("follow at once")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    page.screenshot(path=SHOTS / "limit-390.png")
    assert too_wide(page) == []

    page.get_by_label("All queues, new ones too").check()
    page.get_by_label("People", exact=True).select_option(label="Everybody")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("All queues, new ones too")).to_be_checked()
