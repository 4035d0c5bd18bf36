"""Shows what Django answered in a real browser: static files from their folders, all else as it was written."""

from typing import Any

from playwright.sync_api import Page, Route

from tests.harness.static_files import PAGES

ORIGIN = "http://testserver"
OPENED = "Cross-Origin-Opener-Policy"  # browsers refuse it without encryption


def show_answer(page: Page, answer: Any) -> None:
    """Open the page that was answered, also one that answers a form."""
    path = answer.wsgi_request.get_full_path()

    def reply(route: Route) -> None:
        if route.request.resource_type == "document":
            headers = {name: value for name, value in answer.headers.items() if name != OPENED}
            route.fulfill(status=answer.status_code, headers=headers, body=answer.content)
        else:
            route.fulfill(status=404)

    page.route(PAGES, reply)
    page.route_web_socket("**/live/**", lambda _: None)  # opened, and silent: there is no server
    page.goto(ORIGIN + path)
