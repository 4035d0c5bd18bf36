"""The one place that changes boards: form, admin and commands use it, so that open boards always hear of it."""

from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import Domain
from wallboard.boards import counted, rotations
from wallboard.boards import layout as layouts
from wallboard.boards.layout import Layout
from wallboard.boards.models import Board
from wallboard.live import feeds, publish


@dataclass(frozen=True)
class Wish:
    """All that can be changed about a board."""

    name: str
    theme: str = Board.Theme.SYSTEM
    notice: str = ""
    layout: Layout = field(default_factory=Layout)
    time_zone: str = ""


def free_slug(domain: Domain, name: str) -> str:
    """A slug of this name that no other board of the domain has."""
    wanted = slugify(name)[:60] or "board"
    taken = set(Board.objects.filter(domain=domain, slug__startswith=wanted).values_list("slug", flat=True))
    taken |= {"new", "images"}  # /boards/new/ and /boards/images/ are pages of their own
    candidates = (wanted if number == 1 else f"{wanted}-{number}" for number in range(1, len(taken) + 3))
    return next(slug for slug in candidates if slug not in taken)


def make(domain: Domain, wish: Wish, slug: str = "") -> Board:
    """A new board."""
    with transaction.atomic():
        board = Board.objects.create(domain=domain, slug=slug or free_slug(domain, wish.name), **columns(wish))
        audit.note(domain.pk, "board made", board.slug)
    return board


def columns(wish: Wish) -> dict[str, Any]:
    """What is kept of a wish."""
    texts = {"name": wish.name, "theme": wish.theme, "notice": wish.notice, "time_zone": wish.time_zone}
    return {**texts, "layout": wish.layout.as_json()}


def change(board: Board, wish: Wish) -> Board:
    """Save what is wished and tell every open page of this board; returns the board as it is now."""
    with transaction.atomic():
        wanted = columns(wish)
        before = Board.objects.filter(pk=board.pk).values(*wanted).first() or {}
        Board.objects.filter(pk=board.pk).update(**wanted, version=F("version") + 1)
        audit.note_changes(board.domain_id, "board changed", board.slug, audit.differences(before, wanted))
        saved = Board.objects.get(pk=board.pk)
        transaction.on_commit(lambda: tell(saved), robust=True)
    return saved


def tell(board: Board) -> None:
    """Publish the board as it is to the pages that show it, then what is counted for its cards."""
    feed = feeds.board(board.domain_id, board.pk)
    publish.tell(feed, {"board": layouts.board_document(board)})
    publish.tell(feed, counted.documents(board))


class StillShown(Exception):
    """The board cannot go; the text says which screens and rotations show it."""


def remove(board: Board) -> None:
    """Delete a board that no live screen and no rotation shows. Raises StillShown: a TV would go with its board."""
    with transaction.atomic():
        Board.objects.select_for_update().filter(pk=board.pk).first()
        if shown_by := rotations.showing(board):
            words = {"name": board.name, "shown_by": ", ".join(shown_by)}
            raise StillShown(_("“%(name)s” is shown by %(shown_by)s. Take it out there first.") % words)
        audit.note(board.domain_id, "board deleted", board.slug)
        board.delete()


def wish_of(board: Board) -> Wish:
    """What the board is now, in the form that `change` takes; automatic where its layout cannot be read."""
    return Wish(board.name, board.theme, board.notice, layouts.of(board), board.time_zone)
