"""How long readings and samples are kept."""

from datetime import timedelta

from django.utils import timezone

from wallboard.queues.models import Reading, Sample

# Long enough to roll samples after an outage of the worker; then the minutes are what counts.
READINGS = timedelta(hours=3)
# A year to compare with, and some weeks.
SAMPLES = timedelta(days=400)


def forget_old() -> None:
    """Delete what is past its time; readings are samples by then."""
    now = timezone.now()
    Reading.objects.filter(read_at__lt=now - READINGS).delete()
    Sample.objects.filter(minute__lt=now - SAMPLES).delete()
