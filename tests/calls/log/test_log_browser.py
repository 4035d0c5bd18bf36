"""The form above the call log and its sheet, in a real browser."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.accounts.test_pages_browser import sign_in
from tests.harness.browser import Pages
from tests.harness.sheets import of_csv
from tests.harness.site import Site

pytestmark = [
    pytest.mark.one_database,
    pytest.mark.console_may_say("favicon|ERR_|WebSocket"),  # of the provider's page; of a server that is killed
]


def test_every_control_of_the_form_stays_in_its_card(site: Site, pages: Pages) -> None:
    page = pages.open()
    site.manage("person", "112", "--role", "supervisor")
    sign_in(page, site, "/calls/", "112")
    form = page.locator(".log-form")

    for width in (1920, 1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        card = form.bounding_box()
        boxes = [each.bounding_box() for each in form.locator("button, .button-quiet, input, select").all()]
        assert card
        assert [box for box in boxes if box and box["x"] + box["width"] > card["x"] + card["width"] + 1] == []


MANY = 20_000
MAKE = f"""
from datetime import timedelta
from django.utils import timezone
from accounts.models import Domain
from wallboard.calls.models import Leg
domain, now = Domain.objects.get(), timezone.now() - timedelta(days=1)
Leg.objects.bulk_create((Leg(domain=domain, from_call_id=f"call {{n}}", to_call_id="leg", to_user="112",
    is_answered=True, from_number="+4930555123", first_seen_at=at, heard_at=at, ended_at=at)
    for n in range({MANY}) for at in [now - timedelta(seconds=n)]), 1000)
"""
WATCH = """window.said = []; new MutationObserver(() => said.push(document.querySelector(".sheet-line").textContent))
    .observe(document.querySelector(".sheet-told"), { subtree: true, childList: true, characterData: true })"""


def test_a_long_sheet_tells_how_far_it_is_and_can_be_stopped(site: Site, pages: Pages) -> None:
    page = pages.open()
    site.manage("person", "112", "--role", "supervisor")
    site.manage("shell", "-v", "0", "-c", MAKE)
    sign_in(page, site, "/calls/", "112")
    day = "?first=2000-01-01"
    page.goto(f"{site.url}/calls/{day}")
    page.evaluate(WATCH)
    link, status = page.locator("a[data-sheet]").first, page.locator(".sheet-end")

    with page.expect_download() as coming:
        link.click()
        expect(page.get_by_role("progressbar", name="Rows of the sheet")).to_be_visible()
    expect(status).to_have_text(re.compile(r"^calls-2000-01-01\.csv: 20,\d{3} rows, ready\.$"))
    content = Path(coming.value.path()).read_bytes()

    assert len(of_csv(content)) > MANY
    assert coming.value.suggested_filename == "calls-2000-01-01.csv"
    assert any(re.match(r"[1-9][\d,]* of 20,\d{3} rows$", each) for each in page.evaluate("said"))
    expect(page.locator(".sheet-shown")).to_be_hidden()

    link.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Stop").click()
    expect(status).to_have_text("Stopped. Nothing was saved.")
    assert link.evaluate("node => node === document.activeElement")

    link.click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    site.kill("web")
    expect(status).to_have_text("The sheet broke off, and nothing was saved. Try again, or choose fewer days.")
    site.restart("web")
