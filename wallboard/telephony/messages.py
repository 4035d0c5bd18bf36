"""What the provider posts to a subscribed address.

A message is read as far as it makes sense: a part that does not is left out, or written so that it can be stored, and
named in `problems`. Only what cannot be told from other messages at all is a BadMessage.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, tzinfo
from hashlib import sha256
from typing import Any

import msgspec

from wallboard.telephony import user_names
from wallboard.telephony.decoding import (
    Unreadable,
    decode,
    decode_escaped,
    flag,
    instant,
    is_plain,
    number,
    plain,
    without_bom,
)
from wallboard.telephony.errors import BadMessage

LONGEST_ID = 200  # characters of an id that is stored as it is, as wide as the columns for it
# How programs write that something has not happened, beside null: the zero of a database, of .NET or of Unix.
NEVER = re.compile(r"0+(\.0+)?|(0000-00-00|0001-01-01|1970-01-01).*|.*\b0?1 Jan 1970\b.*", re.DOTALL)
ID_BEGINNING = 120  # so much of a longer one stays readable, before the digest that tells it from others


class Initialization(msgspec.Struct, frozen=True):
    """A subscription is being set up: `state` is preparing, then ready. It carries no subscription id."""

    state: str
    msg: str = ""
    problems: tuple[str, ...] = ()


class Endpoint(msgspec.Struct, frozen=True):
    """One side of a call; "" stands for null or missing.

    `id` is a number or SIP address. `user` is an extension; a domain that was written with it (user_names) stands in
    `domain` where the message has none there. `state` is progressing, ringing, active, ended or a word nobody
    documented, in lower case; "" in detail records.
    """

    call_id: str
    id: str = ""
    user: str = ""
    domain: str = ""
    state: str = ""
    name: str = ""
    is_human: bool | None = None


class CallEvent(msgspec.Struct, frozen=True):
    """A call leg as it stands now. Times are the provider's text: parse_time() reads them in the domain's zone.

    `problems` names the parts that could not be read as they came, such as `from.call_id: 5000 characters`.
    """

    from_: Endpoint
    to: Endpoint
    on_net: bool | None = None
    time_start: str = ""
    time_answer: str = ""
    by_call_id: str = ""
    problems: tuple[str, ...] = ()


class CallRecord(msgspec.Struct, frozen=True):
    """A call that has ended; times as text, "" where the provider says null. `problems` as in a CallEvent."""

    from_: Endpoint
    to: Endpoint
    start_time: str = ""
    answer_time: str = ""
    end_time: str = ""
    duration_seconds: int | None = None
    problems: tuple[str, ...] = ()


class CallRecords(tuple[CallRecord, ...]):
    """The records of one delivery; `skipped` entries of it could not be read at all."""

    skipped = 0


def read(body: bytes) -> Initialization | CallEvent | CallRecords:
    """The message in a delivery's body; raises BadMessage where it is none. The caller bounds the body's size.

    Of an array of detail records those that can be read are given; an array of nothing else is a BadMessage.
    """
    try:
        # Only detail records come as an array.
        is_array = without_bom(body).lstrip()[:1] == b"["
        return _records(body) if is_array else _message(body)
    except Unreadable:
        raise BadMessage("not a message that the provider documents") from None


def parse_time(raw: str, zone: tzinfo, *, fold: int = 0) -> datetime | None:
    """A message's time in UTC, or None. Call messages name no zone (`zone` is meant); detail records carry theirs.

    Of an hour that a clock repeats the first one is meant, with `fold` 1 the second.
    """
    return instant(raw, zone, fold=fold)


def _message(body: bytes) -> Initialization | CallEvent:
    whole, escaped = _decoded(body)
    # Problems are named without the envelope, as in a detail record.
    reader = _Reader(path.removeprefix("calls.") for path in escaped)
    if not isinstance(whole, Mapping):
        raise Unreadable
    call = whole.get("calls")
    # Setting up a subscription is told without an envelope, so nothing else tells it from a call.
    if call is None:
        return reader.initialization(whole)
    if not isinstance(call, Mapping):
        raise Unreadable
    return reader.event(call)


def _records(body: bytes) -> CallRecords:
    """Each record for itself; where the array as a whole cannot even be taken apart, with escapes."""
    try:
        # One by one: a bad record must not cost the others, which nobody sends again.
        entries = [_alone(bytes(raw)) for raw in decode(body, list[msgspec.Raw])]
    except Unreadable:
        whole, escaped = _decoded(body)
        marks = [f"[{place}]." for place in range(len(whole))]
        entries = [
            (value, [path.removeprefix(mark) for path in escaped if path.startswith(mark)])
            for mark, value in zip(marks, whole, strict=True)
        ]
    readable = [record for value, escaped in entries if (record := _record(value, escaped)) is not None]
    if entries and not readable:
        raise Unreadable
    records = CallRecords(readable)
    records.skipped = len(entries) - len(records)
    return records


def _alone(raw: bytes) -> tuple[Any, list[str]]:
    try:
        return _decoded(raw)
    except Unreadable:
        return None, []


def _record(value: object, escaped: Iterable[str]) -> CallRecord | None:
    try:
        return _Reader(escaped).record(value) if isinstance(value, Mapping) else None
    except Unreadable:
        return None


def _decoded(body: bytes) -> tuple[Any, list[str]]:
    """What a body says, and the paths of the texts in it that had to be written with escapes."""
    try:
        return decode(body, object), []
    except Unreadable:
        escaped: list[str] = []
        return decode_escaped(body, escaped.append), escaped


class _Reader:
    """Reads one message or record, and notes what it could not read as it came."""

    def __init__(self, escaped: Iterable[str]) -> None:
        self._problems: list[str] = []
        for path in escaped:
            self._add_problem(path, "not Unicode")

    def event(self, call: Mapping[str, Any]) -> CallEvent:
        sides = self._sides(call)
        times = _time(call.get("time_start")), _time(call.get("time_answer"))
        by_call_id = self._id(call.get("by_call_id"), "by_call_id")
        return CallEvent(*sides, flag(call.get("on_net")), *times, by_call_id, tuple(self._problems))

    def record(self, whole: Mapping[str, Any]) -> CallRecord:
        sides = self._sides(whole)
        start, answer, end = (_time(whole.get(name)) for name in ("start_time", "answer_time", "end_time"))
        return CallRecord(*sides, start, answer, end, _seconds(whole.get("duration")), tuple(self._problems))

    def initialization(self, whole: Mapping[str, Any]) -> Initialization:
        state = plain(whole.get("state")).lower()
        if not state:
            raise Unreadable
        return Initialization(state, plain(whole.get("msg")), tuple(self._problems))

    def _sides(self, call: Mapping[str, Any]) -> tuple[Endpoint, Endpoint]:
        """Both sides of a leg; one may be missing, but a leg without any id could never be told from another."""
        sides = self._side(call.get("from"), "from"), self._side(call.get("to"), "to")
        if not (sides[0].call_id or sides[1].call_id):
            raise Unreadable
        return sides

    def _side(self, raw: object, place: str) -> Endpoint:
        side = raw if isinstance(raw, Mapping) else {}
        if raw is not side and raw is not None:
            self._add_problem(place, "no object")
        user_text = self._text(side, "user", place)
        user = user_names.read(user_text)
        if user_text and not user.user:
            self._add_problem(f"{place}.user", "no user name")
        return Endpoint(
            self._id(side.get("call_id"), f"{place}.call_id"),
            self._text(side, "id", place),
            user.user,
            # The field is documented, a domain written with the user is not: the field wins.
            self._text(side, "domain", place) or user.domain,
            self._text(side, "state", place).lower(),
            plain(side.get("name")),
            flag(side.get("is_human")),
        )

    def _text(self, side: Mapping[str, Any], name: str, place: str) -> str:
        """A part that a call is followed by; names and flags, by which it is not, may be anything."""
        value = side.get(name)
        if value is not None and not is_plain(value):
            self._add_problem(f"{place}.{name}", "neither text nor a number")
        return plain(value)

    def _id(self, value: object, place: str) -> str:
        """An id of a call; one too long to be stored is shortened, always in the same way: cut, it would be another."""
        if value is not None and not is_plain(value):
            self._add_problem(place, "neither text nor a number")
        # Uncut for the digest: two long ids may differ in their last character only.
        whole = plain(value, most=2**31)
        if len(whole) <= LONGEST_ID:
            return whole
        self._add_problem(place, f"{len(whole)} characters")
        return f"{whole[:ID_BEGINNING]}~{sha256(whole.encode()).hexdigest()}"

    def _add_problem(self, place: str, problem: str) -> None:
        self._problems.append(f"{place[:LONGEST_ID]}: {problem}")


def _time(value: object) -> str:
    """A time as it was written; "" where there is none yet."""
    written = plain(value, 64)
    return "" if NEVER.fullmatch(written) else written


def _seconds(value: object) -> int | None:
    seconds = number(value)
    # Not beyond what the column can hold.
    return int(seconds) if seconds is not None and 0 <= seconds < 2**31 else None
