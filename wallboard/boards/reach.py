"""Which boards somebody may open: those of the company that name no queue and no person beyond the viewer's limit."""

from accounts.access import Viewer
from wallboard.boards import layout as layouts
from wallboard.boards.layout import BadLayout
from wallboard.boards.models import Board


def boards(viewer: Viewer) -> list[Board]:
    """The boards for this viewer, by name."""
    every = Board.objects.filter(domain_id=viewer.domain_id).select_related("domain")
    return [each for each in every if may_open(viewer, each)]


def board(viewer: Viewer, slug: str) -> Board | None:
    """The board of that slug, where there is one for this viewer."""
    found = Board.objects.filter(domain_id=viewer.domain_id, slug=slug).select_related("domain").first()
    return found if found is not None and may_open(viewer, found) else None


def may_open(viewer: Viewer, board: Board) -> bool:
    """Whether all that the board names may be seen; a board of all queues shows each viewer their own."""
    if not viewer.limit.is_set:
        return True
    try:
        queues, people = named(layouts.read(board.layout))
    except BadLayout:
        return False
    return all(map(viewer.limit.shows_queue, queues)) and all(map(viewer.limit.shows_person, people))


def named(layout: layouts.Layout) -> tuple[set[str], set[str]]:
    """The numbers of queues and the extensions of people that a layout names."""
    cards = layout.cards or ()
    queues = {number for card in cards for number in card.queues or ()} | set(layout.queues or ())
    return queues, {extension for card in cards for extension in card.people or ()}
