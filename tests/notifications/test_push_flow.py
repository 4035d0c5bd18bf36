"""From turning it on to the board: a phone is told of a late queue with no page open, and its owner takes it on."""

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.alerts.test_alert_flow import START
from tests.conftest import MakeSite
from tests.harness.browser import Pages
from tests.harness.signing_in import sign_in
from tests.harness.site import Site
from tests.notifications.channels.push_endpoint import PushEndpoint, push_endpoint
from tests.notifications.pushing import PushingBrowser

# Chromium in tests has no push service; all that is not between the browser and that one is real.
SUBSCRIBED = """
const subscription = SUBSCRIPTION;
subscription.toJSON = () => subscription;
PushManager.prototype.getSubscription = async () => (localStorage.subscribed ? subscription : null);
PushManager.prototype.subscribe = async (options) => {
  localStorage.subscribed = options.applicationServerKey;
  return subscription;
};
"""


@pytest.fixture
def endpoint() -> Iterator[PushEndpoint]:
    with push_endpoint() as running:
        yield running


@pytest.fixture
def site(make_site: MakeSite) -> Site:
    site = make_site({"OUTBOUND_ALLOWED_NETWORKS": "127.0.0.1"}, load=0.5)
    for extension in ("101", "102"):
        site.manage("person", extension, "--role", "supervisor")
    return site


def next_message(site: Site, endpoint: PushEndpoint, number: int) -> str:
    """The plain content of that message, as soon as it came."""
    site.wait(lambda: len(endpoint.receiver.received) >= number, 30)
    request = endpoint.receiver.received[number - 1]
    endpoint.read(request)
    return endpoint.decrypted(request.body).decode()


@pytest.mark.one_database
def test_a_late_queue_reaches_a_phone_and_the_board_says_who_took_it(
    site: Site, pages: Pages, endpoint: PushEndpoint
) -> None:
    phone = sign_in(pages, site, "101", "/notifications/", width=390, height=844, permissions=["notifications"])
    phone.add_init_script(SUBSCRIBED.replace("SUBSCRIPTION", str(endpoint.subscription).replace("None", "null")))
    phone.reload()
    phone.get_by_role("button", name="Turn on and test").click()
    expect(phone.get_by_text("On. Alerts reach this device.")).to_be_visible()
    endpoint.application_server_key = phone.evaluate("localStorage.subscribed")
    browser = PushingBrowser(phone)
    browser.push(next_message(site, endpoint, 1))
    assert "Test message" in browser.shown(1)[0]["title"]
    phone.get_by_label("Tell me about alerts by itself").check()
    phone.get_by_role("button", name="Save").click()
    expect(phone.get_by_text("Saved.")).to_be_visible()
    phone.goto("about:blank")

    began = time.monotonic()
    site.manage("shell", "-v0", "-c", START)
    content = next_message(site, endpoint, 2)
    assert time.monotonic() - began < 20
    browser.push(content)

    assert len(browser.shown(2)) == 2
    pushed = endpoint.read(endpoint.receiver.received[1])
    signed_out = pages.open(pushed["acknowledge_url"], width=390, height=844)
    signed_out.get_by_role("button", name="Acknowledge").click()
    board = sign_in(pages, site, "102")
    expect(board.locator(".alert-acknowledged").first).to_contain_text("Acknowledged by", timeout=5000)
