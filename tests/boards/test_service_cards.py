"""Service level, callers who left and speed of answer on boards: as the worker counted them, and nothing unproven."""

import os
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from django.core.cache import cache
from playwright.sync_api import expect

from accounts.models import Domain
from tests.boards import fake_feeds, grid_layouts
from tests.boards.conftest import Show
from tests.boards.grid_layouts import card, grid
from tests.boards.test_board_cards import figure, opened, the
from tests.reports.service.test_alerting import renumbered
from tests.reports.test_queue_calls import CERTAIN, START, floor
from wallboard.boards import layout
from wallboard.boards.cards import figures as card_figures
from wallboard.boards.models import Board
from wallboard.calibration import findings
from wallboard.queues import editing
from wallboard.queues.models import Queue
from wallboard.reports.service import counting, rules, targets, today
from wallboard.reports.service.rules import OwnSeconds
from wallboard.reports.service_level import Rule, figures

NOW = START + timedelta(minutes=16)
PICTURES = os.environ.get("WALLBOARD_PICTURES", "")  # a folder for pictures of every size
NAMES = ("service_level", "left_queue", "answer_speed")


@pytest.fixture(autouse=True)
def nothing_cached() -> None:
    cache.clear()


@pytest.fixture
def certain(domain: Domain) -> None:
    for question, answer in CERTAIN.items():
        findings.overrule(domain, question, answer, None)


def told(domain: Domain, name: str, **more: Any) -> dict[str, Any]:
    raw = {"id": "c1", "kind": "figure", "x": 0, "y": 0, "w": 6, "h": 2, "figure": name, "window": "today", **more}
    shown = layout.parse({"rows": 12, "cards": [raw]})
    document: dict[str, Any] = msgspec.to_builtins(card_figures.figures(domain, shown, NOW)["c1"])
    return document


@pytest.mark.usefixtures("certain")
@pytest.mark.parametrize("queues", [None, ["4001", "4002"]])
def test_boards_show_what_reports_show(domain: Domain, queues: list[str] | None) -> None:
    floor(domain)
    today.update(domain, NOW)

    calls = counting.calls(domain, today.Span(START, NOW), counting.ground(domain.pk))
    counted = figures("", [each for each in calls if not queues or each.queue in queues], rules.rules(domain.pk))

    level, left, speed = (told(domain, name, queues=queues) for name in NAMES)
    assert counted.percent is not None
    assert counted.answer_seconds is not None
    assert level["value"] == counted.percent
    assert left["value"] == counted.unanswered > 0
    assert speed["value"] == round(counted.answer_seconds)
    assert level["rules"] == [("A", 20, 5)]
    assert level["at"] == NOW.timestamp() * 1000


@pytest.mark.usefixtures("certain")
def test_the_rules_of_the_queues_stand_in_the_document_the_companys_first(domain: Domain) -> None:
    floor(domain, minutes=5)
    rules.save(domain, Rule("B", 30, 8, is_open_only=True), {"4001": OwnSeconds(target=10)})
    today.update(domain, NOW)

    assert told(domain, "service_level")["rules"] == [("B+", 30, 8), ("B+", 10, 8)]
    assert told(domain, "service_level", queues=["4001"])["rules"] == [("B+", 10, 8)]


@pytest.mark.usefixtures("certain")
def test_a_level_is_held_against_its_target_once_enough_calls_count(domain: Domain) -> None:
    floor(domain)
    today.update(domain, NOW)
    editing.set_targets(domain, None, {"service_watch_below": 100, "service_late_below": 99})
    editing.set_targets(domain, Queue.objects.get(domain=domain, number="4001"), {"service_late_below": 1})

    all_of_them, own, narrow = (
        told(domain, "service_level", **more) for more in ({}, {"queues": ["4001"]}, {"window": "15"})
    )
    with patch.object(targets, "FEWEST_CALLS", 100_000):
        cache.clear()
        few = told(domain, "service_level")

    assert (all_of_them["level"], all_of_them["bounds"]) == ("late", (100, 99))
    assert (own["level"], own["bounds"]) == ("watch", (100, 1))
    assert narrow["level"] == "late"
    assert (few["level"], few["value"]) == ("normal", all_of_them["value"])
    assert told(domain, "left_queue")["bounds"] == (None, None)


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ({}, "queue_legs"),
        (CERTAIN | {"queue_legs": "hidden"}, "queue_legs:other"),
        ({"queue_legs": "user", "caller_ids": "separate"}, "caller_ids:other"),
    ],
)
def test_what_is_not_proven_is_no_number_but_what_would_unlock_it(
    domain: Domain, answers: dict[str, str], why: str
) -> None:
    floor(domain, minutes=5)
    for question, answer in answers.items():
        findings.overrule(domain, question, answer, None)
    today.update(domain, NOW)

    for name in NAMES:
        document = told(domain, name)
        assert (document["value"], document["is_known"], document["why"]) == (None, False, why)


