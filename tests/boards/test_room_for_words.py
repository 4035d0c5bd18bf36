"""Words that matter keep their room on a board in a language of longer ones: counts of people, tools, what to do."""

import re

import pytest
from django.test import Client
from playwright.sync_api import expect

from tests.boards import fake_feeds
from tests.boards.board_page import BoardPage
from tests.boards.conftest import Show, SignIn
from wallboard.boards.models import Board

SEEN = """(selector) => [...document.querySelectorAll(selector)].filter((node) => node.checkVisibility())
  .filter((node) => { const box = node.getBoundingClientRect(), room = node.parentElement.getBoundingClientRect();
    return box.right <= Math.min(innerWidth, room.right) + 1 && box.left >= room.left - 1
      && box.top >= room.top - 1 && box.bottom <= Math.min(innerHeight, room.bottom) + 4; })
  .map((node) => node.dataset.count || node.textContent.trim())"""
LONG = (
    "Kundendienst Haushaltsgeräte und Ersatzteilversorgung",
    "Ersatzteile und Reklamationen",
    "Außendienstkoordination",
)
CLOSED = {"level": "normal", "reason": "closed", "waiting": 0, "longest_wait": None, "average_wait": None}
CUT = """(selector) => [...document.querySelectorAll(selector)].filter((node) => node.checkVisibility())
  .filter((node) => node.scrollWidth > node.clientWidth + 1 || node.getBoundingClientRect().width < 20)
  .map((node) => node.textContent)"""


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
        *((1280, 800, language) for language in ("en", "de", "fr", "es", "nl", "ar")),
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


def crowded(show: Show, client: Client, width: int, height: int) -> BoardPage:
    """Sixty queues with long names, the first of them closed, and calls of which some wait; in German."""
    shown = show(width, height, client=reading(client, "de"), locale="de")
    shown.fill(60, 40, 28)
    queues = fake_feeds.queues(60)
    for index in range(60):
        queues[f"about:{501 + index}"]["name"] = LONG[index % 3] + f" {index}"
    queues["queue:501"].update(CLOSED)
    calls = fake_feeds.calls(28)
    for number in range(910, 928):
        calls[str(number)]["state"] = "waiting"
    calls["901"].update(state="calling", direction="out")
    shown.snapshot("queues", queues)
    shown.snapshot("calls", calls)
    shown.settle()
    return shown


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1920, 1080)])
def test_a_name_of_one_line_takes_all_its_room(show: Show, sign_in: SignIn, width: int, height: int) -> None:
    shown = crowded(show, sign_in("supervisor"), width, height)
    name = shown.page.locator(".queue-card-name").nth(1)

    # As wide as it would be without an end: what is seen ends within a word, not with the last that has room.
    assert name.evaluate("(node) => getComputedStyle(node).whiteSpace") == "nowrap"
    assert name.evaluate("(node) => node.scrollWidth > node.clientWidth && node.clientHeight < node.clientWidth / 4")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1920, 1080)])
def test_a_closed_queue_says_so_in_one_line(show: Show, sign_in: SignIn, width: int, height: int) -> None:
    shown = crowded(show, sign_in("supervisor"), width, height)
    closed = shown.page.locator('.queue-card[data-level="closed"]')

    assert closed.get_by_text("Geschlossen").bounding_box()["width"] > 40  # type: ignore[index]
    assert shown.page.evaluate(CUT, '.queue-card[data-level="closed"] .queue-card-word') == []
    assert not closed.locator(".queue-card-longest").is_visible()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1920, 1080)])
def test_who_calls_has_room_beside_a_mark_and_counts_are_whole(
    show: Show, sign_in: SignIn, width: int, height: int
) -> None:
    shown = crowded(show, sign_in("supervisor"), width, height)
    far = shown.page.locator(".call-far").first

    assert shown.page.locator(".calls").get_attribute("data-brief") == "true"
    assert far.bounding_box()["width"] > 70  # type: ignore[index]
    assert shown.page.locator(".call-word").first.text_content() == "klingelt"  # to be heard
    assert shown.page.evaluate(CUT, ".calls .part-count") == []
    assert "18 wartend" in shown.page.locator(".calls .part-count").inner_text()


def test_who_dials_is_told_from_who_is_called_without_colours(show: Show, sign_in: SignIn) -> None:
    shown = show(1280, 800, client=sign_in("supervisor"))
    shown.fill(60, 40, 3)
    busy(shown)
    mark = "(node) => { const own = getComputedStyle(node, '::before'); return [own.clipPath, own.borderRadius]; }"

    def marks(selector: str) -> object:
        return shown.page.locator(selector).first.evaluate(mark)

    assert marks('.tally[data-count="calling"]') != marks('.tally[data-count="ringing"]')
    dialling = marks('.person[data-state="calling"] .person-name')
    assert "polygon" in str(dialling)
    assert dialling != marks('.person[data-state="ringing"] .person-name')


