"""What a board shows, as checked values; the JSON is only its form in the database and on the wire."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from wallboard.boards.models import Board

TOTALS, QUEUES, PEOPLE, CALLS = "totals", "queues", "people", "calls"
SECTIONS = {
    TOTALS: _("Totals"),
    QUEUES: _("Queues"),
    PEOPLE: _("People"),
    CALLS: _("Live calls"),
}
MOST_QUEUES = 400


class BadLayout(ValueError):
    """The layout cannot be read; the text says why."""


@dataclass(frozen=True)
class Layout:
    """Which sections a board shows, and which queues in which order (None: all of them, in the company's order)."""

    sections: tuple[str, ...] = tuple(SECTIONS)
    queues: tuple[str, ...] | None = None

    def as_json(self) -> dict[str, Any]:
        """The form that `read` takes."""
        return {"sections": list(self.sections), "queues": None if self.queues is None else list(self.queues)}


def read(raw: object) -> Layout:
    """Read a stored layout; nothing at all means the automatic one. Raises BadLayout."""
    if raw in (None, [], {}):
        return Layout()
    if not isinstance(raw, dict):
        raise BadLayout("a layout is an object")
    sections = texts(raw.get("sections", list(SECTIONS)), "sections")
    unknown = set(sections) - set(SECTIONS)
    if unknown:
        raise BadLayout(f"no such section: {', '.join(sorted(unknown))}")
    queues = raw.get("queues")
    ordered = tuple(name for name in SECTIONS if name in sections)
    return Layout(ordered, None if queues is None else texts(queues, "queues"))


def texts(raw: object, what: str) -> tuple[str, ...]:
    """A list of different, non-empty texts, in its order. Raises BadLayout."""
    if not isinstance(raw, list) or len(raw) > MOST_QUEUES:
        raise BadLayout(f"{what} must be a list of at most {MOST_QUEUES}")
    if not all(isinstance(item, str) and item for item in raw):
        raise BadLayout(f"{what} must hold texts")
    return tuple(dict.fromkeys(raw))


def board_document(board: Board) -> tuple[int, dict[str, Any]]:
    """The `board` document of the feed `board:<id>`, with its version."""
    return board.version, {
        "id": board.pk,
        "name": board.name,
        "theme": board.theme,
        "notice": board.notice,
        "layout": read(board.layout).as_json(),
        "version": board.version,
    }
