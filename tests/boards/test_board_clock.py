"""A board's own time zone: on its clock, in what explains it, and where its day begins."""

import json
import re
from datetime import datetime
from zoneinfo import ZoneInfo

import time_machine
from playwright.sync_api import expect

from accounts.models import AuditEntry, Domain, Person
from tests.boards import fake_feeds
from tests.boards.conftest import Show, SignIn
from tests.boards.grid_layouts import card, grid
from wallboard.boards import editing, layout, time_zones
from wallboard.boards.cards import figures
from wallboard.boards.editor import drafts
from wallboard.boards.models import Board
from wallboard.queues.models import Queue, Sample

TOKYO = ZoneInfo("Asia/Tokyo")
NOON = datetime(2026, 3, 4, 12, 0, tzinfo=ZoneInfo("Europe/Berlin"))  # 20:00 in Tokyo


def test_today_begins_with_the_boards_own_day(domain: Domain) -> None:
    queue = Queue.objects.create(domain=domain, number="501")
    for hour in (0, 8, 10):  # in Berlin; in Tokyo the day began at 16:00 of the day before
        Sample.objects.create(
            queue=queue, minute=NOON.replace(hour=hour), readings=12, waiting=0, most_waiting=0,
            longest_wait_seconds=0, watch_seconds=0, late_seconds=60, nobody_seconds=0,
        )  # fmt: skip
    Sample.objects.filter(minute=NOON.replace(hour=0)).update(minute=NOON.replace(day=3, hour=17))
    shown = grid(card("n", "figure", 0, 0, 3, 3, figure="late_minutes", window="today"))
    here = editing.create(domain, editing.BoardInput("Here", layout=shown))
    there = editing.create(domain, editing.BoardInput("There", layout=shown, time_zone="Asia/Tokyo"))
    plain = editing.create(domain, editing.BoardInput("Automatic", time_zone="Asia/Tokyo"))

    with time_machine.travel(NOON, tick=False):
        values = [figures.documents(each)["figure:n"][1].value for each in (here, there)]
        since = figures.documents(plain)["today"][1].since

    assert values == [2, 3]
    assert datetime.fromtimestamp(since / 1000, TOKYO) == datetime(2026, 3, 4, tzinfo=TOKYO)
    assert Domain.objects.get(pk=domain.pk).time_zone == "Europe/Berlin"


def test_the_zone_is_kept_by_form_and_draft_noted_and_refused_where_there_is_none(
    board: Board, sign_in: SignIn
) -> None:
    client = sign_in(Person.Role.SUPERVISOR)
    form = {"name": "North", "theme": "dark", "sections": ["queues"], "every_queue": "1"}

    assert client.post("/boards/main/edit/", {**form, "time_zone": "Mars/Base"}).status_code == 200
    client.post("/boards/main/edit/", {**form, "time_zone": "Asia/Tokyo"})

    board.refresh_from_db()
    assert layout.board_document(board)[1].zone == "Asia/Tokyo"
    assert AuditEntry.objects.get(what="board changed").changes["time_zone"] == ["", "Asia/Tokyo"]
    assert 'value="Asia/Tokyo" selected' in client.get("/boards/main/edit/").content.decode()
    content = drafts.draft_state(board).content
    body = {"content": {**content, "time_zone": "Mars/Base"}, "version": 0, "board_version": board.version}
    refused = client.post("/boards/main/draft/", json.dumps(body), content_type="application/json")
    assert (refused.status_code, "time zone" in refused.json()["error"]) == (400, True)


def test_every_zone_that_is_offered_is_taken(domain: Domain) -> None:
    for zone, _name in time_zones.zone_choices(domain):
        assert time_zones.parse_zone(zone) == zone


def test_former_names_of_zones_are_offered_only_where_one_is_set(board: Board, sign_in: SignIn) -> None:
    client = sign_in(Person.Role.SUPERVISOR)

    def offered() -> list[str]:
        page = client.get("/boards/main/edit/").content.decode()
        return re.findall(r'<option value="(US/[^"]+|Africa/Asmera|America/New_York)"', page)

    plain = offered()
    Board.objects.filter(pk=board.pk).update(time_zone="US/Eastern")

    assert plain == ["America/New_York"]
    assert offered() == ["America/New_York", "US/Eastern"]
    changed = {"name": "North", "theme": "dark", "sections": ["queues"], "every_queue": "1", "time_zone": "US/Eastern"}
    assert client.post("/boards/main/edit/", changed).status_code == 302


def test_an_open_board_goes_by_its_new_zone_at_once(show: Show, board: Board) -> None:
    page = show(locale="en-GB")
    page.fill(4, 6, 3)
    theirs = page.text(".board-clock")
    changed = editing.update(
        board, editing.BoardInput("North", "dark", time_zone="Pacific/Kiritimati")
    )  # 12 or 13 h on

    page.news(f"board:{board.pk}", {"board": layout.board_document(changed)[1]})

    expect(page.page.locator(".board-clock")).not_to_have_text(theirs)
    expected = datetime.fromtimestamp(fake_feeds.now_ms() / 1000, ZoneInfo("Pacific/Kiritimati"))
    assert int(page.text(".board-clock").partition(":")[0]) == expected.hour
    page.page.locator("[data-about=late]").press("Enter")
    expect(page.page.locator("#about")).to_contain_text("Pacific/Kiritimati")
