"""What a new board can begin as: each makes a layout from the company's queues, to be changed freely."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from wallboard.boards.cards.card import Card
from wallboard.boards.layout import Layout

AUTOMATIC = "automatic"
Numbers = Sequence[str]
FEW_QUEUES = 6


@dataclass(frozen=True)
class Starter:
    """Its name, what it is good for, and how it is laid out for these queue numbers (in the company's order)."""

    name: str | Promise
    text: str | Promise
    layout: Callable[[Numbers], Layout]


def grid(*places: tuple[str, int, int, int, int, dict[str, Any]], rows: int = 12) -> Layout:
    """Cards by kind, column, row, width, height and whatever else they are given."""
    cards = [
        Card(f"c{number}", kind, x, y, w, h, **more) for number, (kind, x, y, w, h, more) in enumerate(places, start=1)
    ]
    return Layout(cards=tuple(cards), rows=rows)


def figure(name: str, window: str = "now") -> dict[str, Any]:
    return {"options": {"figure": name, "window": window}}


def floor(numbers: Numbers) -> Layout:
    """Everything a supervisor of many queues looks for."""
    return grid(
        ("totals", 0, 0, 12, 2, {}),
        ("tiles", 0, 2, 8, 7, {}),
        ("people", 8, 2, 4, 5, {}),
        ("calls", 8, 7, 4, 5, {}),
        ("ribbon", 0, 9, 8, 3, {}),
    )


def team(numbers: Numbers) -> Layout:
    """One team's few queues beside its people."""
    # None, all queues, while the company has none: those that come are shown then.
    own = {"queues": tuple(numbers[:FEW_QUEUES]) or None}
    return grid(
        ("tiles", 0, 0, 7, 6, own),
        ("people", 7, 0, 5, 6, {}),
        ("figure", 0, 6, 4, 3, {**figure("late_minutes", "today"), **own}),
        ("callbacks", 4, 6, 3, 3, {}),
        ("calls", 7, 6, 5, 6, {}),
        ("trend", 0, 9, 7, 3, {"options": {"window": "60"}, **own}),
    )


def one_queue(numbers: Numbers) -> Layout:
    """A single queue that can be read from the far end of the room; the first one until another is chosen."""
    if not numbers:
        return floor(numbers)
    own = {"queues": (numbers[0],)}
    return grid(
        ("queue", 0, 0, 8, 8, own),
        ("people", 8, 0, 4, 8, {}),
        ("trend", 0, 8, 5, 4, {"options": {"window": "60"}, **own}),
        ("figure", 5, 8, 3, 4, {**figure("most_waiting", "today"), **own}),
        ("callbacks", 8, 8, 4, 2, {}),
        ("clock", 8, 10, 4, 2, {"options": {"zone": ""}}),
    )


def people_first(numbers: Numbers) -> Layout:
    """Whose phone is idle and who talks; the queues in short."""
    return grid(
        ("people", 0, 0, 8, 9, {}),
        ("table", 8, 0, 4, 6, {}),
        ("calls", 8, 6, 4, 6, {}),
        ("figure", 0, 9, 3, 3, figure("waiting")),
        ("figure", 3, 9, 3, 3, figure("longest")),
        ("clock", 6, 9, 2, 3, {"options": {"zone": ""}}),
    )


def empty(numbers: Numbers) -> Layout:
    """A bare grid."""
    return grid()


STARTERS = {
    AUTOMATIC: Starter(
        _("Automatic"), _("All queues, people and calls; arranges itself for every screen."), lambda _numbers: Layout()
    ),
    "floor": Starter(_("Whole floor"), _("Totals, every queue, people and live calls, by cards you can move."), floor),
    "team": Starter(_("One team"), _("A few queues large, beside the team's people and calls."), team),
    "queue": Starter(_("One queue, big"), _("One queue to be read from afar, with its last hour."), one_queue),
    "people": Starter(
        _("People first"), _("Who talks and whose phone is idle; the queues as a short table."), people_first
    ),
    "empty": Starter(_("Empty"), _("A bare grid to fill yourself."), empty),
}
