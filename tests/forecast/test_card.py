"""The next hour on a card of a board: calls, longest wait and people, with their ranges or with the reason why not."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from accounts.models import Domain
from tests.boards.grid_layouts import card, grid
from tests.forecast.mondays import MONDAY, certain, forecast, mondays
from wallboard.boards import layout
from wallboard.boards.cards import figures as card_figures
from wallboard.boards.layout import BadLayout
from wallboard.forecast.card import CALLS, FIGURES, LONGEST, PEOPLE, Ahead, ahead
from wallboard.forecast.models import NextHour
from wallboard.forecast.outlook import Estimate, Outlook
from wallboard.queues.models import Queue

NOW = MONDAY + timedelta(hours=11, minutes=1)


def store(queue: Queue, **found: Any) -> None:
    """The newest forecast of the queue."""
    NextHour.objects.update_or_create(
        queue=queue, defaults={"begins_at": MONDAY + timedelta(hours=11), "made_at": NOW, "outlook": Outlook(**found)}
    )


@pytest.fixture
def queues(domain: Domain) -> list[Queue]:
    certain(domain)
    return [Queue.objects.create(domain=domain, number=str(501 + index), order=index) for index in range(3)]


def document(domain: Domain, figure: str, *numbers: str) -> dict[str, Any]:
    asked = grid(card("c1", "figure", 0, 0, 3, 3, figure=figure, window="ahead", queues=list(numbers) or None))
    found: dict[str, Any] = msgspec.to_builtins(card_figures.figures(domain, asked, NOW)["c1"])
    return found


def test_a_card_tells_what_the_worker_forecast_with_its_range(domain: Domain) -> None:
    mondays(domain)
    certain(domain)
    forecast(domain, NOW)
    stored = NextHour.objects.get(queue__number="501").outlook

    for figure, name in ((CALLS, "calls"), (LONGEST, "longest"), (PEOPLE, "people")):
        told = document(domain, figure, "501")
        assert (told["value"], *told["range"]) == tuple(round(each) for each in stored[name])
        assert told["is_known"]
        assert told["of"] == f"{figure} ahead 501"
        assert told["since"] == (MONDAY + timedelta(hours=11)).timestamp() * 1000


def test_calls_of_several_queues_are_added_up_and_of_waits_and_people_the_most_is_told(
    domain: Domain, queues: list[Queue]
) -> None:
    calls = Estimate(20, 15, 26)
    store(queues[0], calls=calls, longest=Estimate(60, 20, 130), people=Estimate(5, 4, 6))
    store(queues[1], calls=calls, longest=Estimate(90, 30, 100), people=Estimate(3, 3, 4))
    store(queues[2], why="short", days=1)

    found = {name: ahead(domain, name, None, NOW) for name in FIGURES}

    assert (found[CALLS].expected, found[CALLS].queue, found[CALLS].told) == (Estimate(40, 30, 52), None, (2, 3))
    assert (found[LONGEST].expected, found[LONGEST].queue) == (Estimate(90, 30, 100), "502")
    assert (found[PEOPLE].expected, found[PEOPLE].queue) == (Estimate(5, 4, 6), "501")


def test_queues_that_are_closed_do_not_count_and_alone_are_told_as_such(domain: Domain, queues: list[Queue]) -> None:
    store(queues[0], calls=Estimate(20, 15, 26))
    store(queues[1], why="closed")
    queues[2].delete()

    assert ahead(domain, CALLS, None, NOW).told == (1, 1)
    closed = document(domain, CALLS, "502")
    assert (closed["is_known"], closed["value"], closed["why"]) == (True, None, "ahead_closed")


@pytest.mark.parametrize(
    ("name", "found", "why"),
    [
        (CALLS, {"why": "short", "days": 2}, "ahead_short"),
        (LONGEST, {"calls": Estimate(5, 3, 8), "why_longest": "no times"}, "ahead_no_times"),
        (PEOPLE, {"calls": Estimate(5, 3, 8), "why_people": "no target"}, "ahead_no_target"),
        (PEOPLE, {"calls": Estimate(5, 3, 8), "why_people": "too many"}, "ahead_too_many"),
    ],
)
def test_what_cannot_be_said_has_its_reason(
    domain: Domain, queues: list[Queue], name: str, found: dict[str, Any], why: str
) -> None:
    store(queues[0], **found)

    told = document(domain, name, "501")

    assert (told["is_known"], told["value"], told["range"], told["why"]) == (False, None, None, why)


def test_nothing_old_and_nothing_unproven_is_told(domain: Domain, queues: list[Queue]) -> None:
    store(queues[0], calls=Estimate(20, 15, 26), longest=Estimate(60, 20, 130))

    late = ahead(domain, CALLS, ("501",), NOW + timedelta(minutes=31))
    never = ahead(domain, CALLS, ("502",), NOW)
    certain(domain, caller_ids="separate")

    assert (late.expected, late.why) == (None, "ahead_none")
    assert (never.expected, never.why) == (None, "ahead_none")
    assert ahead(domain, CALLS, ("501",), NOW).expected == Estimate(20, 15, 26)
    assert ahead(domain, LONGEST, ("501",), NOW).why == "caller_ids:other"


def test_no_forecast_is_told_while_nothing_is_proven(domain: Domain) -> None:
    queue = Queue.objects.create(domain=domain, number="501")
    store(queue, calls=Estimate(20, 15, 26))

    assert ahead(domain, CALLS, None, NOW) == Ahead(MONDAY + timedelta(hours=11), why="queue_legs")


def test_the_figures_of_the_next_hour_are_of_no_other_time() -> None:
    for figure, window in ((CALLS, "now"), (CALLS, "60"), ("waiting", "ahead"), ("talking", "ahead")):
        with pytest.raises(BadLayout, match="Choose"):
            layout.parse({"rows": 12, "cards": [card("c1", "figure", 0, 0, 3, 3, figure=figure, window=window)]})
