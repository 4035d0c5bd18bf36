"""Calls of queues from raw legs: who came when, waited how long, and was answered by a person or left."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

import msgspec
from django.db.models import Q, QuerySet

from accounts.models import Domain
from wallboard.calls.legs import LONGEST_CALL, is_end_lost
from wallboard.calls.models import Leg

JOINED = timedelta(seconds=5)  # events of the answer and of the end of the wait come apart
MOST_LEGS = 400_000  # a page must not hold a process for minutes
COLUMNS = (
    *("from_call_id", "from_number", "queue", "first_seen_at", "active_at", "ended_at", "is_human", "to_user"),
    *("is_answered", "heard_at"),
)


class TooMany(Exception):
    """More calls than one page can count."""


class Span(Protocol):
    """From when until when calls came."""

    @property
    def begin(self) -> datetime: ...

    @property
    def end(self) -> datetime: ...


class QueueCall(msgspec.Struct, frozen=True, array_like=True):
    """One call offered to a queue; `caller` is the number, which may be withheld, and `call_id` that of the caller.

    `people` are the extensions whose phones rang while the caller waited.
    """

    queue: str
    entered_at: datetime
    wait_seconds: float
    is_answered: bool
    is_open: bool = True  # whether the queue took calls then
    caller: str = ""
    people: frozenset[str] = frozenset()
    call_id: str = ""


@dataclass(frozen=True, slots=True)
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
    is_answered: bool = False
    heard_at: datetime | None = None

    @property
    def is_lost(self) -> bool:
        """Whether its end was never told: it was closed hours later, so nobody knows how long the caller waited."""
        return self.heard_at is not None and is_end_lost(self.ended_at, self.heard_at)


def queue_calls(
    domain: Domain, period: Span, is_open: Callable[[str, datetime], bool], *, from_music: bool, number: str = ""
) -> list[QueueCall]:
    """The calls that came to any queue, or to that one, in that time and are over there. Raises TooMany.

    The legs of a caller have to share a call id. `from_music`: a queue's leg counts as answered, so the wait
    begins there, after the greeting; else it begins with the leg.
    """
    rows = legs_of_queue_calls(domain, period.begin, period.end + LONGEST_CALL, number)
    legs = [QueueLeg(*row) for row in rows.values_list(*COLUMNS).iterator()]
    found = joined(legs, period, is_open, from_music=from_music)
    return [call for call in found if call.queue == number] if number else found


def legs_of_queue_calls(domain: Domain, begin: datetime, end: datetime, number: str = "") -> QuerySet[Leg]:
    """Legs to queues, or to that one, of that time, and all others to queues and people in the same calls.

    Raises TooMany before any is loaded.
    """
    rows = Leg.objects.filter(domain=domain, first_seen_at__gte=begin, first_seen_at__lt=end)
    to_queue = Q(queue=number) if number else ~Q(queue="")
    named = rows.filter(to_queue).exclude(from_call_id="").values("from_call_id")
    relevant = rows.exclude(queue="", to_user="").filter(to_queue | Q(from_call_id__in=named))
    if relevant.values("pk")[MOST_LEGS : MOST_LEGS + 1].exists():
        raise TooMany
    return relevant


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
    for call_id, together in by_call.items():
        people = [leg for leg in together if not leg.queue and leg.is_human is not False]
        answers = _answers([leg for leg in together if leg.queue and not leg.is_lost], people)
        for leg in together:
            if leg.queue and leg.ended_at and not leg.is_lost and period.begin <= leg.seen_at < period.end:
                entered_at = leg.active_at or leg.seen_at if from_music else leg.seen_at
                answered_at = answers.get(leg)
                left_at = answered_at or leg.ended_at
                wait_seconds = max(0.0, (left_at - entered_at).total_seconds())
                is_answered = answered_at is not None
                opened = is_open(leg.queue, entered_at)
                rung = frozenset(each.to_user for each in people if leg.seen_at <= each.seen_at <= left_at)
                found.append(
                    QueueCall(leg.queue, entered_at, wait_seconds, is_answered, opened, leg.number, rung, call_id)
                )
    return found


def _answers(queues: Iterable[QueueLeg], people: Iterable[QueueLeg]) -> dict[QueueLeg, datetime]:
    """When a person answered who waited on each of these legs: later answers are of calls that were handed on.

    Where two queues fit, a caller was handed from one to the next, and answered in the one they came to last.
    """
    found: dict[QueueLeg, datetime] = {}
    ordered = sorted(queues, key=lambda leg: leg.seen_at, reverse=True)
    for person in people:
        for queue in ordered:
            at = _answered_at(person, queue)
            if at is not None:
                found[queue] = min(at, found.get(queue, at))
                break
    return found


def _answered_at(person: QueueLeg, queue: QueueLeg) -> datetime | None:
    """When this person answered the caller who waited on that leg; None where they did not."""
    ended_at = queue.ended_at
    if ended_at is None:
        return None
    at = person.active_at
    if at is None and person.is_answered and person.ended_at is not None and person.ended_at >= ended_at - JOINED:
        # The event of the answer was lost: it took the caller out of the queue.
        at = max(ended_at, person.seen_at)
    if at is None or not queue.seen_at <= at <= ended_at + JOINED:
        return None
    # A provider may keep the queue's leg up while people talk: then the phone has to have rung from there.
    return at if at >= ended_at - JOINED or person.seen_at >= queue.seen_at else None
