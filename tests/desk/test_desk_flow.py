"""The desk in a whole installation: the provider's POST, the door, the feed, the socket, the card."""

import time
from statistics import median
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.conftest import MakeSite
from tests.harness.browser import Pages
from tests.harness.signing_in import sign_in

CALLS = 50
AGENT = "101"


@pytest.mark.console_may_say("favicon.ico")
def test_the_providers_post_becomes_a_card_in_half_a_second(make_site: MakeSite, pages: Pages, capsys: Any) -> None:
    site = make_site(load=0, agents=4, queues=1)
    page = sign_in(pages, site, AGENT, "/desk/", width=1280, height=800)
    page.wait_for_selector("#queue-rows li")
    took = []

    for number in range(CALLS):
        wanted = f"Caller {number}"
        began = time.monotonic()
        call = {"from_number": "+4930901820", "to_user": AGENT, "name": wanted, "ring_seconds": 0.3}
        site.simulator.control("call", {**call, "answer": False})
        page.locator(".desk-card .desk-name", has_text=wanted).wait_for()
        took.append(1000 * (time.monotonic() - began))
        expect(page.locator(".desk-card .desk-band-state")).to_have_text("Missed")
        page.locator('.desk-card [data-act="close"]').click()

    with capsys.disabled():
        print(f"\npop after the provider's POST: median {median(took):.0f} ms of {CALLS}, slowest {max(took):.0f} ms")
    assert median(took) < 500
    assert sorted(took)[CALLS * 19 // 20] < 1000
