"""A browser as its push service sees it: what is pushed reaches the service worker, with or without a page."""

from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page

SHOWN = """async () => {
    const registration = await navigator.serviceWorker.getRegistration("/notifications/");
    return (await registration.getNotifications()).map((each) => ({
        title: each.title, body: each.body, tag: each.tag, stays: each.requireInteraction,
        actions: each.actions.map((action) => [action.action, action.title]),
    }));
}"""
BLANK = "<!doctype html><link rel='icon' href='data:,'>"  # nothing of the site's, and no icon to be looked for


class PushingBrowser:
    """Of the page that has just registered the worker; the page itself may go away afterwards."""

    def __init__(self, page: Page) -> None:
        self.page = page
        parts = urlsplit(page.url)
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self.worker = page.context.service_workers[0]
        self._devtools = page.context.new_cdp_session(page)
        found: list[dict[str, Any]] = []
        self._devtools.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
        self._devtools.send("ServiceWorker.enable")
        while not found:
            page.wait_for_timeout(20)
        self._registration = found[0]["registrationId"]

    def push(self, content: str) -> None:
        """Hand this to the worker."""
        values = {"origin": self.origin, "registrationId": self._registration, "data": content}
        self._devtools.send("ServiceWorker.deliverPushMessage", values)

    def shown(self, count: int) -> list[dict[str, Any]]:
        """The notifications on the screen, as soon as there are so many."""
        looking = self.page.context.new_page()
        looking.route("**/notifications/looking", lambda route: route.fulfill(content_type="text/html", body=BLANK))
        looking.goto(self.origin + "/notifications/looking")
        found: list[dict[str, Any]] = []
        for _ in range(100):
            found = looking.evaluate(SHOWN)
            if len(found) == count:
                break
            looking.wait_for_timeout(50)
        looking.close()
        return found
