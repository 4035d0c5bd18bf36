"""The service worker in a real browser: it shows what is pushed with no page open, and leads to the right one."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from tests.harness.browser import Pages
from tests.notifications.channels.receivers import Receiver, answer, receiving
from tests.notifications.pushing import PushingBrowser
from wallboard.demo.processes import BASE_DIR
from wallboard.notifications.channels import webpush
from wallboard.notifications.messages import Message

pytestmark = pytest.mark.console_may_say("favicon|404")
WORKER = BASE_DIR / "static" / "js" / "pages" / "push-worker.js"
REGISTER = """async () => {
    await navigator.serviceWorker.register("/notifications/worker.js", { scope: "/notifications/" });
    await navigator.serviceWorker.ready;
}"""
CLICK = """async (action) => {
    const opened = [];
    self.clients.openWindow = (url) => Promise.resolve(opened.push(url));
    const [notification] = await self.registration.getNotifications();
    const event = new NotificationEvent("notificationclick", { notification, action });
    const done = [];
    event.waitUntil = (promise) => done.push(promise);
    self.dispatchEvent(event);
    await Promise.all(done);
    return opened;
}"""
RENEW = """async (fresh) => {
    const event = new Event("pushsubscriptionchange");
    const done = [];
    event.waitUntil = (promise) => done.push(promise);
    event.newSubscription = { toJSON: () => fresh };
    event.oldSubscription = { endpoint: "https://push.example.com/old" };
    self.dispatchEvent(event);
    await Promise.all(done);
}"""


def serve(handler: BaseHTTPRequestHandler) -> None:
    """A page, the worker as it is in the repository, and what the worker asks for."""
    if handler.path == "/notifications/worker.js":
        answer(handler, 200, WORKER.read_bytes(), **{"Content-Type": "text/javascript"})
    elif handler.path == "/notifications/push/key/":
        body = json.dumps({"key": "BK", "csrf": "token"}).encode()
        answer(handler, 200, body, **{"Content-Type": "application/json"})
    else:
        answer(handler, 200, b"<!doctype html><title>page</title>", **{"Content-Type": "text/html"})


@pytest.fixture
def server() -> Iterator[Receiver]:
    with receiving(serve) as running:
        yield running


def browser_without_a_page(pages: Pages, server: Receiver) -> PushingBrowser:
    """A browser with the worker, and no page of the site left."""
    page = pages.open(permissions=["notifications"])
    page.goto(server.url + "/notifications/")
    page.evaluate(REGISTER)
    browser = PushingBrowser(page)
    page.goto("about:blank")
    return browser


def message(number: int, *alerts: int, **values: Any) -> Message:
    url = "https://wallboard.example.com"
    return Message(
        id=str(number), title=f"Late: Support {number}", text="4 waiting", url=f"{url}/alerts/", level="late",
        data={"alerts": [{"id": each} for each in alerts]}, **{"acknowledge_url": f"{url}/a/{number}/", **values},
    )  # fmt: skip


def test_a_message_is_shown_with_no_page_open_and_leads_to_what_it_says(pages: Pages, server: Receiver) -> None:
    browser = browser_without_a_page(pages, server)

    browser.push(webpush.payload(message(1, 7)).decode())

    assert browser.shown(1) == [
        {
            "title": "Late: Support 1",
            "body": "4 waiting",
            "tag": webpush.topic(message(1, 7)),
            "actions": [["acknowledge", "Acknowledge"]],
            "stays": True,
        }
    ]
    assert browser.worker.evaluate(CLICK, "acknowledge") == ["https://wallboard.example.com/a/1/"]
    assert browser.shown(0) == []
    browser.push(webpush.payload(message(2, 7)).decode())
    browser.shown(1)
    assert browser.worker.evaluate(CLICK, "") == ["https://wallboard.example.com/alerts/"]


def test_what_is_over_takes_the_place_of_what_is_no_longer_true(pages: Pages, server: Receiver) -> None:
    browser = browser_without_a_page(pages, server)
    browser.push(webpush.payload(message(1, 7)).decode())
    browser.push(webpush.payload(message(2, 8, 9)).decode())
    assert len(browser.shown(2)) == 2

    browser.push(webpush.payload(message(3, 7, 8, is_resolved=True, acknowledge_url="")).decode())

    assert {each["title"] for each in browser.shown(2)} == {"Late: Support 2", "Late: Support 3"}
    assert [each["actions"] for each in browser.shown(2) if each["title"] == "Late: Support 3"] == [[]]


def test_a_new_address_by_the_push_service_is_told_to_the_server(pages: Pages, server: Receiver) -> None:
    browser = browser_without_a_page(pages, server)
    fresh = {"endpoint": "https://push.example.com/new", "keys": {"p256dh": "a", "auth": "b"}}

    browser.worker.evaluate(RENEW, fresh)

    (posted,) = [each for each in server.received if each.path == "/notifications/push/"]
    assert json.loads(posted.body) == {"subscription": fresh, "old_endpoint": "https://push.example.com/old"}
    assert posted.headers["X-CSRFToken"] == "token"
