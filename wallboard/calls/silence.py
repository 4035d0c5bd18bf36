"""Callers whom the polled figures show and no call event told of: the one sign that the webhook is silently deaf."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from django.utils import timezone

from wallboard.calls.models import Subscription
from wallboard.queues.models import Sample

LONGEST_QUIET = timedelta(minutes=10)  # a lone caller who waits changes nothing for so long
LOOKED_BACK = timedelta(hours=1)
FEWEST = 3  # callers; one or two may be a figure that jumped


@dataclass(frozen=True)
class Silence:
    """At least so many callers reached the queues since the last call event, which came at `since`."""

    since: datetime
    callers: int


def of(domain_id: int) -> Silence | None:
    """The silence of a company whose subscription for calls seems to stand; None where there is none."""
    now = timezone.now()
    ready = Subscription.objects.filter(
        domain_id=domain_id, kind=Subscription.Kind.CALLS, state=Subscription.State.READY
    )
    heard = [each.heard_at or each.ready_at or each.created_at for each in ready]
    if not heard or now - max(heard) < LONGEST_QUIET:
        return None
    callers = arrivals(domain_id, max(max(heard), now - LOOKED_BACK))
    return Silence(max(heard), callers) if callers >= FEWEST else None


def arrivals(domain_id: int, since: datetime) -> int:
    """How many callers must have joined since then: wherever more waited in a minute than in the one before."""
    samples = Sample.objects.filter(queue__domain_id=domain_id, minute__gt=since).order_by("queue_id", "minute")
    by_queue: dict[int, list[int]] = defaultdict(list)
    for queue_id, most in samples.values_list("queue_id", "most_waiting"):
        by_queue[queue_id].append(most)
    return sum(max(0, after - before) for most in by_queue.values() for before, after in pairwise(most))
