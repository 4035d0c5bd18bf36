"""What a board shows, as checked values; the JSON is only its form in the database and on the wire."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from wallboard.boards import images
from wallboard.boards.cards import COLUMNS as COLUMNS
from wallboard.boards.cards import FIGURES as FIGURES
from wallboard.boards.cards import KINDS as KINDS
from wallboard.boards.cards import LEAST_ROWS, LONGEST_NUMBER, MOST_NUMBERS, MOST_ROWS, Card, is_number, read_card
from wallboard.boards.cards import BadLayout as BadLayout
from wallboard.boards.cards import Kind as Kind
from wallboard.boards.models import Board

TOTALS, QUEUES, PEOPLE, CALLS = "totals", "queues", "people", "calls"
SECTIONS = {
    TOTALS: gettext_lazy("Totals"),
    QUEUES: gettext_lazy("Queues"),
    PEOPLE: gettext_lazy("People"),
    CALLS: gettext_lazy("Live calls"),
}
UNREADABLE = gettext_lazy("The layout of this board cannot be read: it shows everything until it is published anew.")
MOST_CARDS = 60
USUAL_ROWS = 12


@dataclass(frozen=True)
class Layout:
    """What a board shows, in one of two forms.

    Automatic: which sections, and which queues in which order (None: all of them, in the company's order). Grid, where
    `cards` is not None: cards that do not overlap, on COLUMNS columns and so many rows, which fill the screen together.
    """

    sections: tuple[str, ...] = tuple(SECTIONS)
    queues: tuple[str, ...] | None = None
    cards: tuple[Card, ...] | None = None
    rows: int = USUAL_ROWS

    @property
    def covered(self) -> tuple[str, ...] | None:
        """The numbers of the queues that stand anywhere on it; None: all of them."""
        if self.cards is None:
            return self.queues
        chosen = [card.queues for card in self.cards if card.is_about_queues]
        numbers = (number for queues in chosen for number in queues or ())
        return None if None in chosen else tuple(dict.fromkeys(numbers))

    def as_json(self) -> dict[str, Any]:
        """The form that `read` takes."""
        if self.cards is not None:
            return {"rows": self.rows, "cards": [card.as_json() for card in self.cards]}
        return {"sections": list(self.sections), "queues": None if self.queues is None else list(self.queues)}


def read(raw: object) -> Layout:
    """Read a stored layout; nothing at all means the automatic one. Raises BadLayout."""
    if raw in (None, [], {}):
        return Layout()
    if not isinstance(raw, dict):
        raise BadLayout("a layout is an object")
    if "cards" in raw:
        return read_grid(raw)
    sections = texts(raw.get("sections", list(SECTIONS)), "sections")
    unknown = set(sections) - set(SECTIONS)
    if unknown:
        raise BadLayout(f"no such section: {', '.join(sorted(unknown))}")
    queues = raw.get("queues")
    ordered = tuple(name for name in SECTIONS if name in sections)
    return Layout(ordered, None if queues is None else texts(queues, "queues"))


def of(board: Board) -> Layout:
    """What the board shows. One that cannot be read, which an older version or a restored backup may leave behind, is
    automatic until somebody publishes another: a board with everything is better than none.
    """
    try:
        return read(board.layout)
    except BadLayout:
        return Layout()


def is_readable(board: Board) -> bool:
    """Whether the board shows what was chosen for it."""
    try:
        read(board.layout)
    except BadLayout:
        return False
    return True


def read_grid(raw: dict[str, Any]) -> Layout:
    """Read the grid form. Raises BadLayout with a sentence that names the card and says what to do."""
    rows, cards = raw.get("rows", USUAL_ROWS), raw["cards"]
    if not isinstance(rows, int) or isinstance(rows, bool) or not LEAST_ROWS <= rows <= MOST_ROWS:
        raise BadLayout(_("A board has %(least)d to %(most)d rows.") % {"least": LEAST_ROWS, "most": MOST_ROWS})
    if not isinstance(cards, list) or len(cards) > MOST_CARDS:
        raise BadLayout(_("A board has at most %(most)d cards.") % {"most": MOST_CARDS})
    read_cards = tuple(read_card(card, rows) for card in cards)
    if len({card.id for card in read_cards}) < len(read_cards):
        raise BadLayout(_("Two cards have the same id. Remove one of them."))
    for one, other in combinations(read_cards, 2):
        if one.touches(other):
            names = {"one": _named(one), "other": _named(other)}
            raise BadLayout(_("Card “%(one)s” lies on card “%(other)s”. Move one of them.") % names)
    return Layout(cards=read_cards, rows=rows)


def _named(card: Card) -> str:
    return card.title or f"{KINDS[card.kind].name} ({card.id})"


def texts(raw: object, what: str) -> tuple[str, ...]:
    """A list of different texts that can be kept, in its order. Raises BadLayout."""
    if not isinstance(raw, list) or len(raw) > MOST_NUMBERS:
        raise BadLayout(f"{what} must be a list of at most {MOST_NUMBERS}")
    if not all(map(is_number, raw)):
        raise BadLayout(f"{what} must hold texts of 1 to {LONGEST_NUMBER} letters")
    return tuple(dict.fromkeys(raw))


def board_document(board: Board) -> tuple[int, dict[str, Any]]:
    """The `board` document of the feed `board:<id>`, with its version."""
    layout = of(board).as_json()
    return board.version, {
        "id": board.pk,
        "name": board.name,
        "theme": board.theme,
        "notice": board.notice if is_readable(board) else str(UNREADABLE),
        "zone": board.time_zone,
        "layout": layout,
        "images": images.paths(board.domain_id, layout),
        "version": board.version,
    }