def test_how_late_calls_are_here_is_told_whole_or_not_at_all(show: Show, sign_in: SignIn) -> None:
    shown = show(1800, 800, client=reading(sign_in("administrator"), "de"), locale="de")
    failing = {"failure": "token_refused", "failing_since": fake_feeds.now_ms() - 50_000}
    shown.fill(2, 4, 1, read_ago_seconds=660, next_try_at=fake_feeds.now_ms() + 60_000, **failing)
    shown.news("calls", {"900": fake_feeds.calls(1)["900"] | {"since": fake_feeds.now_ms() - 6000}})
    lag = shown.page.locator(".foot-lag")
    expect(lag).to_have_text(re.compile(r"^hier nach \d"))
    expect(lag).to_be_visible()
    whole = """(node) => { const range = document.createRange(); range.selectNodeContents(node);
      const text = range.getBoundingClientRect(), room = node.getBoundingClientRect();
      if (text.top > room.bottom - 2) return "out";
      return text.right <= room.right + 1 && text.left >= room.left - 1 ? "in" : "cut"; }"""

    found = []
    for width in range(1800, 1000, -20):
        shown.page.set_viewport_size({"width": width, "height": 800})
        found.append(lag.evaluate(whole))

    assert set(found) == {"in", "out"}


def test_missing_events_are_cut_before_the_lights_of_the_foot(show: Show, sign_in: SignIn, board: Board) -> None:
    shown = show(1100, 800, client=reading(sign_in("administrator"), "de"), locale="de")
    shown.fill(2, 4, 1)
    gap = {"seconds": 95, "pieces": 1, "since": fake_feeds.now_ms() - 240_000, "until": fake_feeds.now_ms() - 120_000}
    shown.snapshot(f"board:{board.pk}", {"today": fake_feeds.today() | {"missing": gap}})
    shown.settle()

    expect(shown.page.locator(".foot-gap")).to_have_text(re.compile(r"^\* "))
    assert shown.page.evaluate(CUT, ".board-foot .light > span") == []


def test_a_name_of_another_direction_stands_away_from_the_clock(show: Show, sign_in: SignIn) -> None:
    page = show(768, 1024, client=reading(sign_in("supervisor"), "ar"), locale="ar").page
    name = page.locator(".board-name")
    begin = "(node) => { const range = document.createRange(); range.selectNodeContents(node);"

    assert name.evaluate(begin + " return range.getBoundingClientRect().right; }") > 700
    assert page.locator(".board-clock").bounding_box()["x"] < 60  # type: ignore[index]


# Of each new queue: whether its words are seen, and whether they lie on the line of its minutes.
BESIDE_THE_LINE = """() => [...document.querySelectorAll(".queue-card-learning:not(:empty)")].map((node) => {
  const line = node.parentElement.querySelector(".trend-line").getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(node);
  const [text, box] = [range, node].map((each) => each.getBoundingClientRect());
  const isSeen = text.top < box.bottom - 1;
  return [isSeen, isSeen && (text.right > line.left && text.left < line.right || text.right > box.right + 1)];
})"""


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "nl", "ar"])
def test_a_new_queue_says_so_beside_its_line_or_not_at_all(show: Show, sign_in: SignIn, language: str) -> None:
    shown = show(1920, 1080, client=reading(sign_in("supervisor"), language), locale=language)
    shown.fill(6, 18, 2)
    found = {}
    for minutes in (2, 12, 21):
        began = fake_feeds.trend(0) | {"waiting": [None] * (60 - minutes) + [1] * minutes, "late": [None] * 96}
        shown.news("queues", {f"trend:{501 + index}": began for index in range(6)})
        shown.settle()
        found[minutes] = shown.page.evaluate(BESIDE_THE_LINE)

    assert found[2] == [[True, False]] * 6
    assert [len(each) for each in found.values()] == [6, 6, 6]
    assert not any(lies_on_it for each in found.values() for _, lies_on_it in each)


def test_the_lights_of_the_foot_are_whole_where_there_is_room(show: Show, sign_in: SignIn) -> None:
    shown = show(1920, 1080, client=reading(sign_in("administrator"), "de"), locale="de")
    shown.fill(6, 18, 3)

    assert shown.page.evaluate(CUT, ".foot-queues, .foot-calls, .foot-lag") == []


def test_the_last_turn_of_people_fills_its_card_too(show: Show) -> None:
    shown = show(1280, 800)
    shown.fill(6, 70, 3)
    seen = set()
    for _ in range(12):
        seen.add(shown.page.locator(".person").count())
        shown.page.clock.run_for(10_000)
        shown.settle()

    assert len(seen) == 1
