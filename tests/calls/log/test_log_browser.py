"""The form above the call log, in a real browser."""

import pytest

from tests.accounts.test_pages_browser import sign_in
from tests.harness.browser import Pages
from tests.harness.site import Site

pytestmark = [
    pytest.mark.one_database,
    pytest.mark.console_may_say("favicon"),  # of the provider's page
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
