"""The card of an embed link as a PNG: the figures with their time, old ones told as old, made now and then only."""

from dataclasses import replace
from datetime import datetime, timedelta
from io import BytesIO
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from PIL import Image

from accounts import company_day
from accounts.models import Domain
from accounts.signin.start_throttle import StartThrottle
from tests.screens.embeds.conftest import SITE, MakeEmbed
from wallboard.boards import editing, layout
from wallboard.boards.models import Board
from wallboard.calls.subscriptions import health
from wallboard.calls.subscriptions.health import Health
from wallboard.queues.models import PollState, Queue
from wallboard.screens.embeds import figures, links, picture
from wallboard.screens.embeds.figures import Row, Told
from wallboard.screens.embeds.links import EmbedInput
from wallboard.screens.models import Embed
from wallboard.screens.views import embed as views


@pytest.fixture(autouse=True)
def nothing_cached() -> None:
    cache.clear()


def read(domain: Domain, at: datetime | None = None, waiting: int = 4, wait: int | None = 130) -> None:
    """A reading of two queues, stored as polling does."""
    at = at or timezone.now()
    document = {
        "waiting": waiting, "longest_wait": wait, "average_wait": wait and 61, "agents": 5, "available": 2,
        "unavailable": 3, "level": "late", "reason": "longest_wait", "since": 1, "missing_since": None,
    }  # fmt: skip
    for number, name in (("501", "Sales ąłş"), ("502", "المبيعات")):
        Queue.objects.get_or_create(domain=domain, number=number, defaults={"name": name})
    held = {number: [1, document] for number in ("501", "502")}
    PollState.objects.update_or_create(domain=domain, defaults={"read_at": at, "figures": held, "version": 1})


def told(embed: Embed) -> Told:
    found = figures.told(embed)
    assert found is not None
    return found


def test_a_queue_is_told_with_the_moment_of_its_reading(domain: Domain, make_embed: MakeEmbed) -> None:
    read(domain)

    shown = told(make_embed()[0])

    assert shown.rows == (Row("Sales ąłş", "late", ("4", "2:10", "2")),)
    assert (shown.title, shown.is_old) == ("Sales line", False)
    assert shown.note.startswith("as of ")


def test_old_figures_are_told_as_old(domain: Domain, make_embed: MakeEmbed) -> None:
    embed, _ = make_embed()
    assert (told(embed).is_old, told(embed).note) == (True, "queues not read yet")

    read(domain, timezone.now() - timedelta(minutes=5))
    assert told(embed).is_old
    assert told(embed).note.startswith("No new figures since ")
    fresh = Told("Sales", "as of 1", False, value="7")
    assert picture.png(fresh, "light") != picture.png(Told("Sales", "as of 1", True, value="7"), "light")


def test_a_single_figure_is_that_of_its_queues(domain: Domain, make_embed: MakeEmbed) -> None:
    read(domain, waiting=7)

    assert told(make_embed("two")[0]).value == "7"


def of_figure(domain: Domain, grid: Board, figure: str, window: str = "now") -> Told:
    """What the picture of a card with this figure tells."""
    card = {"id": "c", "kind": "figure", "x": 0, "y": 0, "w": 4, "h": 4, "figure": figure, "window": window}
    shown = layout.parse({"rows": 12, "cards": [card]})
    changed = editing.update(grid, replace(editing.current_input(grid), layout=shown))
    company = Domain.objects.get(pk=domain.pk)  # as each request reads it
    return told(links.make(company, EmbedInput("Intranet", changed, "c", (SITE,)))[0])


@pytest.mark.parametrize(("figure", "text"), [("longest", "2:10"), ("average", "1:01"), ("most_waiting", "4")])
def test_a_single_figure_of_now_is_that_of_the_board(domain: Domain, grid: Board, figure: str, text: str) -> None:
    read(domain)

    assert of_figure(domain, grid, figure).value == text


@pytest.mark.parametrize(("waiting", "wait", "text"), [(4, None, "?"), (0, 130, "–"), (0, None, "–")])
def test_a_wait_is_unknown_where_somebody_waits_and_else_there_is_none(
    domain: Domain, make_embed: MakeEmbed, grid: Board, waiting: int, wait: int | None, text: str
) -> None:
    read(domain, waiting=waiting, wait=wait)

    assert told(make_embed()[0]).rows[0].figures[1] == text
    assert [of_figure(domain, grid, name).value for name in ("longest", "average")] == [text, text]


@pytest.mark.parametrize(("figure", "is_of_calls"), [("late_minutes", False), ("answered", True)])
def test_what_is_counted_is_old_while_nothing_comes_in_to_count(
    domain: Domain, grid: Board, monkeypatch: pytest.MonkeyPatch, figure: str, is_of_calls: bool
) -> None:
    last = timezone.now() - timedelta(minutes=20)

    def at(readings: datetime, events: str) -> Told:
        read(domain, readings)
        monkeypatch.setattr(health, "of", lambda domain_id: Health(events, last, last, 1))
        return of_figure(domain, grid, figure, "60")

    shown = at(timezone.now(), "down") if is_of_calls else at(last, "live")
    assert (shown.is_old, shown.note[:21]) == (True, "No new figures since ")
    assert f"{last.astimezone(company_day.zone_of(domain)):%H:%M}" in shown.note
    assert not (at(last, "live") if is_of_calls else at(timezone.now(), "down")).is_old


def test_cards_without_a_picture_and_whole_boards_have_none(domain: Domain, make_embed: MakeEmbed) -> None:
    for card in ("crew", ""):
        _, token = make_embed(card)
        assert Client().get(f"/embed/{token}/card.png").status_code == 404


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_picture_is_made_now_and_then_and_may_be_shown_anywhere(
    domain: Domain, make_embed: MakeEmbed, theme: str
) -> None:
    read(domain)
    _, token = make_embed(theme=theme)

    answer = Client().get(f"/embed/{token}/card.png")
    read(domain, waiting=9)

    with Image.open(BytesIO(answer.content)) as shown:
        assert (shown.format, shown.size) == ("PNG", (picture.WIDTH, picture.HEIGHT))
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert Client().get(f"/embed/{token}/card.png").content == answer.content
    cache.clear()
    assert Client().get(f"/embed/{token}/card.png").content != answer.content


def test_a_revoked_link_has_no_picture_and_a_busy_one_waits(
    domain: Domain, make_embed: MakeEmbed, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(domain)
    embed, token = make_embed()
    monkeypatch.setattr(views, "throttle", StartThrottle(1))

    status = [Client().get(f"/embed/{token}/card.png").status_code for _ in range(2)]
    links.revoke(embed)

    assert status == [200, 429]
    assert Client().get(f"/embed/{token}/card.png").status_code == 404


def test_a_long_or_foreign_name_stays_on_the_picture(board: Board) -> None:
    rows = tuple(Row(name, "watch", ("1", "1:02:05", "–")) for name in ("x" * 200, "المبيعات والدعم", "Ärger ąłş"))
    value: dict[str, Any] = {"heads": ("waiting", "longest", "available"), "rows": rows, "more": "and 3 more"}

    assert picture.png(Told("t" * 300, "as of 23/11/2026 06:56", False, **value), "contrast").startswith(b"\x89PNG")
