"""Which boards somebody may open: those of the company that name no queue and no person beyond the viewer's limit."""

from django.utils.translation import gettext as _

from accounts.access import Viewer
from wallboard.boards import layout as layouts
from wallboard.boards.layout import BadLayout, Layout
from wallboard.boards.models import Board, Draft


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
    return _is_within(viewer, board.layout)


def may_draw(viewer: Viewer, board: Board) -> bool:
    """Whether the same holds for the board's draft, if it has one."""
    if not viewer.limit.is_set:
        return True
    draft = Draft.objects.filter(board=board).first()
    return draft is None or draft.content is None or _is_within(viewer, draft.content.get("layout"))


def refuse_beyond(viewer: Viewer, layout: Layout) -> None:
    """Raises BadLayout where a layout names what the viewer may not see."""
    if viewer.limit.is_set and not _is_within(viewer, layout.as_json()):
        raise BadLayout(_("This names a queue or a person that you may not see. Choose others."))


def _is_within(viewer: Viewer, raw: object) -> bool:
    try:
        queues, people = named(layouts.read(raw))
    except BadLayout:
        return False
    return all(map(viewer.limit.shows_queue, queues)) and all(map(viewer.limit.shows_person, people))


def named(layout: Layout) -> tuple[set[str], set[str]]:
    """The numbers of queues and the extensions of people that a layout names."""
    cards = layout.cards or ()
    queues = {number for card in cards for number in card.queues or ()} | set(layout.queues or ())
    return queues, {extension for card in cards for extension in card.people or ()}