@pytest.mark.usefixtures("certain")
def test_what_is_locked_after_it_was_counted_is_locked_at_once(domain: Domain) -> None:
    floor(domain, minutes=5)
    today.update(domain, NOW)
    before = told(domain, "left_queue")
    findings.overrule(domain, "missing_events", "many", None)

    after = told(domain, "left_queue", queues=["4001"])

    assert (before["is_known"], before["why"]) == (True, "overruled")
    assert (after["value"], after["why"]) == (None, "missing_events:other")


@pytest.mark.usefixtures("certain")
def test_a_queue_that_was_renumbered_is_locked_where_only_one_of_its_numbers_counts(domain: Domain) -> None:
    floor(domain, minutes=5)
    today.update(domain, NOW)
    renumbered(domain, "4001", "4002", START + timedelta(minutes=3))

    for name in NAMES:
        alone, both = (told(domain, name, queues=queues) for queues in (["4001"], ["4001", "4002"]))
        assert (alone["value"], alone["why"]) == (None, "renumbered")
        assert both["is_known"]
    assert told(domain, "service_level")["is_known"]


def test_a_wait_of_a_period_is_named_so_and_judged_by_no_bound(show: Show, board: Board) -> None:
    bound = {"watch": 60, "late": 120, "below": False}
    shown = grid(
        card("n", "figure", 0, 0, 3, 3, figure="longest", levels=bound),
        card("q", "queue", 0, 3, 4, 5, queues=["501"]),
    )
    page = opened(show, board, shown)
    of_period = {"longest_wait": None, "average_wait": None, "longest_lately": 1248, "level": "normal", "reason": ""}
    docs = fake_feeds.queues(3)
    page.news("queues", {key: {**doc, **of_period} if key.startswith("queue:") else doc for key, doc in docs.items()})
    page.settle()

    assert (figure(page, "n"), the(page, "n").get_attribute("data-level")) == ("20:48", "normal")
    assert the(page, "n").locator(".card-note").inner_text() == "lately, per provider"
    assert the(page, "q").locator(".queue-card-longest").inner_text() == "?"
    the(page, "q").locator(".about").press("Enter")
    expect(page.page.locator("#about")).to_contain_text("Longest wait lately, as the provider tells it 20:48")
    if PICTURES:
        page.page.screenshot(path=f"{PICTURES}/lately.png")


def test_a_card_says_the_level_with_its_formula_or_what_would_unlock_it(show: Show, board: Board) -> None:
    cards = [card(name, "figure", 3 * at, 0, 3, 3, figure=name, window="today") for at, name in enumerate(NAMES)]
    shown = grid(*cards)
    page = opened(show, board, shown)

    def news(**more: Any) -> None:
        page.news(f"board:{board.pk}", grid_layouts.figures(shown, **more))
        page.settle()

    news(value=79.6, rules=[["B", 30, 8]], level="late", bounds=[None, 80])
    assert figure(page, "service_level") == "79.6 %"
    assert the(page, "service_level").get_attribute("data-level") == "late"
    assert the(page, "service_level").locator(".card-note").inner_text() == "today"
    assert figure(page, "answer_speed") == "1:19"
    the(page, "service_level").locator(".about").press("Enter")
    expect(page.page.locator("#about")).to_contain_text("answered within 30 s ÷ (all offered − left within 8 s)")
    expect(page.page.locator("#about")).to_contain_text("Late below 80 %")
    page.page.keyboard.press("Escape")

    news(value=None, is_known=False, why="queue_legs")
    assert [figure(page, name) for name in NAMES] == ["?", "?", "?"]
    assert the(page, "service_level").locator(".card-note").inner_text() == "once proven: queue legs"
    the(page, "service_level").locator(".about").press("Enter")
    expect(page.page.locator("#about")).to_contain_text("until this is proven on your own calls: Callers in a queue in")
    if PICTURES:
        page.page.screenshot(path=f"{PICTURES}/service-cards.png")
