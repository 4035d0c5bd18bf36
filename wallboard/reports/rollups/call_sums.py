"""What calls of queues come to: how many callers waited how long, and who called, so that days add up to any period.

Any formula of the service level and every percentile is counted from these as from the calls themselves: waits are
counted in steps that neither a number of whole seconds nor a time that is shown tells apart.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate, chain

import msgspec

from wallboard.calls import numbers
from wallboard.reports.queue_calls import QueueCall

SECOND, HALF = 1_000_000, 500_000  # in microseconds
STEPS = 4  # in a second: just then, before its half, at its half, after it
NAME_BITS = 53  # a number of so many is a float without loss
Waits = Mapping[int, int]  # by `step`, how many callers
Names = Sequence[float]


class WaitCounts(msgspec.Struct, array_like=True, frozen=True):
    """Callers by how long they waited, what became of them and whether the queue was open; and for how many
    microseconds all waited who were answered.
    """

    answered: Waits = {}
    left: Waits = {}
    answered_closed: Waits = {}
    left_closed: Waits = {}
    answered_for: int = 0

    @property
    def offered(self) -> int:
        """How many calls."""
        every = (self.answered, self.left, self.answered_closed, self.left_closed)
        return sum(sum(waits.values()) for waits in every)


class CallSums(msgspec.Struct, array_like=True, frozen=True):
    """Calls of some time: the waits; and who called (`callers`) with which call (`ids`), at the same place in both.

    Callers who withhold their number are in neither.
    """

    waits: WaitCounts = WaitCounts()
    callers: Names = ()
    ids: Names = ()


@dataclass(frozen=True)
class Counts:
    """What formulas of the service level count with: how many callers waited how long."""

    answered_waits: Waits
    left_waits: Waits
    answered_for: int = 0
    in_hours: "Counts | None" = None

    @property
    def offered(self) -> int:
        """How many came."""
        return self.answered + sum(self.left_waits.values())

    @property
    def answered(self) -> int:
        """How many were answered."""
        return sum(self.answered_waits.values())

    def within(self, target: float) -> int:
        """How many were answered within so many seconds."""
        return _at_most(self.answered_waits, target)

    def left(self, seconds: float) -> int:
        """How many left unanswered within so many seconds."""
        return _at_most(self.left_waits, seconds)

    def only_open(self) -> "Counts":
        """Those that came while the queue took calls."""
        return self.in_hours or self


def counts(parts: Iterable[WaitCounts]) -> Counts:
    """The waits of all of these together."""
    parts = list(parts)
    answered, left = _added(each.answered for each in parts), _added(each.left for each in parts)
    answered_closed = _added(each.answered_closed for each in parts)
    left_closed = _added(each.left_closed for each in parts)
    answered_for = sum(each.answered_for for each in parts)
    is_open = Counts(answered, left)
    return Counts(_added((answered, answered_closed)), _added((left, left_closed)), answered_for, is_open)


def of(calls: Iterable[QueueCall]) -> CallSums:
    """The sums of these calls."""
    calls = list(calls)
    found = {(name(call.caller), id_of(call, place)) for place, call in enumerate(calls) if is_named(call)}
    callers, ids = [caller for caller, _id in found], [call_id for _caller, call_id in found]
    return CallSums(waits_of(calls), callers, ids)


def waits_of(calls: Iterable[QueueCall]) -> WaitCounts:
    """How long the callers of these calls waited."""
    waits: dict[tuple[bool, bool], Counter[int]] = defaultdict(Counter)
    answered_for = 0
    for call in calls:
        microseconds = round(call.wait_seconds * SECOND)
        waits[call.is_answered, call.is_open][step(microseconds)] += 1
        answered_for += microseconds if call.is_answered else 0
    return WaitCounts(waits[True, True], waits[False, True], waits[True, False], waits[False, False], answered_for)


def by_queue(calls: Iterable[QueueCall]) -> dict[str, CallSums]:
    """The sums of each queue with calls, by its number."""
    found: dict[str, list[QueueCall]] = defaultdict(list)
    for call in calls:
        found[call.queue].append(call)
    return {number: of(some) for number, some in found.items()}


def pack(sums: CallSums) -> bytes:
    """The sums as they are stored."""
    return msgspec.msgpack.encode(sums)


def unpack(stored: bytes | memoryview) -> CallSums:
    """Stored sums."""
    return _DECODER.decode(stored)


def repeated(parts: Iterable[CallSums]) -> int:
    """Callers with more than one call; one call may come to several queues, and who withholds the number is nobody."""
    parts = list(parts)
    ids = list(chain.from_iterable(each.ids for each in parts))
    if len(set(ids)) == len(ids):  # no call came to several, and nearly always so
        return twice(chain.from_iterable(each.callers for each in parts))
    pairs = {pair for each in parts for pair in zip(each.callers, each.ids, strict=True)}
    return twice(caller for caller, _id in pairs)


def twice(callers: Iterable[float]) -> int:
    """How many of these come more than once."""
    found = Counter(callers)
    return len(found) - list(found.values()).count(1)


def at_ranks(waits: Iterable[Waits], shares: Sequence[int]) -> tuple[float, ...]:
    """The least of these waits, in seconds, that so many of 100 do not exceed, for each share (nearest rank)."""
    found = _added(waits)
    ordered = sorted(found)
    upto = list(accumulate(found[each] for each in ordered))
    ranks = [-(-upto[-1] * share // 100) for share in shares] if upto else []
    return tuple(ordered[bisect_left(upto, rank)] / STEPS for rank in ranks)


def step(microseconds: int) -> int:
    """The step of a wait: what lies between two halves of a second is one."""
    halves, more = divmod(microseconds, HALF)
    return 2 * halves + (more > 0)


def is_named(call: QueueCall) -> bool:
    """Whether the caller can be told from others."""
    return not numbers.is_withheld(call.caller)


def id_of(call: QueueCall, place: int) -> float:
    """A number for the call; without an id each is one by itself."""
    return name(call.call_id or f"\n{call.queue} {call.entered_at.timestamp()} {place}")


def name(text: str) -> float:
    """A number for what a caller or a call is called: the same one for the same name."""
    return float(int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") >> (64 - NAME_BITS))


def _added(many: Iterable[Waits]) -> Waits:
    found: dict[int, int] = {}
    for waits in many:
        for each, count in waits.items():
            found[each] = found.get(each, 0) + count
    return found


def _at_most(waits: Waits, seconds: float) -> int:
    limit = step(round(seconds * SECOND))
    return sum(count for each, count in waits.items() if each <= limit)


_DECODER = msgspec.msgpack.Decoder(CallSums)
