"""Every page: controls level side by side and apart, labels without colons, no table to push sideways."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.security.company import Company
from tests.security.test_every_page import Serving, pages_of

MEASURE = (Path(__file__).parent / "form_controls.js").read_text()
# Drawn for five metres: their foot has rules of its own
WALLS = {"boards:board", "replay:page", "screens:tv", "screens:embed"}


@pytest.mark.django_db
@pytest.mark.timeout(300)  # some sixty pages
@pytest.mark.parametrize(("width", "height"), [(1280, 1024), (390, 844)])
def test_controls_of_every_form_agree(ours: Company, browser: Browser, width: int, height: int) -> None:
    pages = [shown for shown in pages_of(ours) if shown.name not in WALLS]
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
    serving = Serving(context.new_page(), ours)
    found = {}
    for shown in pages:
        serving.open(shown)
        if wrong := serving.page.evaluate(MEASURE):
            found[shown.name] = wrong
    context.close()

    assert {"queues:hours", "reports:reports", "setup:brand", "contacts:import"} <= {shown.name for shown in pages}
    assert found == {}
