"""Reading the provider's JSON: bounded, strict about nonsense, tolerant about what the documentation leaves open."""

from codecs import BOM_UTF8
from datetime import UTC, datetime, tzinfo
from email.utils import parsedate_to_datetime
from typing import TypeVar

import msgspec

T = TypeVar("T")
FLAGS = {"true": True, "1": True, "false": False, "0": False}


class Nonsense(Exception):
    """Not JSON, too deep, or not of the shape that was asked for. Carries no text of the input."""


def decode(body: bytes, shape: type[T]) -> T:
    """The JSON text as `shape`; numbers may come as numeric strings. NaN, bad UTF-8 and deep nesting are Nonsense."""
    try:
        return msgspec.json.decode(unmarked(body), type=shape, strict=False)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        raise Nonsense from None


def unmarked(body: bytes) -> bytes:
    """The body without the byte order mark that some put before JSON; RFC 8259 section 8.1 lets a reader ignore it."""
    return body.removeprefix(BOM_UTF8)


def text(value: str | int | None, most: int = 200) -> str:
    """Text from a string, a number or null: no NUL (PostgreSQL refuses it), no outer spaces, at most `most` long."""
    return "" if value is None else str(value).replace("\0", "").strip()[:most]


def plain(value: object, most: int = 200) -> str:
    """As text() where nobody needs the value to make sense: "" for what is neither a string nor a number."""
    return text(str(value), most) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def flag(value: object) -> bool | None:
    """True or false, also as a number or a word; None for all else."""
    return value if isinstance(value, bool) else FLAGS.get(plain(value).lower())


def number(value: object) -> float | None:
    """A number, also as text; None for all else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def instant(raw: str | None, zone: tzinfo = UTC) -> datetime | None:
    """A time of the provider's in UTC, or None where the text is no time.

    Understood are ISO 8601 with or without fraction and zone, `YYYY-MM-DD HH:MM:SS`, and the HTTP date of detail
    records. A time without a zone is read in `zone`, for the API does not say which one is meant.
    """
    moment = _parsed((raw or "").strip())
    if moment is None:
        return None
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
    except (OverflowError, ValueError):
        return None


def _parsed(raw: str) -> datetime | None:
    if not 8 <= len(raw) <= 64:
        return None
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            return parse(raw)
        except (TypeError, ValueError, OverflowError, IndexError):
            continue
    return None
