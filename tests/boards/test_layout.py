"""Layouts are read, checked and kept in one form."""

from typing import Any

import pytest

from wallboard.boards import layout
from wallboard.boards.cards import kinds, parsing
from wallboard.boards.layout import BadLayout, Layout


@pytest.mark.parametrize("nothing", [None, {}, []])
def test_nothing_means_all_sections_and_all_queues(nothing: object) -> None:
    assert layout.parse(nothing) == Layout(("totals", "queues", "people", "calls"), None)


def test_what_is_read_is_what_was_kept() -> None:
    chosen = Layout(("queues", "calls"), ("502", "501"))

    assert layout.parse(chosen.as_json()) == chosen


def test_sections_stand_in_one_order_and_once() -> None:
    assert layout.parse({"sections": ["calls", "totals", "calls"]}).sections == ("totals", "calls")


def test_queues_keep_their_order() -> None:
    assert layout.parse({"queues": ["9", "1", "9"]}).queues == ("9", "1")


@pytest.mark.parametrize(
    "bad",
    [
        "text",
        {"sections": "queues"},
        {"sections": ["cellar"]},
        {"queues": [501]},
        {"queues": [""]},
        {"queues": ["1"] * 1001},
        {"queues": ["a\0"]},
        {"queues": ["a\ud800"]},
        {"queues": ["1" * 65]},
        {"sections": ["\0"]},
    ],
)
def test_nonsense_is_refused(bad: object) -> None:
    with pytest.raises(BadLayout):
        layout.parse(bad)


def card(**more: Any) -> dict[str, Any]:
    return {"id": "c1", "kind": "figure", "x": 0, "y": 0, "w": 3, "h": 2, **more}


def grid(*cards: Any, rows: int = 12) -> dict[str, Any]:
    return {"rows": rows, "cards": list(cards)}


def usual(kind: str) -> dict[str, Any]:
    """A card of that kind with what it cannot do without."""
    size = {"w": kinds.KINDS[kind].usual_width, "h": kinds.KINDS[kind].usual_height}
    return card(kind=kind, queues=["501"] if kind == "queue" else None, **size)


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_every_kind_is_kept_as_it_was_read(kind: str) -> None:
    kept = layout.parse(grid(usual(kind))).as_json()

    assert layout.parse(kept).as_json() == kept
    assert kept["cards"][0]["size"] == "normal"


def test_a_grid_keeps_what_its_cards_say() -> None:
    levels = {"watch": 3, "late": 1, "below": True}
    options = {"title": "Staff", "size": "large", "queues": ["501"], "people": None, "levels": levels}
    whole = card(**options, figure="available", window="60")

    assert layout.parse(grid(whole, rows=8)).as_json() == grid(whole, rows=8)


def test_a_grid_may_be_empty() -> None:
    assert layout.parse(grid()).cards == ()


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (grid(rows=3), "4 to 24 rows"),
        (grid(rows=25), "4 to 24 rows"),
        (grid(*[card(id=f"c{n}") for n in range(61)]), "at most 60 cards"),
        (grid(card(), card(x=6)), "same id"),
        (grid(card(title="Waits"), card(id="c2", x=2, y=1)), "“Waits” lies on card “Single figure (c2)”. Move one"),
        (grid(card(x=10)), "“Single figure (c1)”: it reaches beyond the board"),
        (grid(card(y=11)), "reaches beyond"),
        (grid(card(w=1)), "at least 2 wide and 1 high"),
        (grid(card(x=-1)), "whole number"),
        (grid(card(x=True)), "whole number"),
        (grid(card(id="")), "needs an id"),
        (grid(card(id="a b")), "needs an id"),
        (grid(card(kind="cellar")), "Card c1: there is no such kind"),
        (grid(card(kind=["figure"])), "no such kind"),
        (grid(card(title="x" * 61)), "at most 60 letters"),
        (grid(card(title="a\0b")), "letters"),
        (grid(card(size="huge")), "small, normal, large"),
        (grid(card(queues="501")), "choose at most"),
        (grid(card(queues=[501])), "by their numbers"),
        (grid(card(kind="queue", w=4, h=4)), "choose its queue"),
        (grid(card(kind="queue", w=4, h=4, queues=["1", "2"])), "exactly one"),
        (grid(card(levels=[1])), "levels cannot be read"),
        (grid(card(levels={"watch": -1})), "number from 0"),
        (grid(card(levels={"watch": 5, "late": 3})), "before watch"),
        (grid(card(levels={"watch": 3, "late": 5, "below": True})), "before watch"),
        (grid(card(figure="height")), "choose one of"),
        (grid(card(figure="answered", window="now")), "15, 30 or 60 minutes"),
        (grid(card(window="45")), "choose one of"),
        (grid(card(kind="notice", text="x" * 201)), "at most 200"),
        (grid(card(kind="text", text="x" * 501)), "at most 500"),
        (grid(card(kind="clock", zone="Mars/Base")), "no such time zone"),
        (grid(card(kind="clock", zone="../../etc/passwd")), "no such time zone"),
        (grid(card(kind="image", image="7")), "choose a picture"),
        (grid("card"), "object"),
        ({"rows": 12, "cards": {}}, "at most 60 cards"),
    ],
)
def test_a_bad_grid_is_refused_in_words(bad: Any, said: str) -> None:
    with pytest.raises(BadLayout) as refused:
        layout.parse(bad)

    assert said in str(refused.value)


def test_every_figure_has_a_window_and_every_option_a_reader() -> None:
    options = {option for kind in kinds.KINDS.values() for option in kind.options}

    assert options == {*parsing.OPTION_PARSERS, *parsing.SCOPES}
    assert all(set(figure.windows) <= {*kinds.WINDOWS, kinds.AHEAD} for figure in kinds.FIGURES.values())
