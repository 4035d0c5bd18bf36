"""What the database says of the boards and TVs that many browsers ask for, read with a statement for each kind."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from accounts.access import Viewer
from wallboard.boards.models import Board
from wallboard.screens.models import Screen, Step


class Wanted(Protocol):
    """What a browser asks for."""

    @property
    def board(self) -> str:
        """The slug of a board, or ""."""

    @property
    def page(self) -> str:
        """The name of a page, or ""."""


@dataclass(frozen=True, slots=True)
class ShownScreen:
    """A TV: its boards by their ids, in order, and whether it shows phone numbers."""

    domain_id: int
    shows_numbers: bool
    boards: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Rows:
    """Boards by their company and slug, and TVs by their id."""

    boards: Mapping[tuple[int, str], Board]
    screens: Mapping[int, ShownScreen]

    @classmethod
    def of(cls, asked: Sequence[tuple[Viewer, Wanted]]) -> "Rows":
        """What these viewers ask for, as far as it exists."""
        boards = {(viewer.domain_id, wanted.board) for viewer, wanted in asked if not wanted.page}
        tvs = {viewer.screen_id for viewer, wanted in asked if viewer.screen_id is not None and not wanted.page}
        people = {viewer.domain_id for viewer, wanted in asked if viewer.screen_id is None and not wanted.page}
        wanted_boards = {(domain_id, slug) for domain_id, slug in boards if domain_id in people}
        return cls(_boards(wanted_boards), _screens(tvs))


def _boards(wanted: Collection[tuple[int, str]]) -> dict[tuple[int, str], Board]:
    if not wanted:
        return {}
    companies, slugs = {each[0] for each in wanted}, {each[1] for each in wanted}
    # More than is wanted where companies name boards alike, which costs less than a statement for each of them.
    rows = Board.objects.filter(domain_id__in=companies, slug__in=slugs)
    return {(board.domain_id, board.slug): board for board in rows}


def _screens(wanted: Collection[int]) -> dict[int, ShownScreen]:
    if not wanted:
        return {}
    rows = list(
        Screen.objects.filter(pk__in=wanted).values_list(
            "pk", "domain_id", "shows_numbers", "rotation_id", "board_id", "board__slug"
        )
    )
    steps = _steps({rotation for *_, rotation, _, _ in rows if rotation is not None})
    return {
        pk: ShownScreen(domain, shows_numbers, steps.get(rotation) or {board: slug})
        for pk, domain, shows_numbers, rotation, board, slug in rows
    }


def _steps(rotations: Collection[int]) -> dict[int | None, dict[int, str]]:
    """The boards of each of these rotations, in order, each once."""
    found: dict[int | None, dict[int, str]] = {}
    if rotations:
        rows = Step.objects.filter(rotation__in=rotations).order_by("place")
        for rotation, board, slug in rows.values_list("rotation_id", "board_id", "board__slug"):
            found.setdefault(rotation, {})[board] = slug
    return found
