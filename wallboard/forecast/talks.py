"""How long calls of queues keep people: talking, ringing, and what lies between two calls while somebody waits."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from wallboard.calls.legs import is_end_lost
from wallboard.forecast.waits import Sums
from wallboard.reports.queue_calls import JOINED

LONGEST_GAP_SECONDS = 180.0  # who takes longer between two calls was not at work
LONGEST_RING_SECONDS = 120.0


@dataclass(frozen=True)
class PersonLeg:
    """The columns of a leg to a queue, or to a person, that count here."""

    call_id: str
    queue: str
    user: str
    seen_at: datetime
    ringing_at: datetime | None
    active_at: datetime | None
    ended_at: datetime | None
    is_human: bool | None
    heard_at: datetime


@dataclass(frozen=True)
class Talk:
    """A call of a queue that a person answered."""

    queue: str
    user: str
    entered_at: datetime
    ringing_at: datetime | None
    answered_at: datetime
    ended_at: datetime


def by_queue(legs: Iterable[PersonLeg]) -> Mapping[str, Sums]:
    """The sums of each queue; the gaps are those before its calls."""
    found: dict[str, Sums] = defaultdict(Sums)
    last_end: dict[str, datetime] = {}
    for talk in sorted(_talks(legs), key=lambda talk: talk.answered_at):
        ring = (talk.answered_at - talk.ringing_at).total_seconds() if talk.ringing_at else -1.0
        has_rung = 0 <= ring <= LONGEST_RING_SECONDS
        before = last_end.get(talk.user)
        # The caller waited already when this person's call before was over.
        gap = (talk.answered_at - before).total_seconds() if before and talk.entered_at <= before else -1.0
        has_gap = 0 <= gap <= LONGEST_GAP_SECONDS
        found[talk.queue] += Sums(
            talk_seconds=(talk.ended_at - talk.answered_at).total_seconds(),
            talks=1,
            ring_seconds=ring if has_rung else 0.0,
            rings=has_rung,
            gap_seconds=gap if has_gap else 0.0,
            gaps=has_gap,
        )
        last_end[talk.user] = talk.ended_at
    return found


def _talks(legs: Iterable[PersonLeg]) -> list[Talk]:
    """Answered legs to people with the queue that they came through, in one call."""
    together: dict[str, list[PersonLeg]] = defaultdict(list)
    for leg in legs:
        together[leg.call_id].append(leg)
    found = []
    for call in together.values():
        queues = [leg for leg in call if leg.queue and leg.ended_at]
        for leg in call:
            if leg.queue or leg.is_human is False or leg.active_at is None or leg.ended_at is None:
                continue
            if is_end_lost(leg.ended_at, leg.heard_at):
                continue
            came = [each for each in queues if each.seen_at <= leg.active_at and _ends_at(each, leg.active_at)]
            if came:
                queue = came[-1]
                found.append(Talk(queue.queue, leg.user, queue.seen_at, leg.ringing_at, leg.active_at, leg.ended_at))
    return found


def _ends_at(queue: PersonLeg, moment: datetime) -> bool:
    return queue.ended_at is not None and abs(queue.ended_at - moment) <= JOINED
