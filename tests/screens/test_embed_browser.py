"""A card on a page of another site: framed where its link allows it, refused elsewhere, dark once it is revoked."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from playwright.sync_api import FrameLocator, expect

from tests.harness.browser import Pages
from tests.harness.http_server import Quiet, serving
from tests.harness.signing_in import sign_in
from tests.harness.site import Site

GRID = """
from dataclasses import replace
from accounts.models import Domain
from wallboard.boards import editing, layout
from wallboard.queues.models import Queue
number = Queue.objects.order_by("number").first().number
card = {"id": "one", "kind": "queue", "x": 0, "y": 0, "w": 4, "h": 4, "queues": [number], "title": ""}
text = {"id": "two", "kind": "text", "x": 4, "y": 0, "w": 4, "h": 4, "text": "Not for the intranet"}
grid = layout.parse({"rows": 12, "cards": [card, text]})
editing.create(Domain.objects.get(), editing.BoardInput("Framed", layout=grid), slug="framed")
"""


@contextmanager
def other_site() -> Iterator[tuple[str, dict[str, str]]]:
    """A site at an origin of its own, and its pages by their paths."""
    pages: dict[str, str] = {}

    class Handler(Quiet):
        def do_GET(self) -> None:
            body = pages.get(self.path, "").encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body)

    with serving(Handler) as port:
        # Another host name, not only another port: cookies know no ports.
        yield f"http://localhost:{port}", pages


@pytest.mark.one_database
@pytest.mark.console_may_say("403|frame-ancestors|ERR_BLOCKED_BY_RESPONSE")
def test_a_card_is_framed_by_its_site_alone_until_it_is_revoked(site: Site, pages: Pages) -> None:
    site.manage("person", "101", "--role", "supervisor")
    site.manage("shell", "-v0", "-c", GRID)
    with ExitStack() as sites:
        allowed, content = sites.enter_context(other_site())
        refused, theirs = sites.enter_context(other_site())
        supervisor = sign_in(pages, site, "101", "/screens/embeds/")
        supervisor.get_by_label("Name").fill("Intranet")
        supervisor.get_by_label("Shows").select_option("One queue, big")
        supervisor.get_by_label("Sites that may show it").fill(allowed)
        supervisor.get_by_role("button", name="Make the link").click()
        content["/"] = theirs["/"] = supervisor.locator("#embed-frame").inner_text()

        frame = framed(pages, allowed)
        expect(frame.locator('.queue-card[data-level]:not([data-level="unknown"])')).to_be_visible(timeout=15_000)
        expect(frame.locator(".board-head")).to_be_hidden()
        assert "Not for the intranet" not in frame.locator("html").inner_html()
        expect(framed(pages, refused).locator(".queue-card")).to_have_count(0)

        supervisor.goto(f"{site.url}/screens/embeds/")
        supervisor.get_by_role("button", name="Revoke Intranet").click()
        expect(frame.locator(".board")).to_be_hidden(timeout=5000)


def framed(pages: Pages, address: str) -> FrameLocator:
    """What stands in the frame of the page at that address, in a browser without cookies."""
    page = pages.open(address + "/")
    return page.frame_locator("iframe")
