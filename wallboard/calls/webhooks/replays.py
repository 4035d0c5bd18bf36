"""Calls that are told long after they began: a capture that somebody replays. They are kept, but ring at no desk.

The provider signs nothing, so its own start of the call is all there is to go by. It counts from when we first heard of
any leg of the call, since callers wait long in queues; and only once other calls have shown that its zone is set right.
"""

from datetime import datetime, timedelta

from django.core.cache import cache
from django.db.models import Min
from django.utils import timezone

from accounts.company_day import zone_named
from wallboard.calls.models import Leg
from wallboard.telephony.messages import parse_time

LATEST = timedelta(minutes=10)
LOOKED_BACK = timedelta(days=1)
MOST_COMPARED = 50  # calls that may prove the zone
PROOF_SECONDS = 60


def is_old(leg: Leg, zone: str) -> bool:
    """Whether the call had begun long before we first heard of it; `zone` is that of the company's call times."""
    if not leg.started_text:
        return False
    began = parse_time(leg.started_text, zone_named(zone))
    if began is None or leg.first_seen_at - began <= LATEST:
        return False
    # Cheapest first, for each desk that a call rings: proof is looked for once a minute, the call's legs each time.
    # Where the zone is set wrong every call looks old.
    return is_proven(leg.domain_id, zone) and first_heard(leg) - began > LATEST


def first_heard(leg: Leg) -> datetime:
    """When any leg of this call was first heard of."""
    legs = Leg.objects.filter(domain_id=leg.domain_id, from_call_id=leg.from_call_id)
    first = legs.aggregate(at=Min("first_seen_at"))["at"] if leg.from_call_id else None
    return min(first or leg.first_seen_at, leg.first_seen_at)


def is_proven(domain_id: int, zone: str) -> bool:
    """Whether calls of the last day began about when we first heard of them: else the zone may be set wrong."""
    return bool(
        cache.get_or_set(f"call-zone-proven-{domain_id}-{zone}", lambda: _proof(domain_id, zone), PROOF_SECONDS)
    )


def _proof(domain_id: int, zone: str) -> bool:
    recent = Leg.objects.filter(domain_id=domain_id, first_seen_at__gt=timezone.now() - LOOKED_BACK)
    started = recent.exclude(started_text="").order_by("-first_seen_at").values_list("started_text", "first_seen_at")
    times = [(parse_time(text, zone_named(zone)), heard_at) for text, heard_at in started[:MOST_COMPARED]]
    # One call is enough: a wrong zone would put all of them off by hours.
    return any(began is not None and abs(heard_at - began) <= LATEST for began, heard_at in times)
