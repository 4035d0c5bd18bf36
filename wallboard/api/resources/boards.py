"""Boards: which there are, and what each shows."""

from typing import Any

import msgspec
from django.http import Http404

from wallboard.api import scopes
from wallboard.api.endpoints import Asked, Endpoint
from wallboard.boards import permissions
from wallboard.boards.layout import layout_of
from wallboard.boards.models import Board


class BoardRow(msgspec.Struct, frozen=True):
    """A board. Its feed is `board:<slug>`."""

    slug: str
    name: str
    theme: str
    notice: str
    time_zone: str
    version: int


class BoardList(msgspec.Struct, frozen=True):
    """The boards, by name."""

    items: list[BoardRow]


class BoardAnswer(msgspec.Struct, frozen=True):
    """One board. `layout` has sections and queues (null for all of them), or rows and cards."""

    item: BoardRow
    layout: dict[str, Any]


def boards(asked: Asked) -> BoardList:
    """The boards that name nothing beyond the token's limit."""
    return BoardList([_row(board) for board in permissions.visible_boards(asked.caller.viewer)])


def board(asked: Asked) -> BoardAnswer:
    """One of them."""
    found = permissions.visible_board(asked.caller.viewer, asked.path["slug"])
    if found is None:
        raise Http404
    return BoardAnswer(_row(found), layout_of(found).as_json())


def _row(each: Board) -> BoardRow:
    return BoardRow(each.slug, each.name, each.theme, each.notice, each.time_zone, each.version)


ENDPOINTS = (
    Endpoint("boards", "boards", scopes.BOARDS, "All boards", boards, BoardList),
    Endpoint("board", "boards/{slug}", scopes.BOARDS, "One board, with its layout", board, BoardAnswer, errors=(404,)),
)
