"""The calls of many queues of a day as one row: of all that were shown, or of those that a limit lets somebody see.

In it are the waits of all these calls and of those that rang at a phone of each team. Who called is kept beside it.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from wallboard.reports.queue_calls import QueueCall
from wallboard.reports.rollups import call_sums, sum_keys
from wallboard.reports.rollups.call_sums import Counts, WaitCounts
from wallboard.reports.rollups.sum_keys import Members

EVERYBODY = ""  # among the keys of teams
OF_SET = " "
MANY, MOST_SETS = 20, 20


class Together(msgspec.Struct, array_like=True):
    """Calls of these queues: how many came to each, and the waits by team (its key)."""

    offered: dict[str, int] = {}
    waits: dict[str, WaitCounts] = {}


@dataclass(frozen=True)
class Queues:
    """The same over some time: of days that follow each other, and of calls beside them."""

    parts: Sequence[Together]
    teams: Sequence[str]  # their keys, in the order of their bits
    again: Sequence[int]  # callers who called more than once: of all, then of each team

    @property
    def offered(self) -> dict[str, int]:
        """How many calls came to each queue with any."""
        found: Counter[str] = Counter()
        for part in self.parts:
            found.update(part.offered)
        return dict(found)

    def counts(self, team: str = EVERYBODY) -> Counts:
        """The waits of all calls, or of those that rang at a phone of the team with that key."""
        return call_sums.counts(part.waits[team] for part in self.parts if team in part.waits)

    def repeated(self, team: str = EVERYBODY) -> int:
        """How many callers called more than once."""
        return self.again[self.teams.index(team) + 1 if team else 0]


def of(calls: Iterable[QueueCall], numbers: Collection[str], teams: Iterable[Members]) -> Together:
    """The calls of these queues."""
    counting = [call for call in calls if call.queue in numbers]
    waits = {EVERYBODY: call_sums.waits_of(counting)}
    for members in teams:
        rung = call_sums.waits_of(call for call in counting if not members.isdisjoint(call.people))
        waits[sum_keys.team_key(members)] = rung
    offered = Counter(call.queue for call in counting)
    return Together(dict(offered), waits)


def in_order(teams: Iterable[Members]) -> list[Members]:
    """The teams in the order of their bits."""
    return sorted(teams, key=sum_keys.team_key)


def pack(together: Together) -> bytes:
    """As it is stored."""
    return msgspec.msgpack.encode(together)


def unpack(stored: bytes | memoryview) -> Together:
    """What is stored."""
    return _DECODER.decode(stored)


def sets(limited: Iterable[frozenset[str]], numbers: frozenset[str]) -> Mapping[str, frozenset[str]]:
    """The sets of queues of which there are such rows beside the one of all: by what stands in place of a number.

    Only sets of many queues: few are read one by one. The largest ones, where there are too many.
    """
    found = {each & numbers for each in limited} - {numbers}
    many = sorted((each for each in found if len(each) >= MANY), key=lambda each: (-len(each), sorted(each)))
    return {set_key(each): each for each in many[:MOST_SETS]}


def set_key(numbers: frozenset[str]) -> str:
    """What stands in place of a number where a row is of these queues: no number begins with a space."""
    return OF_SET + sum_keys.queues_key(numbers)


def sets_key(limited: Iterable[frozenset[str]], numbers: frozenset[str]) -> str:
    """The key of all of these sets."""
    return sum_keys.queues_key(sets(limited, numbers))


_DECODER = msgspec.msgpack.Decoder(Together)
