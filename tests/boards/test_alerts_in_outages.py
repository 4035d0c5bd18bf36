"""While the provider is away browsers still call: with what rests on no reading, as long as somebody goes on trying."""

import pytest
from playwright.sync_api import expect

from tests.boards import fake_feeds
from tests.boards.conftest import Show
from tests.boards.test_board_alerts import alert_document, sounds

OPEN = {
    "501": alert_document("501", kind="level"),
    "502": alert_document("502", kind="nobody", reason=""),
    "9": alert_document("9", kind="figures", queue="", name="", reason="unreachable"),
}


@pytest.mark.parametrize(("tried_ago", "is_known"), [(2, True), (300, False)])
def test_alerts_that_rest_on_no_reading_call_while_the_provider_is_away(
    show: Show, tried_ago: int, is_known: bool
) -> None:
    now = fake_feeds.now_ms()
    failing = {"failure": "unreachable", "failing_since": now - 290_000, "tried_at": now - tried_ago * 1000}
    shown = show()
    sounds(shown.page)
    shown.page.locator("#sound").click()
    shown.fill(3, 4, 1, read_ago_seconds=300, **failing)
    shown.snapshot("alerts", OPEN)
    shown.settle()

    badge = shown.page.locator("#alert-badge")
    expect(badge).to_have_attribute("data-state", "open" if is_known else "unknown")
    expect(badge.locator(".badge-count")).to_have_text("1" if is_known else "?")
    expect(shown.page.locator("#alert-announcement")).to_have_text("Figures are away" if is_known else "")
    # One of them is the tone at the click.
    assert shown.page.evaluate("window.sounded") == (2 if is_known else 1)
