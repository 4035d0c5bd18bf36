"""What the provider posts to a subscribed address."""

from datetime import datetime, tzinfo
from typing import Any

import msgspec

from wallboard.telephony.decoding import Nonsense, decode, flag, instant, number, plain, text, unmarked
from wallboard.telephony.errors import BadMessage

MOST_DIGITS_AND_LETTERS = 200  # of an identifier: a longer one cannot be kept whole, and cut it would mean another call


class Initialization(msgspec.Struct, frozen=True):
    """A subscription is being set up: `state` is preparing, then ready. It carries no subscription id."""

    state: str
    msg: str = ""


class Endpoint(msgspec.Struct, frozen=True):
    """One side of a call. `id` is a number or SIP address, `user` an extension; "" stands for null or missing.

    `state` is progressing, ringing, active, ended or a word nobody documented, in lower case; "" in detail records.
    """

    call_id: str
    id: str = ""
    user: str = ""
    domain: str = ""
    state: str = ""
    name: str = ""
    is_human: bool | None = None


class CallEvent(msgspec.Struct, frozen=True):
    """News of a call leg. Times are the provider's text: parse_time() reads them in the domain's zone."""

    from_: Endpoint
    to: Endpoint
    on_net: bool | None = None
    time_start: str = ""
    time_answer: str = ""
    by_call_id: str = ""


class CallRecord(msgspec.Struct, frozen=True):
    """A call that has ended; times as text, "" where the provider says null."""

    from_: Endpoint
    to: Endpoint
    start_time: str = ""
    answer_time: str = ""
    end_time: str = ""
    duration_seconds: int | None = None


class _Endpoint(msgspec.Struct):
    """As it comes. What a leg is told apart and followed by has to make sense; the rest may be anything."""

    call_id: str | int | None = None
    id: str | int | None = None
    user: str | int | None = None
    domain: str | int | None = None
    state: str | None = None
    name: Any = None
    is_human: Any = None

    def ours(self) -> Endpoint:
        return Endpoint(
            _identifier(self.call_id),
            text(self.id),
            text(self.user, 64),
            text(self.domain),
            text(self.state).lower(),
            plain(self.name),
            flag(self.is_human),
        )


class _Call(msgspec.Struct, rename={"from_": "from"}):
    from_: _Endpoint | None = None
    to: _Endpoint | None = None
    on_net: Any = None
    time_start: Any = None
    time_answer: Any = None
    by_call_id: Any = None

    def ours(self) -> CallEvent:
        sides = _sides(self.from_, self.to)
        start, answer = plain(self.time_start, 64), plain(self.time_answer, 64)
        return CallEvent(*sides, flag(self.on_net), start, answer, _identifier(self.by_call_id))


class _Record(msgspec.Struct, rename={"from_": "from"}):
    from_: _Endpoint | None = None
    to: _Endpoint | None = None
    start_time: Any = None
    answer_time: Any = None
    end_time: Any = None
    duration: Any = None

    def ours(self) -> CallRecord:
        sides = _sides(self.from_, self.to)
        start, answer, end = (plain(each, 64) for each in (self.start_time, self.answer_time, self.end_time))
        return CallRecord(*sides, start, answer, end, _seconds(self.duration))


class _Body(msgspec.Struct):
    calls: _Call | None = None
    msg: str | int | None = None
    state: str | None = None


def read(body: bytes) -> Initialization | CallEvent | tuple[CallRecord, ...]:
    """The message in a delivery's body; BadMessage where it is none. The caller bounds the body's size.

    Of an array of detail records those that can be read are given; an array of nothing but nonsense is a BadMessage.
    """
    try:
        return _records(body) if unmarked(body).lstrip()[:1] == b"[" else _event(decode(body, _Body))
    except Nonsense:
        raise BadMessage("not a message that the provider documents") from None


def parse_time(raw: str, zone: tzinfo) -> datetime | None:
    """A message's time in UTC, or None. Call messages name no zone (`zone` is meant); detail records carry theirs."""
    return instant(raw, zone)


def _event(body: _Body) -> Initialization | CallEvent:
    if body.calls is not None:
        return body.calls.ours()
    if not text(body.state):
        raise Nonsense
    return Initialization(text(body.state).lower(), text(body.msg))


def _records(body: bytes) -> tuple[CallRecord, ...]:
    raws = decode(body, list[msgspec.Raw])
    records = tuple(record for record in map(_record, raws) if record is not None)
    if raws and not records:
        raise Nonsense
    return records


def _record(raw: Any) -> CallRecord | None:
    try:
        return decode(bytes(raw), _Record).ours()
    except Nonsense:
        return None


def _sides(source: _Endpoint | None, target: _Endpoint | None) -> tuple[Endpoint, Endpoint]:
    """Both sides of a leg; one of them may be missing, but a leg without any id could never be told from another."""
    sides = (source or _Endpoint()).ours(), (target or _Endpoint()).ours()
    if not (sides[0].call_id or sides[1].call_id):
        raise Nonsense
    return sides


def _identifier(value: object) -> str:
    whole = plain(value, MOST_DIGITS_AND_LETTERS + 1)
    if len(whole) > MOST_DIGITS_AND_LETTERS:
        raise Nonsense
    return whole


def _seconds(value: object) -> int | None:
    seconds = number(value)
    return int(seconds) if seconds is not None and 0 <= seconds < 2**31 else None
