"""Cursors: where the next page begins, as a text that programs hand back unread.

A cursor is no secret and gives no right: what it holds is typed and bounded, and only ever compared with.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NoBase64
from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, TypeVar

import msgspec
from django.db.models import Q

from wallboard.api.problems import Problem

LARGEST_ID = 2**53
T = TypeVar("T")
C = TypeVar("C", bound=msgspec.Struct)
RowId = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_ID)]
Moment = Annotated[datetime, msgspec.Meta(tz=True)]
Text = Annotated[str, msgspec.Meta(max_length=200, pattern="^[^\\x00]*$")]


class Place(msgspec.Struct, frozen=True, array_like=True):
    """After how many, where a list has no better order."""

    offset: Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]


class ByTime(msgspec.Struct, frozen=True, array_like=True):
    """After the row of this time and id."""

    at: Moment
    id: RowId


class ByCall(msgspec.Struct, frozen=True, array_like=True):
    """After the row whose call came at this time, with this id: numbers are no part of a cursor."""

    at: Moment
    call: Text


class ByName(msgspec.Struct, frozen=True, array_like=True):
    """After the row of this name and id."""

    name: Text
    id: RowId


def encode(place: msgspec.Struct) -> str:
    """A cursor."""
    return urlsafe_b64encode(msgspec.json.encode(place)).decode().rstrip("=")


def decode(cursor: str, kind: type[C]) -> C | None:
    """What a cursor holds; None for the first page. Raises Problem for what is no cursor of this list."""
    if not cursor:
        return None
    try:
        text = urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
        return msgspec.json.decode(text, type=kind)
    except (ValueError, NoBase64, msgspec.MsgspecError):
        raise Problem(400, "The cursor is none of this list; begin without one.") from None


def after(column: str, value: Any, row_id: int, *, descending: bool = False) -> Q:
    """Rows that come after this one, in the order of a column and then of their ids."""
    step = "lt" if descending else "gt"
    return Q(**{f"{column}__{step}": value}) | Q(**{column: value, f"pk__{step}": row_id})


def cut(rows: Iterable[T], count: int) -> tuple[list[T], bool]:
    """The page of rows that were read with one more than fit, and whether there are more."""
    found = list(rows)
    return found[:count], len(found) > count
