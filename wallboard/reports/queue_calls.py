"""Calls of queues from raw legs: who came when, waited how long, and was answered by a person or left."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from accounts.models import Domain
from wallboard.calls.legs import LONGEST_CALL
from wallboard.calls.models import Leg

JOINED = timedelta(seconds=5)  # events of the answer and of the end of the wait come apart
MOST_LEGS = 400_000  # a page must not hold a process for minutes
COLUMNS = ("from_call_id", "from_number", "queue", "first_seen_at", "active_at", "ended_at", "is_human", "to_user")


class TooMany(Exception):
    """More calls than one page can count."""


class Span(Protocol):
    """From when until when calls came."""

    @property
    def begin(self) -> datetime: ...

    @property
    def end(self) -> datetime: ...


@dataclass(frozen=True)
class QueueCall:
    """One call offered to a queue; `caller` tells callers apart, "" for a number that was withheld.

    `people` are the extensions whose phones rang while the caller waited.
    """

    queue: str
    entered_at: datetime
    wait_seconds: float
    is_answered: bool
    is_open: bool = True  # whether the queue took calls then
    caller: str = ""
    people: frozenset[str] = frozenset()


@dataclass(frozen=True)
class QueueLeg:
    """The columns of a leg that count here."""

    call_id: str
    number: str
    queue: str
    seen_at: datetime
    active_at: datetime | None
    ended_at: datetime | None
    is_human: bool | None = None
    to_user: str = ""


def queue_calls(
    domain: Domain, period: Span, is_open: Callable[[str, datetime], bool], *, from_music: bool
) -> list[QueueCall]:
    """The calls that came to any queue in that time and are over there. Raises TooMany.

    The legs of a caller have to share a call id. `from_music`: a queue's leg counts as answered, so the wait
    begins there, after the greeting; else it begins with the leg.
    """
    rows = Leg.objects.filter(
        domain=domain, first_seen_at__gte=period.begin, first_seen_at__lt=period.end + LONGEST_CALL
    )
    relevant = rows.exclude(queue="", to_user="").values_list(*COLUMNS)[: MOST_LEGS + 1]
    legs = [QueueLeg(*row) for row in relevant.iterator()]
    if len(legs) > MOST_LEGS:
        raise TooMany
    return joined(legs, period, is_open, from_music=from_music)


def joined(
    legs: Iterable[QueueLeg],
    period: Span,
    is_open: Callable[[str, datetime], bool],
    *,
    from_music: bool,
) -> list[QueueCall]:
    """Each leg to a queue with what became of its caller."""
    by_call: dict[str, list[QueueLeg]] = defaultdict(list)
    for place, leg in enumerate(legs):
        # Without a caller's id every such leg would count as one huge call.
        by_call[leg.call_id or f"\n{place}"].append(leg)
    found = []
    for together in by_call.values():
        people = [leg for leg in together if not leg.queue and leg.is_human is not False]
        answers = [leg.active_at for leg in people if leg.active_at is not None]
        for leg in together:
            if leg.queue and leg.ended_at is not None and period.begin <= leg.seen_at < period.end:
                entered_at = leg.active_at or leg.seen_at if from_music else leg.seen_at
                answered_at = _answer(leg, answers)
                left_at = answered_at or leg.ended_at
                wait_seconds = max(0.0, (left_at - entered_at).total_seconds())
                is_answered = answered_at is not None
                opened = is_open(leg.queue, entered_at)
                rung = frozenset(each.to_user for each in people if leg.seen_at <= each.seen_at <= left_at)
                found.append(QueueCall(leg.queue, entered_at, wait_seconds, is_answered, opened, leg.number, rung))
    return found


def _answer(leg: QueueLeg, answers: Iterable[datetime]) -> datetime | None:
    """When a person answered who waited on this leg: later answers are of calls that were handed on."""
    if leg.ended_at is None:
        return None
    since, until = leg.seen_at, leg.ended_at + JOINED
    return min((at for at in answers if since <= at <= until and at >= leg.ended_at - JOINED), default=None)
