"""Reading the provider's JSON: strict about what is no JSON, tolerant about what the documentation leaves open."""

import json
import math
from codecs import BOM_UTF8
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
PLAIN = (str, int, float)  # exactly these: JSON has no others, and bool is an int to isinstance
FLAGS = {"true": True, "1": True, "false": False, "0": False}


class Unreadable(Exception):
    """Not JSON, too deep, or not of the shape that was asked for. Carries no text of the input."""


def decode(body: bytes, shape: type[T]) -> T:
    """The JSON text as `shape`; numbers may come as numeric strings.

    Raises Unreadable for NaN, bad UTF-8, lone surrogates and deep nesting.
    """
    try:
        # Not strict: the API's own samples write the same field now as a number, now as text.
        return msgspec.json.decode(without_bom(body), type=shape, strict=False)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        # Some thousand open brackets exhaust the stack of any JSON parser.
        raise Unreadable from None


def decode_escaped(body: bytes, report: Callable[[str], None]) -> Any:
    """As decode() into plain Python values, for a text with parts that Unicode does not know.

    Lone surrogates and bytes that are no UTF-8 are written out as their escapes (`\\ud800`, six characters that any
    database stores), so that different texts stay different. `report` is called with the path of each such text.
    """
    # msgspec refuses what is no Unicode; the standard library reads it, and _escaped() makes it storable.
    text = without_bom(body).decode("utf-8", "surrogateescape")
    try:
        value = json.loads(text, parse_constant=_not_a_number, parse_float=_finite)
        return _escaped(value, "", report)
    except (ValueError, RecursionError):
        raise Unreadable from None


def _not_a_number(_: str) -> float:
    raise ValueError  # JSON has neither NaN nor infinities (RFC 8259 section 6)


def _finite(digits: str) -> float:
    return value if math.isfinite(value := float(digits)) else _not_a_number(digits)


def _escaped(value: Any, path: str, report: Callable[[str], None]) -> Any:
    if isinstance(value, dict):
        named = ((_escaped_text(key), each) for key, each in value.items())
        return {key: _escaped(each, f"{path}.{key}" if path else key, report) for key, each in named}
    if isinstance(value, list):
        return [_escaped(each, f"{path}[{place}]", report) for place, each in enumerate(value)]
    if isinstance(value, str) and (clean := _escaped_text(value)) != value:
        report(path)
        return clean
    return value


def _escaped_text(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def without_bom(body: bytes) -> bytes:
    """The body without the byte order mark that some put before JSON; RFC 8259 section 8.1 lets a reader ignore it."""
    return body.removeprefix(BOM_UTF8)


def text(value: str | int | None, most: int = 200) -> str:
    """Text from a string, a number or null: no NUL (PostgreSQL refuses it), no outer spaces, at most `most` long."""
    return "" if value is None else str(value).replace("\0", "").strip()[:most]


def plain(value: object, most: int = 200) -> str:
    """As text() where nobody needs the value to make sense: "" for what is neither a string nor a number."""
    return text(str(value), most) if is_plain(value) else ""


def is_plain(value: object) -> bool:
    """Whether the value is a string or a number; JSON's true and false are neither."""
    return type(value) in PLAIN


def flag(value: object) -> bool | None:
    """True or false, also as a number or a word; None for all else."""
    return value if isinstance(value, bool) else FLAGS.get(plain(value).lower())


def number(value: object) -> float | None:
    """A number, also as text; None for all else."""
    # To Python True is an int; to JSON it is no number.
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def instant(raw: str | None, zone: tzinfo = UTC, *, fold: int = 0) -> datetime | None:
    """A time of the provider's in UTC, or None where the text is no time.

    Understood are ISO 8601 with or without fraction and zone, `YYYY-MM-DD HH:MM:SS`, and the HTTP date of detail
    records. A time without a zone is read in `zone`, for the API does not say which one is meant; `fold` is PEP 495's.
    """
    moment = _parsed((raw or "").strip())
    if moment is None:
        return None
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone, fold=fold)).astimezone(UTC)
    except (OverflowError, ValueError):
        return None


def http_date(value: str) -> datetime | None:
    """The moment in an HTTP header (RFC 9110 section 5.6.7), aware; None where it is no date."""
    try:
        moment = parsedate_to_datetime(value)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (TypeError, ValueError, OverflowError, IndexError):
        # parsedate_to_datetime raises each of these for some text that is no date.
        return None


def _parsed(raw: str) -> datetime | None:
    if not 8 <= len(raw) <= 64:
        return None
    # Call messages and subscriptions have ISO 8601, detail records the date of an HTTP header.
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            return parse(raw)
        except (TypeError, ValueError, OverflowError, IndexError):
            continue
    return None
