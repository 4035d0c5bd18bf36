"""The service's pages in a real browser: signing in leads back, the floor's page follows what happens."""

import pytest
from playwright.sync_api import Page, expect

from tests.simulator.conftest import Provider

pytestmark = [pytest.mark.flow, pytest.mark.browser]


def test_choosing_a_person_leads_back_to_the_application(provider: Provider, page: Page) -> None:
    query = "&".join(f"{name}={value}" for name, value in provider.authorize_query(state="s9").items())
    page.goto(f"{provider.url}/api/oauth/authorize/?{query}")
    page.get_by_label("Name or extension").fill("carla")
    page.get_by_role("button", name="Find").click()
    with page.expect_request("http://testserver/**") as arriving:
        page.get_by_role("button", name="Carla").click()

    code = arriving.value.url.partition("code=")[2].partition("&")[0]
    assert "state=s9" in arriving.value.url
    token = provider.exchange(code).json()["access_token"]
    created = provider.subscribe(token, "http://127.0.0.1:9/").json()
    assert provider.read(token, created["id"]).json()["events"][0]["user"] == "103"


def test_the_floors_page_follows_without_a_reload(provider: Provider, page: Page) -> None:
    page.goto(provider.url)
    expect(page.get_by_role("heading", name="Who is who")).to_be_visible()
    assert page.locator("li.ringing").count() == 0

    provider.place_call("101", ring_seconds=5)

    expect(page.locator("li.ringing")).to_contain_text("Ana Albers")


def test_a_fault_can_be_switched_on_and_off_with_the_forms(provider: Provider, page: Page) -> None:
    page.goto(f"{provider.url}/control/")
    form = page.locator("form", has=page.get_by_role("heading", name="An endpoint misbehaves"))
    form.locator("[name=at]").select_option("stats")
    form.locator("[name=do]").select_option("status")
    form.get_by_role("button", name="Switch on").click()

    faults = page.locator("section", has=page.get_by_role("heading", name="Faults that are on"))
    expect(faults).to_contain_text("status 503")
    assert provider.stats(provider.company_token()).status_code == 503
    page.get_by_role("button", name="Clear all").click()
    expect(faults).to_contain_text("the service behaves")
    assert provider.stats(provider.company_token()).status_code == 200
