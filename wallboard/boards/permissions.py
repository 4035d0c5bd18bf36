"""Which boards somebody may open: those of the company that name no queue and no person outside the viewer's limit."""

from django.utils.translation import gettext as _

from accounts.access import Viewer
from accounts.limits import Limit
from wallboard.boards import layout as layouts
from wallboard.boards.layout import BadLayout, Layout
from wallboard.boards.models import Board, Draft


def visible_boards(viewer: Viewer) -> list[Board]:
    """The boards for this viewer, by name."""
    every = Board.objects.filter(domain_id=viewer.domain_id).select_related("domain")
    # In Python: SQL cannot look into layouts alike on both databases, and a company has few boards.
    return [each for each in every if may_open(viewer, each)]


def visible_board(viewer: Viewer, slug: str) -> Board | None:
    """The board of that slug, where there is one for this viewer."""
    found = Board.objects.filter(domain_id=viewer.domain_id, slug=slug).select_related("domain").first()
    return found if found is not None and may_open(viewer, found) else None


def may_open(viewer: Viewer, board: Board) -> bool:
    """Whether all that the board names may be seen; a board of all queues shows each viewer their own."""
    return is_within(viewer.limit, board.layout)


def may_edit(viewer: Viewer, board: Board) -> bool:
    """Whether the same holds for the board's draft, if it has one."""
    if not viewer.limit.is_set:
        return True
    draft = Draft.objects.filter(board=board).first()
    return draft is None or draft.content is None or is_within(viewer.limit, draft.content.get("layout"))


def readable_names(viewer: Viewer, names: list[str]) -> list[str]:
    """These names of boards for this viewer: those of boards beyond the limit become one that names none."""
    if not viewer.limit.is_set:
        return names
    visible = {board.name for board in visible_boards(viewer) if may_edit(viewer, board)}
    readable = [name for name in names if name in visible]
    return readable if len(readable) == len(names) else [*readable, _("a board that you may not see")]


def check_within_limit(viewer: Viewer, layout: Layout) -> None:
    """Raises BadLayout where a layout names what the viewer may not see."""
    if viewer.limit.is_set and not is_within(viewer.limit, layout.as_json()):
        raise BadLayout(_("This names a queue or a person that you may not see. Choose others."))


def is_within(limit: Limit, raw: object) -> bool:
    """Whether a layout (as JSON) names nothing outside the limit; one that cannot be read may name anything."""
    if not limit.is_set:
        return True
    try:
        queues, people = named_numbers(layouts.parse(raw))
    except BadLayout:
        return False
    return all(map(limit.shows_queue, queues)) and all(map(limit.shows_person, people))


def named_numbers(layout: Layout) -> tuple[set[str], set[str]]:
    """The numbers of queues and the extensions of people that a layout names."""
    cards = layout.cards or ()
    queues = {number for card in cards for number in card.queues or ()} | set(layout.queues or ())
    return queues, {extension for card in cards for extension in card.people or ()}
