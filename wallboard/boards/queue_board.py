"""Where somebody who follows a link to a queue sees it: on the board that draws the fewest other queues beside it."""

from accounts.access import Viewer
from wallboard.boards import permissions
from wallboard.boards.default_board import SLUG
from wallboard.boards.layout import QUEUES, Layout, layout_of
from wallboard.boards.models import Board

DRAWN_IN = ("tiles", "queue", "table")  # kinds of cards that name the queues they show
ALL = 10_000  # more queues than any board names


def board_of(viewer: Viewer, number: str) -> Board | None:
    """The board for this viewer; the first board of the company before another that shows as many."""
    counted = [(_beside(layout_of(board), number), board) for board in permissions.visible_boards(viewer)]
    found = [(count, board.slug != SLUG, board.name, board) for count, board in counted if count is not None]
    return min(found, key=lambda each: each[:3])[3] if found else None


def _beside(layout: Layout, number: str) -> int | None:
    """How many queues the board draws, this one among them; None where it does not draw it."""
    if layout.cards is None:
        chosen = [layout.queues] if QUEUES in layout.sections else []
    else:
        chosen = [card.queues for card in layout.cards if card.kind in DRAWN_IN]
    if not any(queues is None or number in queues for queues in chosen):
        return None
    return ALL if None in chosen else len({each for queues in chosen for each in queues or ()})
