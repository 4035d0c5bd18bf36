"""What boards showed: runs of the recorder, and what the feeds held during them."""

from django.db import models

from accounts.models import Domain


class Run(models.Model):
    """A time without a gap in which the recorder saw a company's feeds: from `begins` until `ends`, which is excluded.

    Whole seconds since 1970 by Redis' clock, as everywhere in this room. What is in no run is not known.
    """

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="+")
    begins = models.BigIntegerField()
    ends = models.BigIntegerField()

    class Meta:
        indexes = [models.Index(fields=["domain", "ends"])]

    def __str__(self) -> str:
        return f"{self.begins} to {self.ends}"


class Span(models.Model):
    """What the feeds of one track (tracks.py) held for some minutes: a key frame and every change after it (stream.py).

    `ends` is null while it grows: it then reaches as far as its run. `version` counts how often it was written anew
    without what was erased; a recorder that knows another one must not write over it.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="spans")
    domain = models.ForeignKey(Domain, models.CASCADE, related_name="+")
    track = models.CharField(max_length=40)
    begins = models.BigIntegerField()
    ends = models.BigIntegerField(null=True)
    data = models.BinaryField()
    version = models.PositiveIntegerField(default=1)

    class Meta:
        indexes = [
            models.Index(fields=["run", "track", "begins"]),
            # For deleting what is past its time.
            models.Index(fields=["domain", "ends"]),
        ]

    def __str__(self) -> str:
        return f"{self.track} from {self.begins}"


class Departure(models.Model):
    """Somebody who was deleted, until the worker has taken them out of what was recorded; several with former names."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="+")
    extension = models.CharField(max_length=64)
    name = models.CharField(max_length=200, blank=True)

    def __str__(self) -> str:
        return self.extension
