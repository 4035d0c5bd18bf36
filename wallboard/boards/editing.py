"""The one place that changes boards: form, admin and commands use it, so that open pages are always told."""

from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import Domain
from accounts.signin import rights
from wallboard.boards import layout as layouts
from wallboard.boards.cards import figures
from wallboard.boards.layout import Layout
from wallboard.boards.models import Board
from wallboard.live import feeds, publish

RESERVED = {"new", "images"}  # /boards/new/ and /boards/images/ are pages of their own


@dataclass(frozen=True)
class BoardInput:
    """All that can be changed about a board."""

    name: str
    theme: str = Board.Theme.SYSTEM
    notice: str = ""
    layout: Layout = field(default_factory=Layout)
    time_zone: str = ""
    language: str = ""


def free_slug(domain: Domain, name: str) -> str:
    """A slug of this name that no other board of the domain has."""
    wanted = slugify(name)[:60] or "board"
    taken = set(Board.objects.filter(domain=domain, slug__startswith=wanted).values_list("slug", flat=True))
    taken |= RESERVED
    candidates = (wanted if number == 1 else f"{wanted}-{number}" for number in range(1, len(taken) + 3))
    return next(slug for slug in candidates if slug not in taken)


def create(domain: Domain, board_input: BoardInput, slug: str = "") -> Board:
    """A new board."""
    with transaction.atomic():
        slug = slug or free_slug(domain, board_input.name)
        board = Board.objects.create(domain=domain, slug=slug, **column_values(board_input))
        audit.log(domain.pk, "board made", board.slug)
    return board


def column_values(board_input: BoardInput) -> dict[str, Any]:
    """The columns of a board with this input."""
    return {**vars(board_input), "layout": board_input.layout.as_json()}


def update(board: Board, board_input: BoardInput) -> Board:
    """Save the board and publish it to every open page that shows it; returns it as it is now."""
    with transaction.atomic():
        wanted = column_values(board_input)
        before = Board.objects.filter(pk=board.pk).values(*wanted).first() or {}
        Board.objects.filter(pk=board.pk).update(**wanted, version=F("version") + 1)
        audit.log_changes(board.domain_id, "board changed", board.slug, audit.differences(before, wanted))
        if before.get("layout") != wanted["layout"]:
            rights.changed(domain_id=board.domain_id, limited_only=True)  # it may name what some may not see
        if before.get("language") != wanted["language"]:
            rights.changed(domain_id=board.domain_id)  # pages load anew: their texts come with them
        saved = Board.objects.get(pk=board.pk)
        transaction.on_commit(lambda: publish_board(saved), robust=True)
    return saved


def publish_board(board: Board) -> None:
    """Publish the board as it is to the pages that show it, then the figures of its cards."""
    feed = feeds.board(board.domain_id, board.pk)
    publish.tell(feed, {"board": layouts.board_document(board)})
    publish.tell(feed, figures.documents(board))


def shown_by(board: Board) -> list[str]:
    """The names of the live screens, of the rotations and of the embed links that show this board."""
    alone = board.screens.filter(revoked_at=None).values_list("name", flat=True)
    framed = board.embeds.filter(revoked_at=None).values_list("name", flat=True)
    rotations = board.steps.values_list("rotation__name", flat=True)
    turning = board.steps.filter(rotation__screens__isnull=False, rotation__screens__revoked_at=None)
    return sorted({*alone, *framed, *rotations, *turning.values_list("rotation__screens__name", flat=True)})


class BoardInUse(Exception):
    """The board cannot go; the text says which screens and rotations show it."""


def delete(board: Board) -> None:
    """Delete a board that nothing live shows (shown_by). Raises BoardInUse: a TV would go with its board."""
    with transaction.atomic():
        Board.objects.select_for_update().filter(pk=board.pk).first()
        if names := shown_by(board):
            values = {"name": board.name, "shown_by": ", ".join(names)}
            raise BoardInUse(_("“%(name)s” is shown by %(shown_by)s. Take it out there first.") % values)
        audit.log(board.domain_id, "board deleted", board.slug)
        board.delete()


def current_input(board: Board) -> BoardInput:
    """What the board is now, in the form that `update` takes; automatic where its layout cannot be read."""
    return BoardInput(board.name, board.theme, board.notice, layouts.layout_of(board), board.time_zone, board.language)
