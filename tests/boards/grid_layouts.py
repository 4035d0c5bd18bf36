"""Grid layouts and their counted figures, for pages that are tested without a provider."""

from typing import Any

from tests.boards import fake_feeds
from wallboard.boards import layout
from wallboard.boards.cards import figures as card_figures
from wallboard.boards.layout import Layout

Raw = dict[str, Any]


def card(id: str, kind: str, x: int, y: int, w: int, h: int, **more: Any) -> Raw:
    return {"id": id, "kind": kind, "x": x, "y": y, "w": w, "h": h, **more}


def grid(*cards: Raw, rows: int = 12) -> Layout:
    return layout.parse({"rows": rows, "cards": list(cards)})


EVERYTHING = grid(
    card("f1", "figure", 0, 0, 3, 3, figure="waiting"),
    card("f2", "figure", 3, 0, 3, 3, figure="longest", levels={"watch": 60, "late": 120, "below": False}),
    card("f3", "figure", 6, 0, 3, 3, figure="available"),
    card("f4", "figure", 9, 0, 3, 3, figure="answered", window="today"),
    card("table", "table", 0, 3, 6, 6, title="Floor"),
    card("trend", "trend", 6, 3, 3, 3),
    card("clock", "clock", 9, 3, 3, 2, zone="America/New_York"),
    card("back", "callbacks", 9, 5, 3, 1),
    card("ribbon", "ribbon", 6, 6, 6, 3),
    card("people", "people", 0, 9, 5, 3),
    card("calls", "calls", 5, 9, 4, 3),
    card("notice", "notice", 9, 9, 3, 1),
    card("text", "text", 9, 10, 3, 2, text="Lunch is at 12.\nUse line 3 for parcels.", title="Remember"),
)
FLOOR = grid(card("t", "totals", 0, 0, 12, 2), card("q", "tiles", 0, 2, 7, 10), card("p", "people", 7, 2, 5, 10))
ONE_BIG = grid(
    card("q", "queue", 0, 0, 8, 12, queues=["501"]),
    card("p", "people", 8, 0, 4, 8),
    card("n", "figure", 8, 8, 4, 4, figure="nobody_minutes", window="60", queues=["501"]),
)
LONG_TABLE = grid(card("q", "table", 0, 0, 7, 12), card("p", "people", 7, 0, 5, 12))
VALUES: dict[str, Raw] = {
    "figure": {"value": 141, "is_known": True, "queue": None, "why": ""},
    "totals": {"late_seconds": 1400, "ended": 148, "unanswered": 7},
    "callbacks": {"open": 7, "taken": 2},
    "ribbon": {
        "late": [None] * 10 + [0] * 30 + [5, 15, 15, 9, 0, 0, 3] + [0] * 49,
        "nobody": [None] * 10 + [0] * 40 + [2, 1, 4] + [0] * 43,
    },
}


def figures(shown: Layout, **more: Any) -> fake_feeds.Docs:
    """The counted documents of these cards, as the server would publish them a moment ago."""
    at = fake_feeds.now_ms()
    return {
        f"figure:{each.id}": {
            "of": card_figures.figure_spec(each),
            "at": at,
            "since": at - 86_400_000,
            "oldest_at": at - 4_000_000,
            **VALUES[each.kind],
            **more,
        }
        for each in shown.cards or ()
        if card_figures.figure_spec(each)
    }
