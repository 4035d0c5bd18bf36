"""Alerts: the rules that raise them, how far they were evaluated, every alert that there was, and what became of it."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Domain, Person
from wallboard.queues.json_field import WholeJson
from wallboard.queues.models import Level, Queue

LEVEL = "level"  # the kind of alert that a queue's level raises


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


class KindRule(models.Model):
    """When alerts of a kind beside a queue's level are raised (kinds.py). Empty fields are as usual for the kind."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="kind_rules")
    kind = models.CharField(max_length=24)
    is_on = models.BooleanField(null=True, blank=True)
    level = models.CharField(max_length=6, choices=Level, blank=True)
    stays_seconds = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["domain", "kind"], name="one_alert_rule_per_kind")]

    def __str__(self) -> str:
        return self.kind


class Listener(models.Model):
    """A person who wants to hear alerts on their pages; who does not has no row."""

    person = models.OneToOneField(Person, models.CASCADE, related_name="+")


class EvaluationState(models.Model):
    """How far a domain's readings and conditions were evaluated.

    `read_at` is the newest reading; `pending` is {queue number: ms since which it has stayed at its rule's level};
    `conditions` is {kind: [ms of the last report, {subject: ms since which the condition holds}]} (conditions.py).
    """

    domain = models.OneToOneField(Domain, models.CASCADE, related_name="+")
    read_at = models.DateTimeField(null=True, blank=True)
    pending = WholeJson(default=dict)
    conditions = WholeJson(default=dict)

    class Meta:
        db_table = "alerts_watch"  # as in the releases in which the model had that name


class Alert(models.Model):
    """One alert, from the moment it was raised until what it was about was in order again.

    `subject` tells alerts of a kind apart: a queue's number, an extension, the id of a TV; "" where it is about the
    company as a whole. `facts` is what its sentences need (wording.py), never a phone number.
    """

    class Ended(models.TextChoices):
        """Why it ended."""

        NORMAL = "normal", _("normal again")
        WORSE = "worse", _("got worse after it was acknowledged")
        CLOSED = "closed", _("business hours ended")
        HIDDEN = "hidden", _("the queue was hidden")
        OFF = "off", _("the rule was switched off")
        FEW = "few", _("too few calls to judge")
        LOCKED = "locked", _("the figure cannot be told any more")

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="alerts")
    kind = models.CharField(max_length=24, default=LEVEL)
    subject = models.CharField(max_length=120, blank=True, default="")
    queue = models.ForeignKey(Queue, models.CASCADE, null=True, blank=True, related_name="alerts")
    facts = WholeJson(default=dict)
    level = models.CharField(max_length=6, choices=Level)
    worst = models.CharField(max_length=6, choices=Level)
    reason = models.CharField(max_length=32, blank=True)
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
                fields=["domain", "kind", "subject"],
                condition=models.Q(ended_at__isnull=True),
                name="one_open_alert_per_subject",
            )
        ]

    def __str__(self) -> str:
        return f"{self.name or self.kind} {self.raised_at:%Y-%m-%d %H:%M}"

    @property
    def name(self) -> str:
        """What it is about, by name; "" for the company as a whole."""
        return str(self.queue) if self.queue is not None else str(self.facts.get("name", ""))

    @property
    def seconds(self) -> float | None:
        """How long the trouble lasted; None while the alert is open."""
        return None if self.ended_at is None else (self.ended_at - self.began_at).total_seconds()

    @property
    def resolution_seconds(self) -> float | None:
        """How long it was open; None while it is."""
        return None if self.ended_at is None else (self.ended_at - self.raised_at).total_seconds()

    @property
    def reaction_seconds(self) -> float | None:
        """How long nobody acknowledged it; None where nobody did."""
        return None if self.acknowledged_at is None else (self.acknowledged_at - self.raised_at).total_seconds()


class AlertEvent(models.Model):
    """One change of an alert, written in the same transaction: the outbox from which messages are sent.

    `level` is the alert's after the change. `handled_at` is set by whoever sends the messages, and is null until then.
    """

    class What(models.TextChoices):
        """What changed."""

        RAISED = "raised", _("raised")
        LEVEL = "level", _("level changed")
        ACKNOWLEDGED = "acknowledged", _("acknowledged")
        ENDED = "ended", _("ended")

    alert = models.ForeignKey(Alert, models.CASCADE, related_name="events")
    what = models.CharField(max_length=12, choices=What)
    at = models.DateTimeField()
    level = models.CharField(max_length=6, choices=Level)
    handled_at = models.DateTimeField(null=True, blank=True, db_index=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.alert_id} {self.what}"
