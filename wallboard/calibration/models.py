"""What was found out about a company's provider, and how far its observations were taken in."""

from django.db import models

from accounts.models import Domain, Person
from wallboard.queues.json_field import WholeJson


class Progress(models.Model):
    """How far observations were taken in, and the floor as it was then (floor_view.FloorView as JSON)."""

    domain = models.OneToOneField(Domain, models.CASCADE, related_name="+")
    view = models.TextField(blank=True)
    delivery_id = models.BigIntegerField(default=0)
    reading_id = models.BigIntegerField(default=0)
    taken_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "progress"


class Finding(models.Model):
    """Where one question stands: its counters (as JSON), and the judgement that follows from them.

    `overruled` is what an administrator says instead; the judgement goes on beside it.
    """

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="findings")
    question = models.CharField(max_length=32)
    state = models.TextField(blank=True)
    answer = models.CharField(max_length=32, blank=True)
    verdict = models.CharField(max_length=12, default="unknown")
    since = models.DateTimeField(null=True, blank=True)
    value = models.FloatField(null=True, blank=True)
    runs = WholeJson(null=True)  # [[answer, since, until or null], ...] in seconds since 1970, oldest first
    overruled = models.CharField(max_length=32, blank=True)
    overruled_at = models.DateTimeField(null=True, blank=True)
    overruled_by = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="+")
    overruled_name = models.CharField(max_length=200, blank=True)  # stays when the person is deleted

    class Meta:
        constraints = [models.UniqueConstraint(fields=["domain", "question"], name="one_finding_per_question")]

    def __str__(self) -> str:
        return self.question
