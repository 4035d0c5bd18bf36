"""What calls of queues come to: how long callers waited, and who called, so that sums of days add up to any period.

Any formula of the service level, with any seconds, and every percentile is counted from these, to the microsecond.
"""

from array import array
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain, compress, islice
from operator import eq

import msgspec

from wallboard.calls import numbers
from wallboard.reports.queue_calls import QueueCall

SECOND = 1_000_000  # in microseconds, as waits are kept
FEW = 20_000  # waits that are sorted in no time
INTEGERS, NUMBERS = "q", "d"  # of array: eight bytes each
NAME_BITS = 53  # a number of so many is a float without loss, and floats are sorted several times as fast
Waits = Sequence[int]
Names = Sequence[float]


@dataclass(frozen=True)
class CallSums:
    """Calls of some time: waits in microseconds, from the shortest to the longest, by what became of the caller and
    whether the queue was open; and who called (`callers`, sorted) with which call (`ids`), at the same place in both.

    Callers who withhold their number are in neither.
    """

    answered: Waits = ()
    left: Waits = ()
    answered_closed: Waits = ()
    left_closed: Waits = ()
    callers: Names = ()
    ids: Names = ()

    @property
    def offered(self) -> int:
        """How many calls."""
        return len(self.answered) + len(self.left) + len(self.answered_closed) + len(self.left_closed)


@dataclass(frozen=True)
class Counts:
    """What formulas of the service level count with: how many of the calls of these sums."""

    parts: Sequence[CallSums]
    is_open_only: bool = False

    @property
    def answered_waits(self) -> list[Waits]:
        """Of callers whom somebody answered."""
        closed = () if self.is_open_only else (each.answered_closed for each in self.parts)
        return [waits for waits in chain((each.answered for each in self.parts), closed) if waits]

    @property
    def left_waits(self) -> list[Waits]:
        """Of callers who left."""
        closed = () if self.is_open_only else (each.left_closed for each in self.parts)
        return [waits for waits in chain((each.left for each in self.parts), closed) if waits]

    @property
    def offered(self) -> int:
        """How many came."""
        return self.answered + sum(map(len, self.left_waits))

    @property
    def answered(self) -> int:
        """How many were answered."""
        return sum(map(len, self.answered_waits))

    def within(self, target: float) -> int:
        """How many were answered within so many seconds."""
        return _at_most(self.answered_waits, target)

    def left(self, seconds: float) -> int:
        """How many left unanswered within so many seconds."""
        return _at_most(self.left_waits, seconds)

    def only_open(self) -> "Counts":
        """Those that came while the queue took calls."""
        return Counts(self.parts, is_open_only=True)


class _Stored(msgspec.Struct, array_like=True):
    """Sums as they are stored: each sequence as the bytes of its numbers."""

    answered: bytes
    left: bytes
    answered_closed: bytes
    left_closed: bytes
    callers: bytes
    ids: bytes


def of(calls: Iterable[QueueCall]) -> CallSums:
    """The sums of these calls."""
    waits: dict[tuple[bool, bool], list[int]] = defaultdict(list)
    named: list[tuple[float, float]] = []
    for place, call in enumerate(calls):
        waits[call.is_answered, call.is_open].append(round(call.wait_seconds * SECOND))
        if not numbers.is_withheld(call.caller):
            # Without an id every call is one by itself.
            call_id = call.call_id or f"\n{call.queue} {call.entered_at.timestamp()} {place}"
            named.append((_number(call.caller), _number(call_id)))
    named.sort()
    callers, ids = [caller for caller, _id in named], [call_id for _caller, call_id in named]
    for each in waits.values():
        each.sort()
    return CallSums(waits[True, True], waits[False, True], waits[True, False], waits[False, False], callers, ids)


def by_queue(calls: Iterable[QueueCall]) -> dict[str, CallSums]:
    """The sums of each queue with calls, by its number."""
    found: dict[str, list[QueueCall]] = defaultdict(list)
    for call in calls:
        found[call.queue].append(call)
    return {number: of(some) for number, some in found.items()}


def pack(sums: CallSums) -> bytes:
    """The sums as they are stored."""
    waits = (sums.answered, sums.left, sums.answered_closed, sums.left_closed)
    stored = [array(INTEGERS, each).tobytes() for each in waits]
    stored += [array(NUMBERS, each).tobytes() for each in (sums.callers, sums.ids)]
    return msgspec.msgpack.encode(_Stored(*stored))


def unpack(stored: bytes | memoryview) -> CallSums:
    """Stored sums."""
    found = _DECODER.decode(stored)
    of_waits = (found.answered, found.left, found.answered_closed, found.left_closed)
    answered, left, answered_closed, left_closed = (array(INTEGERS, each) for each in of_waits)
    callers, ids = array(NUMBERS, found.callers), array(NUMBERS, found.ids)
    return CallSums(answered, left, answered_closed, left_closed, callers, ids)


def often(parts: Iterable[CallSums]) -> frozenset[float]:
    """Callers with more than one entry: few of all, as most call once."""
    # They are sorted already in each part, so that sorting all of them is little more than merging.
    ordered = sorted(chain.from_iterable(each.callers for each in parts))
    return frozenset(compress(ordered, map(eq, ordered, islice(ordered, 1, None))))


def repeated(parts: Sequence[CallSums], among: frozenset[float] | None = None) -> int:
    """Callers with more than one call; one call may come to several queues, and who withholds the number is nobody.

    `among` are those who come into question where that is known: those of more parts than these.
    """
    known = often(parts) if among is None else among
    some = [each for each in parts if not known.isdisjoint(each.callers)]
    pairs = {pair for each in some for pair in zip(each.callers, each.ids, strict=True) if pair[0] in known}
    return sum(count > 1 for count in Counter(caller for caller, _id in pairs).values())


def at_ranks(waits: Sequence[Waits], shares: Sequence[int]) -> tuple[float, ...]:
    """The least of these waits, in seconds, that so many of 100 do not exceed, for each share (nearest rank)."""
    count = sum(map(len, waits))
    ranks = [-(-count * share // 100) for share in shares] if count else []
    if count <= FEW:
        ordered = sorted(chain.from_iterable(waits))
        return tuple(ordered[rank - 1] / SECOND for rank in ranks)
    return tuple(_at_rank(waits, rank) / SECOND for rank in ranks)


def _number(name: str) -> float:
    """A number for what a caller or a call is called: the same one for the same name."""
    return float(int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big") >> (64 - NAME_BITS))


def _at_rank(waits: Sequence[Waits], rank: int) -> int:
    """The wait at that rank, found by halving: millions of them are not sorted together."""
    least, most = 0, max(each[-1] for each in waits)
    while least < most:
        middle = (least + most) // 2
        if sum(bisect_right(each, middle) for each in waits) >= rank:
            most = middle
        else:
            least = middle + 1
    return least


def _at_most(waits: Iterable[Waits], seconds: float) -> int:
    limit = round(seconds * SECOND)
    return sum(bisect_right(each, limit) for each in waits)


_DECODER = msgspec.msgpack.Decoder(_Stored)
