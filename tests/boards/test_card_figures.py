"""What is counted for the cards of a grid: by the rules of each figure, from kept samples and calls."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest
import time_machine
from django.core.cache import cache

from accounts.models import Domain
from tests.reports.test_day_figures import leg
from wallboard.boards import editing, layout
from wallboard.boards.cards import figures as card_figures
from wallboard.boards.layout import Layout
from wallboard.boards.models import Board
from wallboard.calibration import findings
from wallboard.calibration.models import Finding
from wallboard.desk import callbacks
from wallboard.live import feeds, publish
from wallboard.queues.models import Queue, Sample
from wallboard.reports import time_windows
from wallboard.reports.time_windows import WindowFigure
from wallboard.sockets import snapshots

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=ZoneInfo("Europe/Berlin"))
MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def queues(domain: Domain) -> list[Queue]:
    return [Queue.objects.create(domain=domain, number=str(501 + index), order=index) for index in range(3)]


def sample(number: str, minutes_ago: int, **more: Any) -> None:
    figures: dict[str, Any] = {
        "readings": 12,
        "waiting": 0.0,
        "most_waiting": 0,
        "longest_wait_seconds": 0,
        "average_wait_seconds": None,
        "agents": 5,
        "least_available": 3,
        "watch_seconds": 0.0,
        "late_seconds": 0.0,
        "nobody_seconds": 0.0,
    }
    queue = Queue.objects.get(number=number)
    Sample.objects.create(queue=queue, minute=NOON - minutes_ago * MINUTE, **{**figures, **more})


def value(domain: Domain, figure: str, window: str = "15", numbers: tuple[str, ...] | None = None) -> WindowFigure:
    return time_windows.window_figure(domain, figure, window, numbers, NOON)


def grid(*cards: dict[str, Any]) -> Layout:
    return layout.parse({"rows": 12, "cards": list(cards)})


def card(kind: str = "figure", **more: Any) -> dict[str, Any]:
    return {"id": "c1", "kind": kind, "x": 0, "y": 0, "w": 6, "h": 2, **more}


def test_waiting_is_summed_over_queues_and_averaged_over_minutes(domain: Domain) -> None:
    sample("501", 1, waiting=2.0)
    sample("502", 1, waiting=3.0)
    sample("501", 2, waiting=1.0)

    assert value(domain, "waiting") == WindowFigure(3.0)
    assert value(domain, "waiting", numbers=("501",)) == WindowFigure(1.5)


def test_a_window_says_for_how_much_of_it_queues_were_read(domain: Domain) -> None:
    for minutes_ago in (1, 2, 3):
        sample("501", minutes_ago)
        sample("502", minutes_ago)

    assert [value(domain, "waiting", window).measured_minutes for window in ("15", "60")] == [3, 3]
    assert value(domain, "answered").measured_minutes is None


def test_the_longest_wait_is_the_longest_of_any_queue(domain: Domain) -> None:
    sample("501", 1, most_waiting=1, longest_wait_seconds=40)
    sample("502", 2, most_waiting=2, longest_wait_seconds=90)

    assert value(domain, "longest") == WindowFigure(90)


def test_the_average_is_weighted_by_who_waits(domain: Domain) -> None:
    sample("501", 1, waiting=3.0, average_wait_seconds=10.0)
    sample("502", 1, waiting=1.0, average_wait_seconds=50.0)

    assert value(domain, "average") == WindowFigure(20)


def test_where_nobody_waited_there_is_no_wait(domain: Domain) -> None:
    sample("501", 1)

    assert value(domain, "longest") == WindowFigure(None)
    assert value(domain, "average") == WindowFigure(None)
    assert value(domain, "most_waiting") == WindowFigure(0)


def test_agents_are_not_added_up_but_the_fewest_are_told(domain: Domain) -> None:
    sample("501", 1, agents=5, least_available=3)
    sample("502", 1, agents=4, least_available=1)
    sample("503", 1, agents=None, least_available=None)

    assert value(domain, "available") == WindowFigure(1, queue="502")
    assert value(domain, "agents") == WindowFigure(4, queue="502")
    assert value(domain, "available", numbers=("503",)) == WindowFigure(is_known=False)


def test_the_most_waiting_at_once_names_its_queue(domain: Domain) -> None:
    sample("501", 1, most_waiting=4)
    sample("503", 5, most_waiting=7)

    assert value(domain, "most_waiting") == WindowFigure(7, queue="503")


MINUTES = [(f"{what}_minutes", f"{what}_seconds") for what in ("watch", "late", "nobody")]


@pytest.mark.parametrize(("figure", "column"), MINUTES)
def test_minutes_count_once_however_many_queues(domain: Domain, figure: str, column: str) -> None:
    for minute in (1, 2, 3):
        sample("501", minute, **{column: 60.0})
        sample("502", minute, **{column: 30.0})
    sample("502", 4, **{column: 60.0})

    assert value(domain, figure) == WindowFigure(4)
    assert value(domain, figure, numbers=("502",)) == WindowFigure(2)


@pytest.mark.parametrize(("window", "minutes"), [("15", 1), ("30", 2), ("60", 3), ("today", 4)])
def test_a_window_begins_where_it_says(domain: Domain, window: str, minutes: int) -> None:
    for ago in (15, 30, 60, 12 * 60, 12 * 60 + 1):
        sample("501", ago, late_seconds=60.0)

    assert value(domain, "late_minutes", window) == WindowFigure(minutes)


def test_nothing_read_and_hidden_queues_are_unknown(domain: Domain, queues: list[Queue]) -> None:
    sample("501", 1, most_waiting=3)
    Queue.objects.filter(number="501").update(is_hidden=True)

    assert value(domain, "most_waiting") == WindowFigure(is_known=False)
    assert value(domain, "most_waiting", numbers=("501",)) == WindowFigure(is_known=False)


def test_calls_of_single_queues_are_told_where_calls_show_their_queue(domain: Domain) -> None:
    at = NOON - 5 * MINUTE
    leg(domain, "one", at, is_answered=True)

    assert value(domain, "answered") == WindowFigure(1)
    assert value(domain, "answered", numbers=("501",)) == WindowFigure(is_known=False, why="queues_unseen")

    leg(domain, "two", at, queue="501", to_user="501")
    leg(domain, "two", at, is_answered=True)
    leg(domain, "three", at, queue="501", to_user="501")

    assert value(domain, "answered", numbers=("501",)) == WindowFigure(1)
    assert value(domain, "unanswered", numbers=("501",)) == WindowFigure(1)
    assert value(domain, "unanswered", numbers=("502",)) == WindowFigure(0)


def test_a_ribbon_has_the_minutes_of_each_quarter_hour(domain: Domain, queues: list[Queue]) -> None:
    sample("501", 20, late_seconds=60.0)
    sample("502", 20, late_seconds=30.0, nobody_seconds=60.0)
    sample("501", 21, late_seconds=30.0)
    sample("501", 40)
    sample("501", 25 * 60, late_seconds=60.0)

    figures = msgspec.to_builtins(card_figures.figures(domain, grid(card("ribbon")), NOON)["c1"])

    assert figures["since"] == (NOON - 95 * 15 * MINUTE).timestamp() * 1000
    assert figures["late"][-4:] == [0, 1.5, None, None]
    assert figures["nobody"][-4:] == [0, 1.0, None, None]
    assert set(figures["late"][:-4]) == {None}


def test_totals_of_some_queues_are_theirs(domain: Domain) -> None:
    sample("501", 1, late_seconds=60.0)
    sample("502", 1, late_seconds=20.0)
    leg(domain, "one", NOON - MINUTE)

    whole = msgspec.to_builtins(card_figures.figures(domain, grid(card("totals")), NOON)["c1"])
    some = msgspec.to_builtins(card_figures.figures(domain, grid(card("totals", queues=["502"])), NOON)["c1"])

    assert (whole["late_seconds"], whole["ended"], whole["unanswered"]) == (60, 1, 1)
    assert (some["late_seconds"], some["ended"], some["unanswered"]) == (20, None, None)


@pytest.mark.parametrize(("ids", "why"), [("shared", ""), ("per_leg", "caller_ids:other")])
def test_calls_are_not_counted_where_each_leg_has_an_id_of_its_own(domain: Domain, ids: str, why: str) -> None:
    findings.overrule(domain, "caller_ids", ids, None)
    leg(domain, "one", NOON - MINUTE)

    counted = [value(domain, name) for name in ("answered", "unanswered")]
    totals = msgspec.to_builtins(card_figures.figures(domain, grid(card("totals")), NOON)["c1"])

    assert [(each.is_known, each.why) for each in counted] == [(not why, why)] * 2
    assert (totals["ended"], totals["unanswered"], totals["why"]) == ((None, None, why) if why else (1, 1, ""))


def test_calls_are_not_counted_after_their_ids_were_contradicted(domain: Domain) -> None:
    Finding.objects.create(domain=domain, question="caller_ids", answer="shared", verdict="contradicted")

    assert value(domain, "unanswered") == WindowFigure(is_known=False, why="caller_ids:lost")


def test_callers_to_ring_back_are_counted_without_their_numbers(domain: Domain) -> None:
    with time_machine.travel(NOON, tick=False):
        leg(domain, "one", NOON - 9 * MINUTE, caller_e164="+4930901820")
        figures = msgspec.to_builtins(card_figures.figures(domain, grid(card("callbacks")), NOON)["c1"])

    oldest = int((NOON - 9 * MINUTE).timestamp() * 1000)
    assert (figures["open"], figures["taken"], figures["oldest_at"]) == (1, 0, oldest)
    assert "901820" not in str(figures)


def test_callers_of_some_queues_are_counted_where_calls_show_their_queue(domain: Domain) -> None:
    def told(queues: list[str]) -> tuple[int | None, str]:
        figure = msgspec.to_builtins(card_figures.figures(domain, grid(card("callbacks", queues=queues)), NOON)["c1"])
        return figure["open"], figure["why"]

    with time_machine.travel(NOON, tick=False):
        leg(domain, "one", NOON - 9 * MINUTE, caller_e164="+4930901820")
        unseen = told(["501"])
        leg(domain, "two", NOON - 8 * MINUTE, caller_e164="+4930901821", queue="501")
        callbacks.invalidate_cache(domain.pk)

        assert (unseen, told(["501"]), told(["502"])) == ((None, "queues_unseen"), (1, ""), (0, ""))
        assert msgspec.to_builtins(card_figures.figures(domain, grid(card("callbacks")), NOON)["c1"])["open"] == 2


def test_what_needs_no_counting_has_no_document(domain: Domain) -> None:
    cards = grid(card(), card("clock", id="c2", y=2), card("people", id="c3", y=4))

    assert card_figures.figures(domain, cards, NOON) == {}


def test_the_feed_of_a_grid_holds_its_cards_figures_and_newer_ones_after_an_edit(domain: Domain, board: Board) -> None:
    now = card(figure="most_waiting", window="30")
    with time_machine.travel(NOON, tick=False):
        first = editing.update(board, editing.BoardInput("Floor", layout=grid(now)))
        before = snapshots.documents(domain.pk, f"board:{board.pk}")
        editing.update(first, editing.BoardInput("Floor", layout=grid({**now, "window": "60"})))
        after = snapshots.documents(domain.pk, f"board:{board.pk}")
    with time_machine.travel(NOON + MINUTE, tick=False):
        later = snapshots.documents(domain.pk, f"board:{board.pk}")

    assert set(after) == {"board", "figure:c1"}
    assert before["figure:c1"][1].of == "most_waiting 30 *"
    assert after["figure:c1"][1].of == "most_waiting 60 *"
    assert before["figure:c1"][0] < after["figure:c1"][0] < later["figure:c1"][0] < 2**53


def test_what_is_counted_once_a_minute_does_not_change_with_the_process_that_counts(
    domain: Domain, board: Board, redis_url: str
) -> None:
    feed, name = feeds.board(domain.pk, board.pk), f"board:{board.pk}"
    with time_machine.travel(NOON, tick=False):
        cards = grid(card("totals"), card("callbacks", id="c2", y=4))
        editing.update(board, editing.BoardInput("Floor", layout=cards))
        publish.mend(feed, lambda: snapshots.documents(domain.pk, name))
        sample("501", 1, late_seconds=46.0)
        leg(domain, "one", NOON - 9 * MINUTE, caller_e164="+4930901820")
        cache.clear()

        second = snapshots.documents(domain.pk, name)

        assert (second["figure:c1"][1].late_seconds, second["figure:c2"][1].open) == (46, 1)
        assert publish.mend(feed, lambda: second) == 1  # the callbacks, which are counted anew each time
    with time_machine.travel(NOON + MINUTE, tick=False):
        assert publish.mend(feed, lambda: snapshots.documents(domain.pk, name)) == 2


def test_other_companies_are_never_counted(domain: Domain) -> None:
    other = Domain.objects.create(slug="other", name="Other", base_url="http://other.test", client_id="x")
    sample("501", 1, late_seconds=60.0)
    leg(domain, "one", NOON - MINUTE)

    assert value(other, "late_minutes") == WindowFigure(is_known=False)
    assert value(other, "unanswered") == WindowFigure(0)
