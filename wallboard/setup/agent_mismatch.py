"""Whether the provider's count of available agents can be true beside what the phones do.

Worked out when it is looked at, from what is kept anyway: at most so many phones can have been idle at any moment of
the last minutes, and at least so many agents of a queue were available all that time by the provider. Nobody whose
calls we do not see counts as busy, so a difference that is found is one.
"""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Min
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
    # Whole minutes: the sample of this one is still being written.
    until = timezone.now().replace(second=0, microsecond=0)
    queues = {queue.pk: queue for queue in Queue.objects.filter(domain=domain, is_hidden=False)}
    samples = Sample.objects.filter(queue__in=queues, minute__gte=until - timedelta(minutes=MINUTES), minute__lt=until)
    least = samples.values("queue_id").annotate(available=Min("least_available"), minutes=Count("id"))
    # A minute without a reading proves nothing.
    whole = [row for row in least if row["minutes"] == MINUTES and row["available"] is not None]
    worst = max(whole, key=lambda row: row["available"], default=None)
    idle = most_idle(domain)
    if worst is None or worst["available"] <= idle:
        return None
    return Mismatch(queues[worst["queue_id"]], worst["available"], idle)


def most_idle(domain: Domain) -> int:
    """How many phones can have been idle at any moment of the last MINUTES: all but those that were busy throughout."""
    # One more: the samples end with a whole minute, so they begin up to a minute earlier.
    began = timezone.now() - timedelta(minutes=MINUTES + 1)
    numbers = Queue.objects.filter(domain=domain).values("number")
    # Calls may name a queue as their user; that is nobody's phone.
    people = Person.objects.filter(domain=domain).exclude(extension__in=numbers)
    return people.exclude(presence__state__in=BUSY, presence__since__lte=began).count()
