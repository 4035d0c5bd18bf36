"""Queues, what they should keep to, and what was read."""

from collections.abc import Collection
from datetime import datetime

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Domain
from wallboard.queues.json_field import WholeJson


class Level(models.TextChoices):
    """How a queue stands against its targets."""

    NORMAL = "normal", _("normal")
    WATCH = "watch", _("watch")
    LATE = "late", _("late")


class Queue(models.Model):
    """A call queue, known by the provider's number; the name is ours, and so is the group it is offered in.

    `mistaken_since`: from then on calls to the number may have passed for a person's, until they were put right.
    """

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="queues")
    number = models.CharField(max_length=64)
    name = models.CharField(max_length=120, blank=True)
    order = models.IntegerField(default=0)
    is_hidden = models.BooleanField(default=False)
    group = models.CharField(max_length=60, blank=True)
    # Orders the documents of the feed: older ones are dropped there.
    version = models.BigIntegerField(default=1)
    first_seen_at = models.DateTimeField(auto_now_add=True)
    mistaken_since = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["order", "number"]
        constraints = [models.UniqueConstraint(fields=["domain", "number"], name="one_queue_per_number")]

    def __str__(self) -> str:
        return self.name or self.number


class Target(models.Model):
    """Watch and late levels: of one queue, or of the domain where `queue` is empty. Empty means inherited or none."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="targets")
    queue = models.OneToOneField(Queue, models.CASCADE, null=True, blank=True, related_name="target")
    longest_wait_watch_seconds = models.PositiveIntegerField(null=True, blank=True)
    longest_wait_late_seconds = models.PositiveIntegerField(null=True, blank=True)
    waiting_watch = models.PositiveIntegerField(null=True, blank=True)
    waiting_late = models.PositiveIntegerField(null=True, blank=True)
    available_watch_below = models.PositiveIntegerField(null=True, blank=True)
    available_late_below = models.PositiveIntegerField(null=True, blank=True)
    average_wait_watch_seconds = models.PositiveIntegerField(null=True, blank=True)
    average_wait_late_seconds = models.PositiveIntegerField(null=True, blank=True)
    # In percent of the calls of today; of no reading, so no level of the queue depends on it.
    service_watch_below = models.PositiveIntegerField(null=True, blank=True, validators=[MaxValueValidator(100)])
    service_late_below = models.PositiveIntegerField(null=True, blank=True, validators=[MaxValueValidator(100)])

    class Meta:
        # A unique queue does not hold for rows without one: NULLs are all different to a database.
        constraints = [
            models.UniqueConstraint(
                fields=["domain"], condition=models.Q(queue__isnull=True), name="one_default_target_per_domain"
            )
        ]

    def __str__(self) -> str:
        return str(self.queue) if self.queue is not None else str(_("every other queue"))

    def clean(self) -> None:
        """A target's queue belongs to the target's domain; late is never milder than watch."""
        if self.queue is not None and self.queue.domain_id != self.domain_id:
            raise ValidationError({"queue": _("This queue belongs to another domain.")})
        for watch, late, is_worse in (
            (self.longest_wait_watch_seconds, self.longest_wait_late_seconds, int.__lt__),
            (self.waiting_watch, self.waiting_late, int.__lt__),
            (self.available_watch_below, self.available_late_below, int.__gt__),
            (self.average_wait_watch_seconds, self.average_wait_late_seconds, int.__lt__),
            (self.service_watch_below, self.service_late_below, int.__gt__),
        ):
            if watch is not None and late is not None and is_worse(late, watch):
                raise ValidationError(_("The late level must not be reached before the watch level."))


class Hours(models.Model):
    """When a queue takes calls, or with no queue every one without hours of its own (hours/calendar.py).

    `week` is seven lists, Monday first, of [from, until] in minutes of the day; all of them empty: around the clock.
    `closed_days` is [[day as 2026-12-25, what for], ...]. A queue's hours may keep the company's closed days too; the
    company's may let time over target count while a queue is closed.
    """

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="hours")
    queue = models.OneToOneField(Queue, models.CASCADE, null=True, blank=True, related_name="hours")
    week = WholeJson(default=list)
    closed_days = WholeJson(default=list)
    keeps_closed_days = models.BooleanField(default=True)
    counts_outside = models.BooleanField(default=False)

    class Meta:
        verbose_name_plural = _("hours")
        constraints = [
            models.UniqueConstraint(
                fields=["domain"], condition=models.Q(queue__isnull=True), name="one_set_of_hours_per_domain"
            )
        ]

    def __str__(self) -> str:
        return str(self.queue) if self.queue is not None else str(_("every other queue"))


class Reading(models.Model):
    """One answer of the provider for a whole domain, kept for some hours.

    `figures` is {number: [waiting, longest wait, average wait, agents, available, level]}, waits in seconds and null
    where they must not be shown; the level is "closed" outside the queue's hours, where time over target does not count
    then. `raw` is {number: [waiting,
    longest wait, average wait, agents, available, unavailable]} as the provider said it, waits in its own unit.
    """

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="readings")
    read_at = models.DateTimeField()
    figures = WholeJson()
    raw = WholeJson(null=True)  # null in readings of a release before

    class Meta:
        indexes = [models.Index(fields=["domain", "read_at"])]


class PollState(models.Model):
    """How polling a domain goes: the newest reading, the last failure, and the fence of the last owner.

    `figures` is {number: [version, document]}: what the feed holds for each queue, and since which version.
    """

    domain = models.OneToOneField(Domain, models.CASCADE, related_name="poll_state")
    version = models.BigIntegerField(default=0)
    # Of the lease under which the row was last written: an owner that was overtaken must not write.
    fence = models.BigIntegerField(default=0)
    read_at = models.DateTimeField(null=True, blank=True)
    # The first reading that shows how many wait now; unknown until the first one that differs.
    moved_at = models.DateTimeField(null=True, blank=True)
    figures = WholeJson(default=dict)
    tried_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    failure = models.CharField(max_length=32, blank=True)
    failures = models.PositiveIntegerField(default=0)
    skipped_rows = models.PositiveIntegerField(default=0)
    not_before = models.DateTimeField(null=True, blank=True)
    # Not derived from the samples: a minute without readings has none, and would be looked at for ever.
    rolled_until = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return str(self.domain)

    @classmethod
    def lock_all(cls, domain_ids: Collection[int]) -> dict[int, datetime | None]:
        """Let nobody else store readings or samples of these companies until the transaction is over; gives until when
        there are samples of each."""
        # In one order everywhere: nobody waits for somebody who waits for him.
        rows = cls.objects.select_for_update().filter(domain__in=domain_ids).order_by("domain")
        return dict(rows.values_list("domain_id", "rolled_until"))

    @classmethod
    def lock_with(cls, domain: Domain, *columns: str) -> Domain:
        """The same, and the company with these columns as they are then, in one query."""
        rows = cls.objects.select_for_update(of=("self",)).select_related("domain")
        return rows.only(*(f"domain__{name}" for name in columns)).get(domain=domain).domain


class Sample(models.Model):
    """One minute of one queue, rolled up from its readings; with 0 of them the one before stood for most of it.

    The longest wait is 0 where nobody waited, and null where somebody did and it is not known for how long.
    """

    queue = models.ForeignKey(Queue, models.CASCADE, related_name="samples")
    minute = models.DateTimeField()
    readings = models.PositiveIntegerField()
    waiting = models.FloatField()
    most_waiting = models.PositiveIntegerField()
    longest_wait_seconds = models.PositiveIntegerField(null=True)
    average_wait_seconds = models.FloatField(null=True)
    agents = models.PositiveIntegerField(null=True)
    least_available = models.PositiveIntegerField(null=True)
    watch_seconds = models.FloatField()
    late_seconds = models.FloatField()
    nobody_seconds = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["queue", "minute"], name="one_sample_per_minute")]
        # For deleting what is past its time, over all queues.
        indexes = [models.Index(fields=["minute"])]


class Trends(models.Model):
    """The last hour and the last day of every queue of a domain, moved on minute by minute with the samples.

    `lines` is {number: {"waiting": [60 numbers or null], "late": [96 of 0..2 or null]}}, both ending at `until`.
    """

    domain = models.OneToOneField(Domain, models.CASCADE, related_name="trends")
    until = models.DateTimeField()
    lines = WholeJson(default=dict)

    class Meta:
        verbose_name_plural = _("trends")


class PastChange(models.Model):
    """What is kept of a time that was over has changed: day figures made of it do not hold (past_changes.py).

    `token` is another one with each change.
    """

    class Kind(models.TextChoices):
        SAMPLES = "samples", _("samples")
        CALLS = "calls", _("calls")

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="past_changes")
    kind = models.CharField(max_length=7, choices=Kind)
    since = models.DateTimeField()
    until = models.DateTimeField()
    token = models.UUIDField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["domain", "kind", "since"], name="one_past_change_per_time")]
