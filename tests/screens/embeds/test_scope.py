"""What a link tells: its card and what that is about, and no more."""

from typing import Any

import pytest

from tests.screens.embeds.conftest import CARDS
from wallboard.boards import layout
from wallboard.screens.embeds import scope
from wallboard.screens.embeds.scope import CallCover

GRID = layout.parse({"rows": 12, "cards": CARDS})
DOCUMENT: dict[str, Any] = {
    "id": 1, "name": "Wall", "theme": "dark", "notice": "Secret plans", "zone": "", "layout": GRID.as_json(),
    "images": {"7": "7/x/"}, "version": 3,
}  # fmt: skip


@pytest.mark.parametrize(
    ("card", "queues", "people", "calls"),
    [
        ("one", {"501"}, set(), ()),
        ("two", {"502"}, set(), ()),
        ("crew", set(), {"101"}, (CallCover(None, frozenset({"101"})),)),
        ("live", {"501"}, set(), (CallCover(frozenset({"501"}), None),)),
    ],
)
def test_a_card_is_about_its_queues_and_people(
    card: str, queues: set[str], people: set[str], calls: tuple[CallCover, ...]
) -> None:
    found = scope.of(GRID, card)

    assert found is not None
    assert (found.queues, found.people, found.calls) == (frozenset(queues), frozenset(people), calls)


def test_a_whole_board_is_about_all_that_its_cards_are() -> None:
    found = scope.of(GRID)

    assert found is not None
    assert (found.queues, found.people, len(found.calls)) == (frozenset({"501", "502"}), frozenset({"101"}), 2)


def test_a_board_that_arranges_itself_tells_what_its_sections_show() -> None:
    some = scope.of(layout.parse({"sections": ["queues"], "queues": ["501"]}))
    every = scope.of(layout.Layout())

    assert some is not None
    assert every is not None
    assert (some.queues, some.people, some.calls) == (frozenset({"501"}), frozenset(), ())
    assert (every.queues, every.people, every.calls) == (None, None, (CallCover(),))


def test_a_card_that_is_gone_has_no_scope() -> None:
    assert scope.of(GRID, "gone") is None
    assert scope.of(layout.Layout(), "one") is None


def test_one_card_fills_the_frame_and_brings_nothing_of_its_board() -> None:
    found = scope.of(GRID, "one", "light")
    assert found is not None
    shown = scope.narrowed(DOCUMENT, found)

    assert shown is not None
    (card,) = shown["layout"]["cards"]
    assert (card["id"], card["x"], card["y"], card["w"], card["h"]) == ("one", 0, 0, 12, shown["layout"]["rows"])
    assert (shown["name"], shown["notice"], shown["images"], shown["theme"]) == ("", "", {}, "light")
    assert layout.parse(shown["layout"]).cards
    assert shown["layout"]["zoom"] == 3
    assert scope.narrowed({**DOCUMENT, "layout": {"rows": 6, "cards": []}}, found) is None


def test_calls_are_those_that_the_card_draws() -> None:
    leg: dict[str, Any] = {"queue": "501", "via": [], "from": {"extension": ""}, "to": {"extension": "101"}}

    shown = [CallCover(), CallCover(frozenset({"501"})), CallCover(None, frozenset({"101"}))]
    hidden = [CallCover(frozenset({"502"})), CallCover(frozenset({"501"}), frozenset({"102"}))]
    assert [each.shows(leg) for each in (*shown, *hidden)] == [True] * 3 + [False] * 2
    assert CallCover(frozenset({"502"})).shows({**leg, "via": ["502"]})
