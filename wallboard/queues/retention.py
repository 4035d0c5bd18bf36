"""How long readings and samples are kept."""

from datetime import datetime, timedelta

from django.db.models import OuterRef, Subquery
from django.utils import timezone

from accounts.models import Domain
from wallboard.queues.models import Queue, Reading, Sample

# Long enough to roll samples after an outage of the worker; then the minutes are what counts.
READINGS = timedelta(hours=3)
PIECE = timedelta(minutes=30)  # of samples, forgotten at once


def forget_old() -> None:
    """Delete what is past its time; readings are samples by then."""
    now = timezone.now()
    Reading.objects.filter(read_at__lt=now - READINGS).delete()
    for domain in Domain.objects.all():
        _forget_samples(domain, now - timedelta(days=domain.samples_kept_days))


def oldest_minute(domain: Domain) -> datetime | None:
    """The oldest sample of the company."""
    # Per queue, so that an index answers it.
    oldest = Sample.objects.filter(queue=OuterRef("pk")).order_by("minute").values("minute")[:1]
    queues = Queue.objects.filter(domain=domain).order_by().annotate(oldest=Subquery(oldest))
    return min((each for each in queues.values_list("oldest", flat=True) if each is not None), default=None)


def _forget_samples(domain: Domain, before: datetime) -> None:
    """In pieces, each committed: after a long outage one statement would hold up whoever writes."""
    queues = list(Queue.objects.filter(domain=domain).order_by().values_list("pk", flat=True))
    while (oldest := oldest_minute(domain)) and oldest < before:
        Sample.objects.filter(queue__in=queues, minute__lt=min(before, oldest + PIECE)).delete()
