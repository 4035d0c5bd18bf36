"""Drafts: changes to a board before it is published, stored with every step, seen by editors and never by boards.

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
from accounts.languages import choosing
from accounts.models import Person
from wallboard.boards import editing, time_zones
from wallboard.boards import layout as layouts
from wallboard.boards.cards.parsing import UNSTORABLE
from wallboard.boards.editing import BoardInput
from wallboard.boards.layout import BadLayout
from wallboard.boards.models import Board, Draft
from wallboard.live.feeds import milliseconds

DEFAULTS = {"time_zone": "", "language": ""}  # fields that drafts of older releases lack
NO_CONTENT = {"content": None, "base": None}
MAX_NAME, MAX_NOTICE = 120, 200


@dataclass(frozen=True)
class DraftState:
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
    """Somebody else saved in between; `state` is what is stored now."""

    def __init__(self, state: DraftState) -> None:
        super().__init__()
        self.state = state


def draft_state(board: Board) -> DraftState:
    """The board as its editors see it now."""
    now = Board.objects.get(pk=board.pk)
    draft = Draft.objects.select_related("saved_by").filter(board=board).first() or Draft(board=now)
    published = editing.column_values(editing.current_input(now))
    is_draft = draft.content is not None
    by = draft.saved_by
    return DraftState(
        version=draft.version,
        board_version=now.version,
        content={**DEFAULTS, **draft.content} if draft.content is not None else published,
        published=published,
        is_draft=is_draft,
        base={**DEFAULTS, **draft.base} if draft.base and is_draft and draft.base_version != now.version else None,
        saved_ms=milliseconds(draft.saved_at),
        saved_by=(by.name or by.extension) if by else "",
    )


def unpublished(boards: Iterable[Board]) -> dict[int, Draft]:
    """The unpublished drafts of these boards, by the primary key of the board."""
    drafts = Draft.objects.filter(board__in=boards, content__isnull=False).select_related("saved_by")
    return {draft.board_id: draft for draft in drafts}


def parse_input(raw: object) -> BoardInput:
    """Parse what an editor posted. Raises BadLayout with a sentence that says what to do."""
    if not isinstance(raw, dict):
        raise BadLayout(_("A board has a name, colours, a notice line and a layout."))
    name, notice = _line(raw.get("name"), MAX_NAME), _line(raw.get("notice", ""), MAX_NOTICE)
    if not name:
        raise BadLayout(_("Give the board a name of at most %(most)d letters.") % {"most": MAX_NAME})
    if notice is None:
        raise BadLayout(_("The notice line has at most %(most)d letters.") % {"most": MAX_NOTICE})
    if raw.get("theme") not in Board.Theme.values:
        raise BadLayout(_("Choose dark, light, or the colours of the device."))
    try:
        zone = time_zones.parse_zone(raw.get("time_zone", ""))
    except ValueError as error:
        raise BadLayout(str(error)) from error
    language = raw.get("language", "")
    if language and not choosing.is_offered(language):
        raise BadLayout(_("Choose a language from the list."))
    return BoardInput(name, raw["theme"], notice, layouts.parse(raw.get("layout")), zone, language)


def _line(value: object, most: int) -> str | None:
    """A single line of text without the spaces around it; None where it is none or too long."""
    if not isinstance(value, str):
        return None
    text = " ".join(value.split())
    return text if len(text) <= most and not UNSTORABLE.search(text) else None


def save(
    board: Board, board_input: BoardInput, version: int, board_version: int, by: Person | None = None
) -> DraftState:
    """Store this as the draft, if both versions are still the newest. Raises Outdated."""
    _make_row(board)
    with _undone_on_conflict(board):
        _take_version(board, version)
        published = _published(board, board_version)
        wanted = editing.column_values(board_input)
        content = {"content": wanted, "base": editing.column_values(published), "base_version": board_version}
        # Changed back to what is published: there is no draft any more.
        _store(board, NO_CONTENT if wanted == content["base"] else content, by)
        # Once per published version: the editor saves after every step.
        audit.log(board.domain_id, "draft changed", board.slug, once=f"{board.pk}:{board_version}")
    return draft_state(board)


def publish(board: Board, version: int, by: Person | None = None) -> Board:
    """Put the draft onto open boards and TVs at once; the board as it is then. Raises Outdated."""
    with _undone_on_conflict(board):
        draft = Draft.objects.filter(board=board).first() or Draft(board=board)
        # Only what this editor has seen is published.
        if draft.content is None or draft.version != version:
            raise Conflict
        _take_version(board, version)
        _published(board, draft.base_version)
        _store(board, NO_CONTENT, by)
        # Parsed anew: it may have been saved by a release with other rules.
        return editing.update(board, parse_input(draft.content))


def discard(board: Board, version: int, by: Person | None = None) -> DraftState:
    """Go back to what is published. Raises Outdated."""
    _make_row(board)
    with _undone_on_conflict(board):
        _take_version(board, version)
        _store(board, NO_CONTENT, by)
        audit.log(board.domain_id, "draft discarded", board.slug)
    return draft_state(board)


class Conflict(Exception):
    """Inside a transaction: somebody else saved in between, so all of it is undone."""


@contextmanager
def _undone_on_conflict(board: Board) -> Iterator[None]:
    """A transaction; a Conflict inside undoes it and is raised as Outdated, with the newest state."""
    try:
        with transaction.atomic():
            yield
    except Conflict:
        # Read after the rollback, so that it shows what is really stored.
        raise Outdated(draft_state(board)) from None


def _make_row(board: Board) -> None:
    # It must be there before its version can be taken.
    Draft.objects.get_or_create(board=board)


def _take_version(board: Board, version: int) -> None:
    """Be the only one who follows on this version, until the transaction ends. Raises Conflict."""
    # One statement: of two saves that build on the same version one finds no row.
    if not Draft.objects.filter(board=board, version=version).update(version=F("version") + 1):
        raise Conflict


def _store(board: Board, content: Mapping[str, Any], by: Person | None) -> None:
    Draft.objects.filter(board=board).update(**{**content, "saved_at": timezone.now(), "saved_by": by})


def _published(board: Board, version: int) -> BoardInput:
    """What is published, where that is still this version. Raises Conflict."""
    # Locked until the draft is stored, so that nobody publishes in between.
    now = Board.objects.select_for_update().get(pk=board.pk)
    if now.version != version:
        raise Conflict
    return editing.current_input(now)
