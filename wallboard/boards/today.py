"""A board's figures of today: time over target, and calls from outside that nobody answered."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Q, QuerySet, Sum
from django.utils import timezone

from accounts import days
from accounts.limits import EVERYTHING, Limit
from wallboard.boards import layout
from wallboard.boards.models import Board
from wallboard.calls import within
from wallboard.calls.log import CALL_OF
from wallboard.calls.models import Leg
from wallboard.queues.models import Queue, Sample

KEY = "today"
EDIT_BITS = 20  # with the minute 45 in all: scripts and Redis count exactly up to 53


def documents(board: Board) -> dict[str, tuple[int, Any]]:
    """The `today` document of the feed `board:<id>`."""
    now = timezone.now().replace(second=0, microsecond=0)
    return {KEY: (version_of(board, now), figures(board, now))}


def version_of(board: Board, now: datetime) -> int:
    """The version of what is counted each minute: the minute, and within it the edits of the board."""
    return (int(now.timestamp()) // 60 << EDIT_BITS) + board.version % (1 << EDIT_BITS)


def figures(board: Board, now: datetime) -> dict[str, Any]:
    """What `documents` holds: times in ms, `late_seconds` with at least one shown queue late, calls as counts."""
    since = days.start(board.domain, now)
    calls = outside_calls(board.domain_id, since)
    return {
        "at": int(now.timestamp() * 1000),
        "since": int(since.timestamp() * 1000),
        "late_seconds": late_seconds(board, since),
        "ended": calls.ended,
        "unanswered": calls.unanswered,
    }


def shown_queues(board: Board) -> QuerySet[Queue]:
    """The queues that the board shows, hidden ones never."""
    queues = Queue.objects.filter(domain_id=board.domain_id, is_hidden=False)
    chosen = layout.of(board).covered
    return queues if chosen is None else queues.filter(number__in=chosen)


def late_seconds(board: Board, since: datetime) -> int:
    """Seconds since then in which at least one shown queue was late: per minute, the latest queue counts."""
    samples = Sample.objects.filter(queue__in=shown_queues(board), minute__gte=since)
    by_minute = samples.values("minute").annotate(worst=Max("late_seconds"))
    return round(by_minute.aggregate(total=Sum("worst"))["total"] or 0)


@dataclass(frozen=True)
class OutsideCalls:
    """Calls from outside that are over, and how many of them a person answered."""

    ended: int
    answered: int

    @property
    def unanswered(self) -> int:
        """Calls that ended before any person answered."""
        return self.ended - self.answered


def outside_calls(
    domain_id: int,
    since: datetime,
    until: datetime | None = None,
    sight: Limit = EVERYTHING,
    queues: Collection[str] | None = None,
) -> OutsideCalls:
    """Calls from outside that began in that time and are over, or those of them that went to these queues.

    Legs of one call are counted once.

    Derived: the provider does not say what became of a call. A leg to a queue or to a machine answers nobody.
    """
    legs = Leg.objects.filter(domain_id=domain_id, first_seen_at__gte=since, from_user="")
    if until is not None:
        legs = legs.filter(first_seen_at__lt=until)
    if queues is not None:
        to_these = Leg.objects.filter(domain_id=domain_id, first_seen_at__gte=since, queue__in=queues)
        named = to_these.exclude(from_call_id="").values("from_call_id")
        legs = legs.filter(Q(from_call_id__in=named) | Q(from_call_id="", queue__in=queues))
    legs = within.shown(legs, domain_id, sight)
    by_person = Q(is_answered=True, queue="") & ~Q(is_human=False)
    calls = legs.values(call=CALL_OF).annotate(
        open_legs=Count("id", filter=Q(ended_at=None)), answered_legs=Count("id", filter=by_person)
    )
    ended = [call["answered_legs"] for call in calls if not call["open_legs"]]
    return OutsideCalls(len(ended), sum(count > 0 for count in ended))
