"""The next hour and the what-if in a real browser: asked, answered, and in every size and both themes without a cut."""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.test import Client
from playwright.sync_api import Page

from accounts.models import Domain
from tests.accounts.test_pages_browser import too_wide
from tests.boards.conftest import SignIn
from tests.forecast.mondays import MONDAY, certain, forecast, mondays
from tests.harness.answers import show_answer
from tests.harness.axe import violations
from tests.harness.browser import Pages

NOW = MONDAY + timedelta(hours=11, minutes=1)
ASKED = "/reports/?what_queue=501&what_day=2026-03-09&what_from=9&what_until=12&what_change=2"
PICTURES = os.environ.get("WALLBOARD_PICTURES", "")  # a folder for pictures of every size


def opened(pages: Pages, client: Client, address: str, **size: Any) -> Page:
    page = pages.open(locale="en-GB", bypass_csp=True, **size)
    with time_machine.travel(NOW, tick=False):
        answer = client.get(address)
    show_answer(page, answer)
    return page


@pytest.mark.console_may_say(r"status of 400")  # of the question that cannot be answered
def test_a_supervisor_reads_the_next_hour_and_asks_what_if(domain: Domain, sign_in: SignIn, pages: Pages) -> None:
    mondays(domain)
    certain(domain)
    forecast(domain, NOW)
    client = sign_in("supervisor")
    addresses: list[tuple[str, str, int, int]] = [
        (ASKED, "light", 1280, 800),
        (ASKED, "dark", 390, 844),
        (ASKED, "dark", 3840, 2160),
        (ASKED.replace("what_change=2", "what_change=0"), "light", 390, 844),
    ]

    for number, (address, scheme, width, height) in enumerate(addresses):
        page = opened(pages, client, address, width=width, height=height, color_scheme=scheme)
        if PICTURES:
            page.screenshot(path=Path(PICTURES) / f"forecast-{number}-{width}-{scheme}.png", full_page=True)
        assert too_wide(page) == []
        assert violations(page) == []
        assert page.locator("section:has(#next-hour) tbody tr").count() == 2
        if number < 3:
            assert page.locator("section:has(#what-if) tbody tr").count() == 4
            assert page.get_by_label("People more").input_value() == "2"
        else:
            assert page.locator("section:has(#what-if) .errorlist").inner_text().startswith("Say how many people")
