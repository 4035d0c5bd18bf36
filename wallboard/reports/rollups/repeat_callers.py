"""Who called more than once: of all of some queues, and of the calls that rang at the phones of each team, in one go.

A name is a number (call_sums.name). A caller of a day is told with a set of bits: the first for everybody, one more for
each team at whose phones the call rang.
"""

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from wallboard.reports.queue_calls import QueueCall
from wallboard.reports.rollups.call_sums import NAME_BITS, id_of, is_named, name
from wallboard.reports.rollups.shown import Members

NUMBERS: Final = "d"  # of array
PLACES: Final = "I"
EVERYBODY = 1
PIECES = 32  # callers are compared one after the other, so that few of them are in memory at a time


class Callers(msgspec.Struct, array_like=True):
    """The calls of a day that tell who called, sorted by caller: each with its call, and the place of its bits among
    the sets of `bits` that there are.
    """

    callers: bytes = b""
    ids: bytes = b""
    places: bytes = b""
    bits: list[int] = []


class _Day:
    """The same as arrays, without the calls that another day has, too."""

    def __init__(self, stored: Callers) -> None:
        self.callers, self.ids = array(NUMBERS, stored.callers), array(NUMBERS, stored.ids)
        self.places, self.bits = array(PLACES, stored.places), stored.bits

    def take(self, shared: set[float]) -> list[tuple[tuple[float, float], int]]:
        """The calls with these ids, each with its bits; they are gone from here."""
        found = [place for place, each in enumerate(self.ids) if each in shared] if shared else []
        taken = [((self.callers[at], self.ids[at]), self.bits[self.places[at]]) for at in found]
        for at in reversed(found):
            del self.callers[at], self.places[at]
        return taken

    def between(self, low: float, high: float) -> Iterable[tuple[float, int]]:
        """The callers whose number lies there, with their bits."""
        begin, end = bisect_left(self.callers, low), bisect_left(self.callers, high)
        places = map(self.bits.__getitem__, self.places[begin:end])
        return zip(self.callers[begin:end].tolist(), places, strict=True)


def of(calls: Iterable[QueueCall], teams: Sequence[Members]) -> Callers:
    """The callers of a day; the bits of teams are in their order."""
    found: dict[tuple[float, float], int] = {}
    for place, call in enumerate(calls):
        if is_named(call):
            key = name(call.caller), id_of(call, place)
            found[key] = found.get(key, EVERYBODY) | _bits(call, teams)
    ordered = sorted(found)
    bits = sorted(set(found.values()))
    place_of = {each: place for place, each in enumerate(bits)}
    return Callers(
        array(NUMBERS, [caller for caller, _id in ordered]).tobytes(),
        array(NUMBERS, [call_id for _caller, call_id in ordered]).tobytes(),
        array(PLACES, [place_of[found[key]] for key in ordered]).tobytes(),
        bits,
    )


def count(days: Iterable[Callers], others: Callers, teams: int) -> list[int]:
    """How many callers called more than once: of all, and of each team; a call of two days is one.

    `days` follow each other; `others` are calls of any days.
    """
    opened = [_Day(each) for each in days]
    rest = _Day(others)
    shared = {each for one, other in pairwise(opened) for each in set(one.ids).intersection(other.ids)}
    of_rest = set(rest.ids)
    shared |= {each for day in opened if of_rest for each in of_rest.intersection(day.ids)}
    once: dict[tuple[float, float], int] = {}
    for key, bits in (pair for day in (*opened, rest) for pair in day.take(shared)):
        once[key] = once.get(key, 0) | bits
    twice: Counter[int] = Counter()
    edges = [piece * 2**NAME_BITS / PIECES for piece in range(PIECES + 1)]
    for low, high in pairwise(edges):
        of_shared = ((caller, bits) for (caller, _id), bits in once.items() if low <= caller < high)
        twice.update(_twice([*(day.between(low, high) for day in (*opened, rest)), of_shared], teams))
    return [sum(number for bits, number in twice.items() if bits >> place & 1) for place in range(teams + 1)]


def _twice(parts: Iterable[Iterable[tuple[float, int]]], teams: int) -> Iterator[int]:
    """For each caller that comes again the bits that come again."""
    width = teams + 1
    seen: dict[float, int] = {}  # the bits that came, and above them those that came again
    get = seen.get
    for part in parts:
        for caller, bits in part:
            # Most callers come once: nothing is counted for them.
            before = get(caller)
            seen[caller] = bits if before is None else before | bits | (before & bits) << width
    return (again for state in seen.values() if (again := state >> width))


def _bits(call: QueueCall, teams: Sequence[Members]) -> int:
    return sum(2 << place for place, members in enumerate(teams) if not members.isdisjoint(call.people))
