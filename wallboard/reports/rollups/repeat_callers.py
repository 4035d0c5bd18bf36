"""Who called more than once: of all of some queues, and of the calls that rang at the phones of each team, in one go.

A name is a number (call_sums.name). The callers of a day are kept apart by a set of bits: the first for everybody, one
more for each team at whose phones the call rang. So whole lists of them are counted, and no caller is looked at alone.
"""

from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Final

import msgspec

from wallboard.reports.queue_calls import QueueCall
from wallboard.reports.rollups import call_sums
from wallboard.reports.rollups.call_sums import NAME_BITS, id_of, is_named, name
from wallboard.reports.rollups.sum_keys import Members

NUMBERS: Final = "d"  # of array
EVERYBODY = 1
PIECES = 16  # callers are compared one after the other, so that few of them are in memory at a time
Call = tuple[float, float]  # who called, and which call it was


class Callers(msgspec.Struct, array_like=True):
    """The calls of a day that tell who called, each with its call: first those with the first one of these `bits`, as
    many as the first of `counts`, sorted by caller, then those with the second.
    """

    callers: bytes = b""
    ids: bytes = b""
    bits: list[int] = []
    counts: list[int] = []


class _Group:
    """The calls of a day with the same bits, without those that another day has, too."""

    def __init__(self, bits: int, callers: "array[float]", ids: "array[float]") -> None:
        self.bits, self._callers, self._ids = bits, callers, ids

    def take(self, shared: set[float]) -> list[Call]:
        """The calls with these ids; they are gone from here."""
        found = [place for place, each in enumerate(self._ids) if each in shared] if shared else []
        taken = [(self._callers[at], self._ids[at]) for at in found]
        for at in reversed(found):
            del self._callers[at]
        return taken

    def between(self, low: float, high: float) -> list[float]:
        """The callers whose number lies there."""
        return self._callers[bisect_left(self._callers, low) : bisect_left(self._callers, high)].tolist()


def of(calls: Iterable[QueueCall], teams: Sequence[Members]) -> Callers:
    """The callers of a day; the bits of teams are in their order."""
    found: dict[Call, int] = {}
    for place, call in enumerate(calls):
        if is_named(call):
            key = name(call.caller), id_of(call, place)
            found[key] = found.get(key, EVERYBODY) | _bits(call, teams)
    ordered = sorted(found, key=lambda key: (found[key], key))
    counts = Counter(found[key] for key in ordered)
    return Callers(
        array(NUMBERS, [caller for caller, _id in ordered]).tobytes(),
        array(NUMBERS, [call_id for _caller, call_id in ordered]).tobytes(),
        list(counts),
        list(counts.values()),
    )


def pack(callers: Callers) -> bytes:
    """As they are stored."""
    return msgspec.msgpack.encode(callers)


def unpack(stored: bytes | memoryview) -> Callers:
    """What is stored; nobody where the release before wrote the row: its day is still to be made anew."""
    return _DECODER.decode(stored) if stored else Callers()


def count(days: Sequence[Callers], others: Callers, teams: int) -> list[int]:
    """How many callers called more than once: of all, and of each team; a call of two days is one.

    `days` follow each other; `others` are calls of any days.
    """
    shared = _shared(days, others)
    parts = [_Group(*group) for day in (*days, others) for group in groups(day)]
    once: dict[Call, int] = {}
    for group in parts:
        for call in group.take(shared):
            once[call] = once.get(call, 0) | group.bits
    found = [0] * (teams + 1)
    for low, high in pairwise(piece * 2**NAME_BITS / PIECES for piece in range(PIECES + 1)):
        by_bits: dict[int, list[float]] = defaultdict(list)
        for group in parts:
            by_bits[group.bits] += group.between(low, high)
        for (caller, _id), bits in once.items():
            if low <= caller < high:
                by_bits[bits].append(caller)
        for place in range(teams + 1):
            of_place = (callers for bits, callers in by_bits.items() if bits >> place & 1)
            found[place] += call_sums.twice(chain.from_iterable(of_place))
    return found


def _shared(days: Iterable[Callers], others: Callers) -> set[float]:
    """The calls that two days have that follow each other, or that are among the others as well."""
    found: set[float] = set()
    rest, before = set(array(NUMBERS, others.ids)), set[float]()
    for day in days:
        ids = set(array(NUMBERS, day.ids))
        found |= ids & before
        found |= ids & rest
        before = ids
    return found


def groups(day: Callers) -> Iterator[tuple[int, "array[float]", "array[float]"]]:
    """The calls with the same bits: these, the callers and the calls."""
    callers, ids = array(NUMBERS, day.callers), array(NUMBERS, day.ids)
    begin = 0
    for bits, number in zip(day.bits, day.counts, strict=True):
        yield bits, callers[begin : begin + number], ids[begin : begin + number]
        begin += number


def _bits(call: QueueCall, teams: Sequence[Members]) -> int:
    return sum(2 << place for place, members in enumerate(teams) if not members.isdisjoint(call.people))


_DECODER = msgspec.msgpack.Decoder(Callers)
