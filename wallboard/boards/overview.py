"""The boards of a company side by side: who may change them, what is drafted, and which TVs show each."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import prefetch_related_objects

from accounts.access import Viewer
from accounts.models import Person
from wallboard.boards import permissions
from wallboard.boards.editor import drafts
from wallboard.boards.models import Board, Draft

MOST_SCREENS = 4  # named; the others are counted


@dataclass(frozen=True)
class Row:
    """One board in the list; `screens` are the names of the TVs that show it, alone or in a rotation."""

    board: Board
    draft: Draft | None = None
    screens: tuple[str, ...] = ()

    @property
    def more_screens(self) -> int:
        """How many TVs are not named."""
        return max(0, len(self.screens) - MOST_SCREENS)


def sees_screens(viewer: Viewer) -> bool:
    """Whether TVs are told of: they show everything, so they are not for those with a limit."""
    return viewer.may(Person.Role.SUPERVISOR) and not viewer.limit.is_set


def rows(viewer: Viewer) -> list[Row]:
    """The boards that this viewer may open, by name."""
    boards = permissions.visible_boards(viewer)
    screens = screens_of(boards) if sees_screens(viewer) else {}
    waiting = drafts.unpublished(boards) if viewer.may(Person.Role.SUPERVISOR) else {}
    # A draft may name what the viewer may not see, though the board does not.
    shown = {pk: draft for pk, draft in waiting.items() if permissions.may_edit(viewer, draft.board)}
    return [Row(board, shown.get(board.pk), screens.get(board.pk, ())) for board in boards]


def screens_of(boards: Sequence[Board]) -> dict[int, tuple[str, ...]]:
    """The names of the live TVs that show each board, by its primary key; few statements however many boards."""
    prefetch_related_objects(boards, "screens", "steps__rotation__screens")
    return {board.pk: _screens_of(board) for board in boards}


def _screens_of(board: Board) -> tuple[str, ...]:
    # A TV with a rotation names one of its boards, too, for the day on which the rotation goes.
    alone = [screen for screen in board.screens.all() if screen.rotation_id is None]
    turning = [screen for step in board.steps.all() for screen in step.rotation.screens.all()]
    live = {screen.pk: screen.name for screen in [*alone, *turning] if screen.revoked_at is None}
    return tuple(sorted(live.values()))
