"""Who called more than once in any days, added up from what each day knows alone, so that no page counts callers.

Somebody who calls more than once within some days does so from one day on: that of their second call. So each day keeps
how many callers it is that day of, by how many days before it the days begin: the numbers of all days from the first
on, each taken at its distance from the first, are what repeat_callers.count() finds in the lists of all callers.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import accumulate, compress, pairwise

import msgspec

from wallboard.reports.rollups import repeat_callers
from wallboard.reports.rollups.repeat_callers import Callers

DAYS = 92  # as long as a report can be
Counts = Sequence[Sequence[int]]  # of everybody and of each team, by how many days before the days begin
Seen = tuple[int, float, int]  # how many days before, which call, its bits


def of(day: Callers, before: Mapping[int, Callers], teams: int) -> list[list[int]]:
    """The counts of a day; `before` are earlier days, by how many days earlier, as far as there are any."""
    seen = _seen(day, before)
    changes = [[0] * (DAYS + 1) for _ in range(teams + 1)]
    for calls in seen.values():
        if len(calls) > 1:
            for place, of_place in enumerate(changes):
                since, until = _from_until([(ago, call) for ago, call, bits in calls if bits >> place & 1])
                of_place[since] += 1
                of_place[until] -= 1
    return [list(accumulate(each))[:DAYS] for each in changes]


def added(days: Sequence[tuple[date, bytes]], teams: int) -> list[int] | None:
    """How many callers called more than once: of all, and of each team; None where these days, as they are stored, do
    not follow each other, or are too many.
    """
    if len(days) > DAYS or any(later - day != timedelta(days=1) for (day, _), (later, _) in pairwise(days)):
        return None
    found = [0] * (teams + 1)
    for ago, (_day, stored) in enumerate(days):
        for place, counts in enumerate(_DECODER.decode(stored)):
            found[place] += counts[ago]
    return found


def pack(counts: Counts) -> bytes:
    """As it is stored."""
    return msgspec.msgpack.encode(counts)


def _seen(day: Callers, before: Mapping[int, Callers]) -> dict[float, list[Seen]]:
    """All calls of those who called on the day, the newest first."""
    found: dict[float, list[Seen]] = defaultdict(list)
    _take(found, 0, day, None)
    wanted = frozenset(found)
    for ago in sorted(before):
        _take(found, ago, before[ago], wanted)
    return found


def _take(found: dict[float, list[Seen]], ago: int, day: Callers, wanted: frozenset[float] | None) -> None:
    for bits, callers, ids in repeat_callers.groups(day):
        pairs: Iterable[tuple[float, float]] = zip(callers, ids, strict=True)
        for caller, call in pairs if wanted is None else compress(pairs, map(wanted.__contains__, callers)):
            found[caller].append((ago, call, bits))


def _from_until(calls: Sequence[tuple[int, float]]) -> tuple[int, int]:
    """Of one caller, the newest call first: how many days before the day the days have to begin so that there are two
    calls in them, and so that there are two without that day. DAYS where there are none, or none on the day.
    """
    if not calls or calls[0][0]:
        return DAYS, DAYS
    return _until_two(calls), _until_two([(ago, call) for ago, call in calls if ago])


def _until_two(calls: Iterable[tuple[int, float]]) -> int:
    """How many days ago the second one of different calls was, the newest first; DAYS without one."""
    found = set[float]()
    for ago, call in calls:
        found.add(call)
        if len(found) > 1:
            return ago
    return DAYS


_DECODER = msgspec.msgpack.Decoder(list[list[int]])
