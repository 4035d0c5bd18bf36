"""Alerts: when a queue raises one, how far readings were evaluated, and every alert that there was."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Domain, Person
from wallboard.queues.json_field import WholeJson
from wallboard.queues.models import Level, Queue


class Rule(models.Model):
    """When a queue raises an alert; without a queue, when any queue does. Empty fields are inherited."""

    class RaiseFrom(models.TextChoices):
        """From which level on."""

        LATE = "late", _("when it is late")
        WATCH = "watch", _("already at watch")
        NEVER = "never", _("never")

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="alert_rules")
    queue = models.OneToOneField(Queue, models.CASCADE, null=True, blank=True, related_name="alert_rule")
    level = models.CharField(max_length=5, choices=RaiseFrom, blank=True)
    stays_seconds = models.PositiveIntegerField(null=True, blank=True)
    cooldown_seconds = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            # A unique column takes any number of NULLs, so the rule without a queue needs a constraint of its own.
            models.UniqueConstraint(
                fields=["domain"], condition=models.Q(queue__isnull=True), name="one_alert_rule_per_domain"
            )
        ]

    def __str__(self) -> str:
        return str(self.queue) if self.queue is not None else str(_("every other queue"))


class Listener(models.Model):
    """A person who wants to hear alerts on their pages; who does not has no row."""

    person = models.OneToOneField(Person, models.CASCADE, related_name="+")


class EvaluationState(models.Model):
    """How far a domain's readings were evaluated.

    `read_at` is the newest reading; `pending` is {queue number: ms since which it has stayed at its rule's level}.
    """

    domain = models.OneToOneField(Domain, models.CASCADE, related_name="+")
    read_at = models.DateTimeField(null=True, blank=True)
    pending = WholeJson(default=dict)

    class Meta:
        db_table = "alerts_watch"  # as in the releases in which the model had that name


class Alert(models.Model):
    """One alert of one queue, from the moment it was raised until the queue was normal again."""

    class Ended(models.TextChoices):
        """Why it ended."""

        NORMAL = "normal", _("normal again")
        WORSE = "worse", _("got worse after it was acknowledged")
        CLOSED = "closed", _("business hours ended")
        HIDDEN = "hidden", _("the queue was hidden")
        OFF = "off", _("the rule was switched off")

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="alerts")
    queue = models.ForeignKey(Queue, models.CASCADE, related_name="alerts")
    level = models.CharField(max_length=6, choices=Level)
    worst = models.CharField(max_length=6, choices=Level)
    reason = models.CharField(max_length=16, blank=True)
    began_at = models.DateTimeField()
    raised_at = models.DateTimeField()
    acknowledged_at = models.DateTimeField(null=True, blank=True)
    acknowledged_by = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="+")
    acknowledged_name = models.CharField(max_length=200, blank=True)  # stays when the person is deleted
    acknowledged_level = models.CharField(max_length=6, choices=Level, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_why = models.CharField(max_length=6, choices=Ended, blank=True)
    version = models.BigIntegerField(default=1)

    class Meta:
        db_table = "alerts_episode"  # as in the releases in which the model had that name
        ordering = ["-raised_at", "-pk"]
        indexes = [models.Index(fields=["domain", "ended_at"]), models.Index(fields=["domain", "raised_at"])]
        constraints = [
            # The last guard where two evaluations run at once: no trouble is raised twice.
            models.UniqueConstraint(
                fields=["queue"], condition=models.Q(ended_at__isnull=True), name="one_open_episode_per_queue"
            )
        ]

    def __str__(self) -> str:
        return f"{self.queue} {self.raised_at:%Y-%m-%d %H:%M}"

    @property
    def seconds(self) -> float | None:
        """How long the queue was in trouble; None while the alert is open."""
        return None if self.ended_at is None else (self.ended_at - self.began_at).total_seconds()

    @property
    def reaction_seconds(self) -> float | None:
        """How long nobody acknowledged it; None where nobody did."""
        return None if self.acknowledged_at is None else (self.acknowledged_at - self.raised_at).total_seconds()
