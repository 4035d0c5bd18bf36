"""One's own status, set and cleared on the desk."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import expect

from accounts.models import Person
from tests.desk.conftest import Company
from tests.desk.desk_site import DeskSite
from tests.desk.locators import NARROW, SHOTS
from tests.desk.test_desk_views import post
from tests.harness.axe import violations
from tests.harness.browser import Pages
from wallboard.calls.models import Presence

SignIn = Callable[[Person], Client]


def test_a_status_is_set_and_cleared(company: Company, signed_in: SignIn) -> None:
    mia = signed_in(company.mia)

    answer = post(mia, "status", {"status": "lunch", "note": "canteen", "back": "30", "until": ""}).json()

    kept = Presence.objects.get(person=company.mia)
    assert kept.status_until is not None
    assert kept.status_since is not None
    assert (kept.status, kept.status_note) == ("lunch", "canteen")
    assert round((kept.status_until - kept.status_since).total_seconds()) == 1800
    assert (answer["problem"], answer["status"]["kind"]) == ("", "lunch")
    assert post(mia, "status", {}).json() == {"problem": "", "status": None}
    assert not Presence.objects.exclude(status="").exists()


@pytest.mark.parametrize(
    ("wish", "problem"),
    [
        ({"status": "lunch", "back": "at"}, "Write when you will be back, like 13:30."),
        ({"status": "drunk"}, "Select a valid choice. drunk is not one of the available choices."),
    ],
)
def test_what_cannot_be_set_is_told_and_changes_nothing(
    wish: dict[str, Any], problem: str, company: Company, signed_in: SignIn
) -> None:
    assert post(signed_in(company.mia), "status", wish).json() == {"problem": problem, "status": None}
    assert not Presence.objects.exclude(status="").exists()


def test_the_status_is_set_without_leaving_the_desk(desk_site: DeskSite, pages: Pages, mia: str) -> None:
    page = desk_site.desk(pages, mia, **NARROW)
    page.locator("#status-menu summary").click()
    page.get_by_label("Status", exact=True).select_option("lunch")
    page.get_by_label("Back", exact=True).select_option("at")
    expect(page.get_by_label("Time of return")).to_be_visible()
    assert violations(page) == []
    page.screenshot(path=SHOTS / "desk-status.png")
    page.get_by_label("Back", exact=True).select_option("30")

    page.get_by_role("button", name="Set status").click()

    expect(page.locator("#own-status")).to_contain_text("lunch, back")
    expect(page.locator("#status-form")).to_be_hidden()
    page.reload()
    expect(page.locator("#own-status")).to_contain_text("lunch, back")
    page.locator("#status-menu summary").click()
    page.get_by_role("button", name="Clear status").click()
    expect(page.locator("#own-status")).to_be_hidden()
