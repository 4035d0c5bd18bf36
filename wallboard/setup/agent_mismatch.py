"""Whether the provider's count of available agents can be true beside what the phones do.

Worked out when it is looked at, from what is kept anyway: at most so many phones can have been idle at any moment of
the last minutes, and at least so many agents of a queue were available all that time by the provider. Nobody whose
calls we do not see counts as busy, so a difference that is found is one.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Count, Exists, Min, OuterRef, QuerySet
from django.utils import timezone

from accounts.models import Domain, Person
from wallboard.calls.models import Presence
from wallboard.calls.subscriptions import health
from wallboard.queues.models import Queue, Sample

MINUTES = 5
BUSY = (Presence.State.CALLING, Presence.State.RINGING, Presence.State.TALKING)


@dataclass(frozen=True)
class Mismatch:
    """A queue in which more people are available than phones can be idle; `idle` is the most there can have been."""

    queue: Queue
    available: int
    idle: int


def of(domain: Domain) -> Mismatch | None:
    """The greatest difference that lasted for MINUTES; None where there is none, or while events are not live."""
    if health.of(domain.pk).state != "live":
        return None
    whole = _least_available([domain.pk])
    worst = max(whole, key=lambda row: row["available"], default=None)
    idle = most_idle(domain)
    if worst is None or worst["available"] <= idle:
        return None
    return Mismatch(Queue.objects.get(pk=worst["queue_id"]), worst["available"], idle)


def possible(domain_ids: Collection[int]) -> set[int]:
    """Of these companies those where there is such a difference, whether events are live or not; in two queries."""
    worst: dict[int, int] = {}
    for row in _least_available(domain_ids):
        domain_id = row["queue__domain_id"]
        worst[domain_id] = max(row["available"], worst.get(domain_id, 0))
    counts = _idle_people(worst).order_by().values("domain_id").annotate(idle=Count("pk"))
    idle = {row["domain_id"]: row["idle"] for row in counts}
    return {domain_id for domain_id, available in worst.items() if available > idle.get(domain_id, 0)}


def most_idle(domain: Domain) -> int:
    """How many phones can have been idle at any moment of the last MINUTES: all but those that were busy throughout."""
    return _idle_people([domain.pk]).count()


def _least_available(domain_ids: Collection[int]) -> Iterable[Any]:
    """The fewest agents of each queue shown that were available in any of the last MINUTES, where that is known."""
    # Whole minutes: the sample of this one is still being written.
    until = timezone.now().replace(second=0, microsecond=0)
    queues = Queue.objects.filter(domain__in=domain_ids, is_hidden=False)
    samples = Sample.objects.filter(queue__in=queues, minute__gte=until - timedelta(minutes=MINUTES), minute__lt=until)
    of_queue = samples.order_by().values("queue_id", "queue__domain_id")
    least = of_queue.annotate(available=Min("least_available"), minutes=Count("id"))
    # A minute without a reading proves nothing.
    return least.filter(minutes=MINUTES, available__isnull=False)


def _idle_people(domain_ids: Collection[int]) -> "QuerySet[Person]":
    # One more: the samples end with a whole minute, so they begin up to a minute earlier.
    began = timezone.now() - timedelta(minutes=MINUTES + 1)
    # Calls may name a queue as their user; that is nobody's phone.
    queue = Queue.objects.filter(domain=OuterRef("domain"), number=OuterRef("extension"))
    people = Person.objects.filter(~Exists(queue), domain__in=domain_ids)
    return people.exclude(presence__state__in=BUSY, presence__since__lte=began)
