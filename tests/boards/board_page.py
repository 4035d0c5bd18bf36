"""Opens the real board page with made-up documents: Django answers here, and the test plays the socket."""

import re
from typing import Any

import msgspec
from django.test import Client
from playwright.sync_api import Page, Route, WebSocketRoute

from tests.boards import fake_feeds
from tests.harness.static_files import PAGES
from wallboard.boards.models import Board

ORIGIN = "http://testserver"
DESK_ASKS = ("/desk/call-backs/?", "/desk/day/?q=")  # at once, and after each change of the person's own calls
LINKED = re.compile(r'(?:href|src)="(/brand/[^"]+|/(?:boards|screen)/images/[^"]+)"')


def answered(client: Client, *paths: str) -> dict[str, Any]:
    """The answers for these addresses, and for the company's own style sheet and pictures that their pages show."""
    answers = {path: client.get(path) for path in paths}
    linked = [each for answer in answers.values() for each in LINKED.findall(answer.content.decode())]
    return answers | {path: client.get(path) for path in linked}


class BoardPage:
    """A board page in a browser, and the server's side of its socket."""

    def __init__(self, page: Page, client: Client, board: Board, path: str, calls_feed: str = "calls") -> None:
        self.page = page
        self.board = board
        self.calls_feed = calls_feed
        self.socket: WebSocketRoute | None = None
        self.is_mute = False
        self.numbers: dict[str, int] = {}
        self.addresses: list[str] = []
        # Asked for here: inside Playwright's loop Django has another database.
        self.answers = answered(client, path, "/figures/", *(DESK_ASKS if path == "/desk/" else ()))
        self.answers[path].headers.pop("Cross-Origin-Opener-Policy", None)
        page.route(PAGES, self._answer)
        page.route_web_socket("**/live/**", self._accept)
        page.goto(ORIGIN + path)

    def _answer(self, route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN)
        if "/draft/?" in path:  # an editor asks who else is there
            route.fulfill(json={"editors": [], "me": "", "state": None})
            return
        if path in ("/screen/alive/", "/alerts/sound/"):
            route.fulfill(status=204)
            return
        response = self.answers[path]
        route.fulfill(status=response.status_code, headers=dict(response.headers), body=response.content)

    def _accept(self, socket: WebSocketRoute) -> None:
        self.addresses.append(socket.url)
        self.socket = socket
        self.numbers = {}
        if not self.is_mute:
            self.ping()

    def say(self, frame: dict[str, Any]) -> None:
        assert self.socket is not None
        self.socket.send(msgspec.json.encode(frame).decode())

    def ping(self) -> None:
        self.say(fake_feeds.ping())

    def snapshot(self, feed: str, documents: fake_feeds.Docs) -> None:
        self.numbers[feed] = 1
        self.say({"feed": feed, "id": f"1-{feed}", "snapshot": documents})

    def news(self, feed: str, changed: fake_feeds.Docs, gone: tuple[str, ...] = ()) -> None:
        """A change of some documents, as the next entry of the feed."""
        number = self.numbers[feed]
        self.numbers[feed] = number + 1
        entry = {"id": f"{number + 1}-{feed}", "prev": f"{number}-{feed}"}
        self.say({"feed": feed, **entry, "set": changed, "del": list(gone)})

    def fill(self, queues: int, people: int, calls: int, **of_poll: Any) -> None:
        """Everything that a board shows, with so many of each."""
        self.snapshot("queues", fake_feeds.queues(queues, **of_poll))
        self.snapshot("people", fake_feeds.people(people))
        self.snapshot(self.calls_feed, fake_feeds.calls(calls, masked=self.calls_feed == "wall"))
        self.snapshot(f"board:{self.board.pk}", {"today": fake_feeds.today()})
        self.settle()

    def settle(self) -> None:
        """Wait until what was said has been drawn."""
        self.page.wait_for_function(
            "() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(true), 60)))"
        )

    def drawn(self) -> None:
        """Wait for the frame that shows what was said, of a page that fades nothing in."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def text(self, selector: str) -> str:
        return self.page.locator(selector).first.inner_text()
