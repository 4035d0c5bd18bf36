"""Calls that are told long after they began: a capture that somebody replays. They are kept, but ring at no desk.

The provider signs nothing, so its own start of the call is all there is to go by: that of the caller, who may have
waited long in a queue or talked long to a colleague. So it counts from when we first heard of any leg of the call, and
only once other calls have shown that its zone is set right.
"""

from datetime import datetime, timedelta

from django.core.cache import cache
from django.db.models import Min, Q
from django.utils import timezone

from accounts.company_day import zone_named
from wallboard.calls.legs import LONGEST_CALL
from wallboard.calls.models import Leg
from wallboard.queues.models import Queue
from wallboard.telephony.messages import parse_time

LATEST = timedelta(minutes=10)
# Where the provider tells of no caller before a phone rings for them.
LATEST_FROM_HIDDEN_QUEUES = timedelta(minutes=55)
LOOKED_BACK = timedelta(days=1)
MOST_COMPARED = 50  # calls that may prove the zone
PROOF_SECONDS = 60


def is_old(leg: Leg, zone: str) -> bool:
    """Whether the call had begun long before we first heard of it; `zone` is that of the company's call times."""
    if not leg.started_text:
        return False
    began = _began(leg.started_text, zone)
    if began is None or leg.first_seen_at - began <= LATEST:
        return False
    # Cheapest first, for each desk that a call rings: proof is looked for once a minute, the call's legs each time.
    # Where the zone is set wrong every call looks old.
    if not is_proven(leg.domain_id, zone):
        return False
    latest = LATEST_FROM_HIDDEN_QUEUES if hides_queues(leg.domain_id) else LATEST
    return first_heard(leg, began) - began > latest


def first_heard(leg: Leg, began: datetime) -> datetime:
    """When any leg of this call, which began then, was first heard of."""
    # A provider may give each leg a caller's id of its own: the same number began at the same moment, or the leg that
    # this one was made from is named.
    same = Q(from_call_id=leg.from_call_id) if leg.from_call_id else Q(pk=leg.pk)
    if leg.caller_e164:
        same |= Q(caller_e164=leg.caller_e164, started_text=leg.started_text)
    if leg.by_call_id:
        same |= Q(from_call_id=leg.by_call_id) | Q(to_call_id=leg.by_call_id)
    # What the provider says of the beginning may be years off.
    earliest = max(began - LATEST, leg.first_seen_at - LONGEST_CALL)
    since_then = Leg.objects.filter(domain_id=leg.domain_id, first_seen_at__range=(earliest, leg.first_seen_at))
    return since_then.filter(same).aggregate(at=Min("first_seen_at"))["at"] or leg.first_seen_at


def hides_queues(domain_id: int) -> bool:
    """Whether the company has queues, and none of its calls of the last day was heard of while it waited in one."""
    return bool(cache.get_or_set(f"calls-hide-queues-{domain_id}", lambda: _hides_queues(domain_id), PROOF_SECONDS))


def _hides_queues(domain_id: int) -> bool:
    recent = Leg.objects.filter(domain_id=domain_id, first_seen_at__gt=timezone.now() - LOOKED_BACK)
    return Queue.objects.filter(domain_id=domain_id).exists() and not recent.exclude(queue="").exists()


def _began(text: str, zone: str) -> datetime | None:
    # Of the hour that a clock repeats the later one: too late a beginning silences nobody.
    return parse_time(text, zone_named(zone), fold=1)


def is_proven(domain_id: int, zone: str) -> bool:
    """Whether calls of the last day began about when we first heard of them: else the zone may be set wrong."""
    return bool(
        cache.get_or_set(f"call-zone-proven-{domain_id}-{zone}", lambda: _proof(domain_id, zone), PROOF_SECONDS)
    )


def _proof(domain_id: int, zone: str) -> bool:
    recent = Leg.objects.filter(domain_id=domain_id, first_seen_at__gt=timezone.now() - LOOKED_BACK)
    started = recent.exclude(started_text="").order_by("-first_seen_at").values_list("started_text", "first_seen_at")
    times = [(_began(text, zone), heard_at) for text, heard_at in started[:MOST_COMPARED]]
    # One call is enough: a wrong zone would put all of them off by hours.
    return any(began is not None and abs(heard_at - began) <= LATEST for began, heard_at in times)
