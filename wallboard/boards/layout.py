"""What a board shows, as checked values: parsed from the JSON of the database and of the editor, and written as it."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from wallboard.boards import images
from wallboard.boards.cards.card import Card
from wallboard.boards.cards.kinds import KINDS, MAX_ROWS, MIN_ROWS
from wallboard.boards.cards.parsing import MAX_NUMBER_LETTERS, MAX_NUMBERS, is_valid_number, parse_card
from wallboard.boards.cards.parsing import BadLayout as BadLayout
from wallboard.boards.models import Board

TOTALS, QUEUES, PEOPLE, CALLS = "totals", "queues", "people", "calls"
SECTIONS = {
    TOTALS: gettext_lazy("Totals"),
    QUEUES: gettext_lazy("Queues"),
    PEOPLE: gettext_lazy("People"),
    CALLS: gettext_lazy("Live calls"),
}
UNREADABLE = gettext_lazy("The layout of this board cannot be read: it shows everything until it is published anew.")
MAX_CARDS = 60
DEFAULT_ROWS = 12


@dataclass(frozen=True)
class Layout:
    """What a board shows, in one of two forms.

    Automatic: which sections, and which queues in which order (None: all of them, in the company's order). Grid, where
    `cards` is not None: cards that do not overlap, on COLUMNS columns and so many rows, which fill the screen together.
    """

    sections: tuple[str, ...] = tuple(SECTIONS)
    queues: tuple[str, ...] | None = None
    cards: tuple[Card, ...] | None = None
    rows: int = DEFAULT_ROWS

    def as_json(self) -> dict[str, Any]:
        """The form that `parse` takes."""
        if self.cards is not None:
            return {"rows": self.rows, "cards": [card.as_json() for card in self.cards]}
        return {"sections": list(self.sections), "queues": None if self.queues is None else list(self.queues)}


def parse(raw: object) -> Layout:
    """Parse a stored or posted layout; nothing at all means the automatic one. Raises BadLayout."""
    if raw in (None, [], {}):
        return Layout()
    if not isinstance(raw, dict):
        raise BadLayout("a layout is an object")
    if "cards" in raw:
        return parse_grid(raw)
    sections = parse_texts(raw.get("sections", list(SECTIONS)), "sections")
    unknown = set(sections) - set(SECTIONS)
    if unknown:
        raise BadLayout(f"no such section: {', '.join(sorted(unknown))}")
    queues = raw.get("queues")
    ordered = tuple(name for name in SECTIONS if name in sections)
    return Layout(ordered, None if queues is None else parse_texts(queues, "queues"))


def layout_of(board: Board) -> Layout:
    """What the board shows.

    A layout that cannot be read, which an older version or a restored backup may leave behind, counts as automatic
    until somebody publishes another: a board with everything is better than none.
    """
    try:
        return parse(board.layout)
    except BadLayout:
        return Layout()


def is_readable(board: Board) -> bool:
    """Whether the board shows what was chosen for it."""
    try:
        parse(board.layout)
    except BadLayout:
        return False
    return True


def parse_grid(raw: dict[str, Any]) -> Layout:
    """Parse the grid form. Raises BadLayout with a sentence that names the card and says what to do."""
    rows, cards = raw.get("rows", DEFAULT_ROWS), raw["cards"]
    if not isinstance(rows, int) or isinstance(rows, bool) or not MIN_ROWS <= rows <= MAX_ROWS:
        raise BadLayout(_("A board has %(least)d to %(most)d rows.") % {"least": MIN_ROWS, "most": MAX_ROWS})
    if not isinstance(cards, list) or len(cards) > MAX_CARDS:
        raise BadLayout(_("A board has at most %(most)d cards.") % {"most": MAX_CARDS})
    parsed = tuple(parse_card(card, rows) for card in cards)
    if len({card.id for card in parsed}) < len(parsed):
        raise BadLayout(_("Two cards have the same id. Remove one of them."))
    for one, other in combinations(parsed, 2):
        if one.touches(other):
            names = {"one": _card_name(one), "other": _card_name(other)}
            raise BadLayout(_("Card “%(one)s” lies on card “%(other)s”. Move one of them.") % names)
    return Layout(cards=parsed, rows=rows)


def _card_name(card: Card) -> str:
    return card.title or f"{KINDS[card.kind].name} ({card.id})"


def parse_texts(raw: object, what: str) -> tuple[str, ...]:
    """A list of different texts that the database can store, in its order. Raises BadLayout."""
    if not isinstance(raw, list) or len(raw) > MAX_NUMBERS:
        raise BadLayout(f"{what} must be a list of at most {MAX_NUMBERS}")
    if not all(map(is_valid_number, raw)):
        raise BadLayout(f"{what} must hold texts of 1 to {MAX_NUMBER_LETTERS} letters")
    return tuple(dict.fromkeys(raw))


class BoardDocument(msgspec.Struct, frozen=True, kw_only=True):
    """What a board is: `board` of the feed `board:<id>`. `layout` is in the form that `parse` takes.

    `zone` is the board's own time zone, "" for the company's; `images` are the paths of its pictures by their id.
    """

    id: int
    name: str
    theme: str
    notice: str
    zone: str
    layout: dict[str, Any]
    images: dict[str, str]
    version: int


def board_document(board: Board) -> tuple[int, BoardDocument]:
    """The `board` document of the feed `board:<id>`, with its version."""
    layout = layout_of(board).as_json()
    return board.version, BoardDocument(
        id=board.pk,
        name=board.name,
        theme=board.theme,
        notice=board.notice if is_readable(board) else str(UNREADABLE),
        zone=board.time_zone,
        layout=layout,
        images=images.paths(board.domain_id, layout),
        version=board.version,
    )
