"""At which companies a look can find anything, asked in a few queries for all of them before any is looked at.

A kind is named for a company where its condition may hold by what is stored and by the time, or where something of it
is open or pending: that has to be followed until it is over. What is not named would be reported as nothing at all.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from datetime import datetime

import msgspec
from django.db.models import Count, Exists, OuterRef, TextField
from django.db.models.functions import Cast
from django.utils import timezone

from accounts.models import Domain
from wallboard.alerts import conditions
from wallboard.alerts.detecting import people, provider
from wallboard.calls.legs import IS_SPOKEN
from wallboard.calls.models import EventGap, Leg, Presence
from wallboard.desk.callbacks import INBOUND, LOOKBACK
from wallboard.queues import pacing
from wallboard.queues.models import PollState

Asked = Iterator[tuple[int, str]]  # domain id, kind


class _Waiting(msgspec.Struct):
    """The part of a stored figure that tells whether anybody waits in the queue."""

    waiting: int = 0
    available: int | None = None
    missing_since: int | None = None


_figures = msgspec.json.Decoder(dict[str, tuple[int, _Waiting]])


def often(domain_ids: Collection[int]) -> dict[int, set[str]]:
    """The kinds of looking.OFTEN to look for, by company; without those at which there is nothing to look for."""
    return _collected(_of_queues(domain_ids), _of_gaps(domain_ids), conditions.under_way(domain_ids))


def seldom(domain_ids: Collection[int]) -> dict[int, set[str]]:
    """The same of looking.SELDOM."""
    now = timezone.now()
    found = _of_people(domain_ids, now), _of_subscriptions(domain_ids, now), _of_callbacks(domain_ids, now)
    return _collected(*found, conditions.under_way(domain_ids))


def _collected(*asked: Asked) -> dict[int, set[str]]:
    found: dict[int, set[str]] = defaultdict(set)
    for each in asked:
        for domain_id, kind in each:
            found[domain_id].add(kind)
    return dict(found)


def _of_queues(domain_ids: Collection[int]) -> Asked:
    """Figures that are old by now, or callers who wait by those that are not."""
    now = timezone.now()
    states = PollState.objects.filter(domain__in=domain_ids, read_at__isnull=False).select_related("domain")
    # As text: of some kilobytes a few numbers are wanted.
    read = states.only("domain", "read_at", "domain__poll_seconds").annotate(text=Cast("figures", TextField()))
    for state in read:
        if state.read_at is not None and now - state.read_at > pacing.live_for(state.domain):
            yield state.domain_id, "figures"
        else:
            yield from ((state.domain_id, kind) for kind in _waited_for(state.text))


def _waited_for(figures: str) -> set[str]:
    """What may be wrong where callers wait; what cannot be read is looked at, so that somebody hears of it."""
    try:
        queues = _figures.decode(figures).values()
    except msgspec.MsgspecError:
        return {"nobody", "no_ring"}
    waiting = [queue for _, queue in queues if queue.waiting and queue.missing_since is None]
    return {"no_ring" if queue.available else "nobody" for queue in waiting if queue.available is not None}


def _of_gaps(domain_ids: Collection[int]) -> Asked:
    gaps = EventGap.objects.filter(domain__in=domain_ids, until=None)
    return ((domain_id, "events") for domain_id in gaps.values_list("domain_id", flat=True))


def _of_people(domain_ids: Collection[int], now: datetime) -> Asked:
    """Phones that may have missed enough calls in a row, and people whose status is over."""
    legs = Leg.objects.filter(domain__in=domain_ids, first_seen_at__gte=now - people.WINDOW, to_user__gt="", queue="")
    missed = legs.filter(ringing_at__isnull=False, ended_at__isnull=False, active_at=None, is_answered=False)
    often = missed.values("domain_id", "to_user").annotate(calls=Count("pk")).filter(calls__gte=people.FEWEST_RINGS)
    for domain_id in {row["domain_id"] for row in often}:
        yield domain_id, "phone"
    over = Presence.objects.filter(person__domain__in=domain_ids, overdue_since__gt=now - people.GIVEN_UP, status="")
    for domain_id in over.values_list("person__domain_id", flat=True).distinct():
        yield domain_id, "status"


def _of_subscriptions(domain_ids: Collection[int], now: datetime) -> Asked:
    failing = provider.failing(now).filter(domain__in=domain_ids)
    return ((domain_id, "subscription") for domain_id in failing.values_list("domain_id", flat=True))


def _of_callbacks(domain_ids: Collection[int], now: datetime) -> Asked:
    """Companies of which anybody called lately without being answered at that phone, or in that queue."""
    calls = Leg.objects.filter(INBOUND, domain=OuterRef("pk"), first_seen_at__gte=now - LOOKBACK)
    unanswered = calls.filter(caller_e164__startswith="+").exclude(IS_SPOKEN)
    found = Domain.objects.filter(Exists(unanswered), pk__in=domain_ids)
    return ((domain_id, "callback") for domain_id in found.values_list("pk", flat=True))
