"""How long readings and samples are kept."""

from datetime import datetime, timedelta

from django.utils import timezone

from wallboard.queues.models import Reading, Sample

# Long enough to roll samples after an outage of the worker; then the minutes are what counts.
READINGS = timedelta(hours=3)
# A year to compare with, and some weeks.
SAMPLES = timedelta(days=400)
PIECE = timedelta(minutes=30)  # of samples, forgotten at once


def forget_old() -> None:
    """Delete what is past its time; readings are samples by then."""
    now = timezone.now()
    Reading.objects.filter(read_at__lt=now - READINGS).delete()
    _forget_samples(now - SAMPLES)


def _forget_samples(before: datetime) -> None:
    """In pieces, each committed: after a long outage one statement would hold up whoever writes."""
    while (oldest := Sample.objects.order_by("minute").values_list("minute", flat=True).first()) and oldest < before:
        Sample.objects.filter(minute__lt=min(before, oldest + PIECE)).delete()
