"""Calls from outside over some time, and how many of them nobody answered."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from accounts.limits import EVERYTHING, Limit
from wallboard.calls import within
from wallboard.calls.log import CALL_OF
from wallboard.calls.models import Leg


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
    counts = calls.filter(open_legs=0).aggregate(
        ended=Count("call"), answered=Count("call", filter=Q(answered_legs__gt=0))
    )
    return OutsideCalls(**counts)
