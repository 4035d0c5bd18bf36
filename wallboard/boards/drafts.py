"""What is being made of a board before it is published: kept with every change, seen by editors, never by boards.

Every save names the version it builds on. Where that is not the newest, it is refused with what the newest holds, so
that the editor can merge both: nobody's work goes without a word.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import Person
from wallboard.boards import clocks, editing
from wallboard.boards import layout as layouts
from wallboard.boards.cards import NEVER_KEPT
from wallboard.boards.editing import Wish
from wallboard.boards.layout import BadLayout
from wallboard.boards.models import Board, Draft
from wallboard.live.feeds import milliseconds

NEWER = {"time_zone": ""}  # what drafts of older versions do not hold
NOTHING = {"content": None, "base": None}
MOST_NAME, MOST_NOTICE = 120, 200


@dataclass(frozen=True)
class State:
    """What editors of a board see, and the two versions that their next save must name.

    `base` is set where the published board changed after the draft began: what was published then.
    """

    version: int
    board_version: int
    content: dict[str, Any]
    published: dict[str, Any]
    is_draft: bool
    base: dict[str, Any] | None
    saved_ms: int | None
    saved_by: str

    def as_json(self) -> dict[str, Any]:
        """For the editor's page."""
        return dict(vars(self))


class Outdated(Exception):
    """Somebody was faster; `state` is what they left."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self.state = state


def state_of(board: Board) -> State:
    """The board as its editors see it now."""
    now = Board.objects.get(pk=board.pk)
    draft = Draft.objects.select_related("saved_by").filter(board=board).first() or Draft(board=now)
    published = editing.columns(editing.wish_of(now))
    is_draft = draft.content is not None
    by = draft.saved_by
    return State(
        version=draft.version,
        board_version=now.version,
        content={**NEWER, **draft.content} if draft.content is not None else published,
        published=published,
        is_draft=is_draft,
        base={**NEWER, **draft.base} if draft.base and is_draft and draft.base_version != now.version else None,
        saved_ms=milliseconds(draft.saved_at),
        saved_by=(by.name or by.extension) if by else "",
    )


def waiting(boards: Iterable[Board]) -> dict[int, Draft]:
    """By the key of the board, the drafts that are not published yet."""
    kept = Draft.objects.filter(board__in=boards, content__isnull=False).select_related("saved_by")
    return {draft.board_id: draft for draft in kept}


def wish_from(raw: object) -> Wish:
    """Read what an editor posted. Raises BadLayout with a sentence that says what to do."""
    if not isinstance(raw, dict):
        raise BadLayout(_("A board has a name, colours, a notice line and a layout."))
    name, notice = _line(raw.get("name"), MOST_NAME), _line(raw.get("notice", ""), MOST_NOTICE)
    if not name:
        raise BadLayout(_("Give the board a name of at most %(most)d letters.") % {"most": MOST_NAME})
    if notice is None:
        raise BadLayout(_("The notice line has at most %(most)d letters.") % {"most": MOST_NOTICE})
    if raw.get("theme") not in Board.Theme.values:
        raise BadLayout(_("Choose dark, light, or the colours of the device."))
    try:
        zone = clocks.zone_named(raw.get("time_zone", ""))
    except ValueError as error:
        raise BadLayout(str(error)) from error
    return Wish(name, raw["theme"], notice, layouts.read(raw.get("layout")), zone)


def _line(value: object, most: int) -> str | None:
    """A single line of text without the spaces around it; None where it is none or too long."""
    if not isinstance(value, str):
        return None
    text = " ".join(value.split())
    return text if len(text) <= most and not NEVER_KEPT.search(text) else None


def save(board: Board, wish: Wish, version: int, board_version: int, by: Person | None = None) -> State:
    """Keep this as the draft, if both versions are still the newest. Raises Outdated."""
    Draft.objects.get_or_create(board=board)
    with _alone(board):
        _take(board, version)
        published = _published(board, board_version)
        wanted = editing.columns(wish)
        kept = {"content": wanted, "base": editing.columns(published), "base_version": board_version}
        _keep(board, NOTHING if wanted == kept["base"] else kept, by)
        audit.note(board.domain_id, "draft changed", board.slug, once=f"{board.pk}:{board_version}")
    return state_of(board)


def publish(board: Board, version: int, by: Person | None = None) -> Board:
    """Put the draft onto open boards and TVs at once; the board as it is then. Raises Outdated."""
    with _alone(board):
        draft = Draft.objects.filter(board=board).first() or Draft(board=board)
        if draft.content is None or draft.version != version:
            raise Late
        _take(board, version)
        _published(board, draft.base_version)
        _keep(board, NOTHING, by)
        return editing.change(board, wish_from(draft.content))


def discard(board: Board, version: int, by: Person | None = None) -> State:
    """Go back to what is published. Raises Outdated."""
    with _alone(board):
        _take(board, version)
        _keep(board, NOTHING, by)
        audit.note(board.domain_id, "draft discarded", board.slug)
    return state_of(board)


class Late(Exception):
    """Inside a transaction: somebody was faster, so undo all of it."""


@contextmanager
def _alone(board: Board) -> Iterator[None]:
    """All or nothing. Raises Outdated where what is inside turns out to be late."""
    try:
        with transaction.atomic():
            yield
    except Late:
        raise Outdated(state_of(board)) from None


def _take(board: Board, version: int) -> None:
    """Be the only one who follows on this version, until the transaction ends. Raises Late."""
    if not Draft.objects.filter(board=board, version=version).update(version=F("version") + 1):
        raise Late


def _keep(board: Board, kept: Mapping[str, Any], by: Person | None) -> None:
    Draft.objects.filter(board=board).update(**{**kept, "saved_at": timezone.now(), "saved_by": by})


def _published(board: Board, version: int) -> Wish:
    """What is published, where that is still this version. Raises Late."""
    now = Board.objects.select_for_update().get(pk=board.pk)
    if now.version != version:
        raise Late
    return editing.wish_of(now)
