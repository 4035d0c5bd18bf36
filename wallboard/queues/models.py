"""Queues, what they should keep to, and what was read."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Domain


class Level(models.TextChoices):
    """How a queue stands against its targets."""

    NORMAL = "normal", _("normal")
    WATCH = "watch", _("watch")
    LATE = "late", _("late")


class Queue(models.Model):
    """A call queue, known by the provider's number; the name is ours."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="queues")
    number = models.CharField(max_length=64)
    name = models.CharField(max_length=120, blank=True)
    order = models.IntegerField(default=0)
    is_hidden = models.BooleanField(default=False)
    version = models.BigIntegerField(default=1)
    first_seen_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["order", "number"]
        constraints = [models.UniqueConstraint(fields=["domain", "number"], name="one_queue_per_number")]

    def __str__(self) -> str:
        return self.name or self.number


class Target(models.Model):
    """Warn and alarm levels: of one queue, or of the whole domain where `queue` is empty. Empty means inherited or none."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="targets")
    queue = models.OneToOneField(Queue, models.CASCADE, null=True, blank=True, related_name="target")
    longest_wait_watch_seconds = models.PositiveIntegerField(null=True, blank=True)
    longest_wait_late_seconds = models.PositiveIntegerField(null=True, blank=True)
    waiting_watch = models.PositiveIntegerField(null=True, blank=True)
    waiting_late = models.PositiveIntegerField(null=True, blank=True)
    available_watch_below = models.PositiveIntegerField(null=True, blank=True)
    available_late_below = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["domain"], condition=models.Q(queue__isnull=True), name="one_default_target_per_domain"
            )
        ]


class Reading(models.Model):
    """One answer of the provider for a whole domain: {number: figures}; kept for some hours."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="readings")
    read_at = models.DateTimeField()
    figures = models.JSONField()

    class Meta:
        indexes = [models.Index(fields=["domain", "read_at"])]


class PollState(models.Model):
    """How polling a domain goes: the newest reading, the last failure, and the fence of the last owner."""

    domain = models.OneToOneField(Domain, models.CASCADE, related_name="poll_state")
    version = models.BigIntegerField(default=0)
    fence = models.BigIntegerField(default=0)
    read_at = models.DateTimeField(null=True, blank=True)
    figures = models.JSONField(default=dict)
    tried_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    failure = models.CharField(max_length=32, blank=True)
    failures = models.PositiveIntegerField(default=0)
    not_before = models.DateTimeField(null=True, blank=True)
    rolled_until = models.DateTimeField(null=True, blank=True)


class Sample(models.Model):
    """One minute of one queue, rolled up from the readings in it."""

    queue = models.ForeignKey(Queue, models.CASCADE, related_name="samples")
    minute = models.DateTimeField()
    readings = models.PositiveIntegerField()
    waiting = models.FloatField()
    most_waiting = models.PositiveIntegerField()
    longest_wait_seconds = models.PositiveIntegerField()
    average_wait_seconds = models.FloatField(null=True)
    agents = models.PositiveIntegerField()
    least_available = models.PositiveIntegerField()
    watch_seconds = models.FloatField()
    late_seconds = models.FloatField()
    nobody_seconds = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["queue", "minute"], name="one_sample_per_minute")]
        indexes = [models.Index(fields=["minute"])]
