"""Shows what Django answered in a real browser: static files from their folders, everything else as it was written."""

import mimetypes
from typing import Any

from django.contrib.staticfiles import finders
from playwright.sync_api import Page, Route

ORIGIN = "http://testserver"
OPENED = "Cross-Origin-Opener-Policy"  # browsers refuse it without encryption


def show_answer(page: Page, answer: Any) -> None:
    """Open the page that was answered, also one that answers a form."""
    path = answer.wsgi_request.get_full_path()

    def reply(route: Route) -> None:
        asked = route.request.url.removeprefix(ORIGIN).split("?")[0]
        found = finders.find(asked.removeprefix("/static/")) if asked.startswith("/static/") else None
        if isinstance(found, str):
            route.fulfill(path=found, content_type=mimetypes.guess_type(found)[0] or "text/plain")
        elif route.request.resource_type == "document":
            headers = {name: value for name, value in answer.headers.items() if name != OPENED}
            route.fulfill(status=answer.status_code, headers=headers, body=answer.content)
        else:
            route.fulfill(status=404)

    page.route("**/*", reply)
    page.route_web_socket("**/live/**", lambda _: None)  # opened, and silent: there is no server
    page.goto(ORIGIN + path)
