"""Words that matter keep their room on a board in a language of longer ones: counts of people, tools, what to do."""

import pytest
from django.test import Client

from tests.boards import fake_feeds
from tests.boards.board_page import BoardPage
from tests.boards.conftest import Show, SignIn

SEEN = """(selector) => [...document.querySelectorAll(selector)].filter((node) => node.checkVisibility())
  .filter((node) => { const box = node.getBoundingClientRect(), room = node.parentElement.getBoundingClientRect();
    return box.right <= Math.min(innerWidth, room.right) + 1 && box.left >= room.left - 1
      && box.top >= room.top - 1 && box.bottom <= Math.min(innerHeight, room.bottom) + 4; })
  .map((node) => node.dataset.count || node.textContent.trim())"""


def reading(client: Client, language: str) -> Client:
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    return client


def busy(shown: BoardPage) -> None:
    """Eighteen people, some in each state."""
    people = fake_feeds.people(18)
    states = ("idle", "ringing", "calling", "talking", "unknown")
    for index, document in enumerate(each for key, each in people.items() if key != "events"):
        document["state"] = states[index % 5]
    shown.snapshot("people", people)
    shown.settle()


@pytest.mark.parametrize(
    ("width", "height", "language"),
    [
        *((1280, 800, language) for language in ("en", "de", "fr", "nl", "ar")),
        *((1920, 1080, language) for language in ("en", "de", "fr", "es", "nl", "ar")),
    ],
)
def test_every_count_of_people_is_seen(show: Show, sign_in: SignIn, language: str, width: int, height: int) -> None:
    shown = show(width, height, client=reading(sign_in("supervisor"), language), locale=language)
    shown.fill(6, 18, 3)
    busy(shown)

    assert sorted(shown.page.evaluate(SEEN, ".tally")) == ["calling", "idle", "ringing", "talking", "unknown"]


@pytest.mark.parametrize("width", [1280, 1920])
def test_the_tools_of_a_board_stay_where_its_figures_are_old(show: Show, sign_in: SignIn, width: int) -> None:
    shown = show(width, 800, client=reading(sign_in("administrator"), "de"), locale="de")
    failing = {"failure": "token_refused", "failing_since": fake_feeds.now_ms() - 50_000}
    shown.fill(6, 18, 3, read_ago_seconds=660, next_try_at=fake_feeds.now_ms() + 60_000, **failing)

    tools = shown.page.locator(".foot-tool")
    seen = shown.page.evaluate(SEEN, ".foot-tool")
    assert len(seen) == sum(each.is_visible() for each in tools.all()) >= 2
