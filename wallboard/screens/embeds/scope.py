"""What an embed link shows: its board or one card of it, and so which queues, people and calls may be told by it."""

from dataclasses import dataclass
from typing import Any

from wallboard.boards import layout as layouts
from wallboard.boards.cards.card import Card
from wallboard.boards.cards.kinds import COLUMNS, FIGURES, KINDS, MIN_ROWS
from wallboard.boards.layout import CALLS, PEOPLE, QUEUES, TOTALS, BadLayout, Layout

Shown = frozenset[str] | None  # None: all of them
NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CallCover:
    """The calls that a card draws: those of its queues, with one of its people on them."""

    queues: Shown = None
    people: Shown = None

    def shows(self, leg: dict[str, Any]) -> bool:
        """Whether a document of the feeds `calls` and `wall` is drawn; as `callsOn` of views/card-scope.js."""
        ends = (leg["from"]["extension"], leg["to"]["extension"])
        is_of_queues = self.queues is None or any(each in self.queues for each in (leg["queue"], *leg["via"]))
        return is_of_queues and (self.people is None or any(each in self.people for each in ends))


@dataclass(frozen=True, slots=True)
class Scope:
    """All that a link tells. `card` is "" for the whole board, `theme` for the board's own."""

    queues: Shown
    people: Shown
    calls: tuple[CallCover, ...]
    card: str = ""
    theme: str = ""


def of(layout: Layout, card: str = "", theme: str = "") -> Scope | None:
    """The scope of a link to this layout; None where the card is not on it (any more)."""
    if card:
        found = [each for each in layout.cards or () if each.id == card]
        return _of_cards(found, card, theme) if found else None
    if layout.cards is not None:
        return _of_cards(layout.cards, card, theme)
    has_queues = TOTALS in layout.sections or QUEUES in layout.sections or CALLS in layout.sections
    queues = (None if layout.queues is None else frozenset(layout.queues)) if has_queues else NOTHING
    people = None if PEOPLE in layout.sections else NOTHING
    calls = (CallCover(),) if CALLS in layout.sections or PEOPLE in layout.sections else ()
    return Scope(queues, people, calls, card, theme)


def _of_cards(cards: list[Card] | tuple[Card, ...], card: str, theme: str) -> Scope:
    queues = _union([_shown(each.queues) for each in cards if "queues" in _covers(each)])
    people = _union([_shown(each.people) for each in cards if "people" in _covers(each) and not _is_of_calls(each)])
    calls = [CallCover(_shown(each.queues), _shown(each.people)) for each in cards if _is_of_calls(each)]
    calls += [CallCover(None, _shown(each.people)) for each in cards if each.kind == "people"]
    return Scope(queues, people, tuple(dict.fromkeys(calls)), card, theme)


def _covers(card: Card) -> tuple[str, ...]:
    """Of what a card is: queues, people, both or neither; a count of calls tells nothing of them."""
    if card.kind == "figure" and _is_of_calls(card):
        return ()
    return FIGURES[card.options["figure"]].covers if card.kind == "figure" else KINDS[card.kind].options


def _is_of_calls(card: Card) -> bool:
    return card.kind == "calls" or (card.kind == "figure" and card.options["figure"] == "calls")


def _shown(named: tuple[str, ...] | None) -> Shown:
    return None if named is None else frozenset(named)


def _union(each: list[Shown]) -> Shown:
    return None if None in each else NOTHING.union(*(one for one in each if one is not None))


def narrowed(document: dict[str, Any], scope: Scope) -> dict[str, Any] | None:
    """The document of a board as a link shows it, one card over the whole frame; None where the card is gone."""
    shown = {**document, "theme": scope.theme or document["theme"]}
    if not scope.card:
        return shown
    try:
        grid = layouts.parse(document["layout"])
    except BadLayout:
        return None
    found = next((each for each in grid.cards or () if each.id == scope.card), None)
    if found is None:
        return None
    whole = {**found.as_json(), "x": 0, "y": 0, "w": COLUMNS, "h": MIN_ROWS}
    images = {name: path for name, path in document["images"].items() if name == str(whole.get("image"))}
    notice = document["notice"] if whole["kind"] == "notice" else ""
    # Letters as large as they would be on a board that is so much larger than the frame (views/boxes.js).
    zoom = round(min(COLUMNS / found.w, grid.rows / found.h), 2)
    layout = {"rows": MIN_ROWS, "cards": [whole], "zoom": zoom}
    return {**shown, "name": "", "notice": notice, "layout": layout, "images": images}
