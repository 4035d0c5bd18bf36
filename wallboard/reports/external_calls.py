"""Calls from outside over some time, and how many of them nobody answered."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Min, Q, QuerySet

from accounts.limits import EVERYTHING, Limit
from wallboard.calls import visible_calls
from wallboard.calls.legs import IS_SPOKEN, LONGEST_CALL
from wallboard.calls.log.newest import CALL_OF
from wallboard.calls.models import Leg

Span = tuple[datetime, datetime]  # from, until
SPANS_AT_ONCE = 31  # counted in one query, each in two columns of it
IS_ANSWERED = Q(answered_legs__gt=0)


@dataclass(frozen=True)
class ExternalCalls:
    """Calls from outside that are over, and how many of them a person answered."""

    ended: int
    answered: int

    @property
    def unanswered(self) -> int:
        """Calls that ended before any person answered."""
        return self.ended - self.answered


def external_calls(
    domain_id: int,
    since: datetime,
    until: datetime | None = None,
    limit: Limit = EVERYTHING,
    queues: Collection[str] | None = None,
) -> ExternalCalls:
    """Calls from outside that began in that time and are over, or those of them that went to these queues.

    Legs of one call are counted once.

    Derived: the provider does not say what became of a call. A leg to a queue or to a machine answers nobody.
    """
    calls = _ended_calls(domain_id, since, until, limit, queues)
    return ExternalCalls(**calls.aggregate(ended=Count("call"), answered=Count("call", filter=IS_ANSWERED)))


def external_calls_by_span(domain_id: int, spans: Sequence[Span], limit: Limit = EVERYTHING) -> list[ExternalCalls]:
    """The same for each of several spans, in order of time, by the beginning of each call; a query for every month."""
    found = []
    for some in batched(spans, SPANS_AT_ONCE):
        calls = _ended_calls(domain_id, some[0][0], some[-1][1], limit)
        counts: dict[str, Count] = {}
        for index, (begin, end) in enumerate(some):
            is_then = Q(began__gte=begin, began__lt=end)
            counts[f"ended_{index}"] = Count("call", filter=is_then)
            counts[f"answered_{index}"] = Count("call", filter=is_then & IS_ANSWERED)
        counted = calls.aggregate(**counts)
        found += [ExternalCalls(counted[f"ended_{each}"], counted[f"answered_{each}"]) for each in range(len(some))]
    return found


def _ended_calls(
    domain_id: int, since: datetime, until: datetime | None, limit: Limit, queues: Collection[str] | None = None
) -> QuerySet[Any, Any]:
    """Calls that began then and are over as rows with `call`, `began` and `answered_legs`, those a person answered.

    A call began with its first leg: one over midnight counts on the day before, with all of its legs.
    """
    # Legs beyond the time decide when a call of its edge began, and whether anybody answered it.
    earliest = since - LONGEST_CALL
    legs = Leg.objects.filter(domain_id=domain_id, first_seen_at__gte=earliest, from_user="")
    if until is not None:
        legs = legs.filter(first_seen_at__lt=until + LONGEST_CALL)
    if queues is not None:
        # Without `until`: a call that began in time may come to the queue later.
        to_these = Leg.objects.filter(domain_id=domain_id, first_seen_at__gte=earliest, queue__in=queues)
        named = to_these.exclude(from_call_id="").values("from_call_id")
        legs = legs.filter(Q(from_call_id__in=named) | Q(from_call_id="", queue__in=queues))
    legs = visible_calls.shown(legs, domain_id, limit)
    calls = legs.values(call=CALL_OF).annotate(
        began=Min("first_seen_at"),
        open_legs=Count("id", filter=Q(ended_at=None)),
        answered_legs=Count("id", filter=IS_SPOKEN),
    )
    began_then = Q(began__gte=since) if until is None else Q(began__gte=since, began__lt=until)
    # A call is over when its last leg is.
    return calls.filter(began_then, open_legs=0)


def batched(spans: Sequence[Span], size: int) -> list[Sequence[Span]]:
    """The spans in pieces of at most that many."""
    return [spans[start : start + size] for start in range(0, len(spans), size)]
