"""Programs that are told of calls, call-backs and days: who hears what, what happened, and what became of telling."""

from uuid import uuid4

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.encryption import SealedField
from accounts.models import Domain, Person, Team
from wallboard.calls.models import Leg


class Endpoint(models.Model):
    """An address of another program. `address` is sealed JSON: the URL and its secrets (notifications' webhooks).

    `kinds` are those of kinds.py. `only_queues` (numbers) and `only_team` limit what it hears, as they limit a person.
    After a failure nothing is sent before `retry_at`.
    """

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="endpoints")
    name = models.CharField(max_length=120)
    address = SealedField()
    kinds = models.JSONField(default=list)
    only_queues = models.JSONField(null=True, blank=True)
    only_team = models.ForeignKey(Team, models.RESTRICT, null=True, blank=True, related_name="+")
    shows_numbers = models.BooleanField(default=False)
    is_paused = models.BooleanField(default=False)
    failing_since = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveIntegerField(default=0)
    retry_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    made_by = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


class Event(models.Model):
    """Something that programs are told of, once: `subject` names what it is about among all of its kind.

    No number stands in it: what is told of a call is read from its leg when it is sent, so that whoever was erased
    meanwhile is named nowhere. `about` has what the leg does not know.
    """

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="+")
    uid = models.UUIDField(default=uuid4, unique=True)
    kind = models.CharField(max_length=20)
    subject = models.CharField(max_length=260)
    leg = models.ForeignKey(Leg, models.SET_NULL, null=True, related_name="+")
    about = models.JSONField(default=dict)
    at = models.DateTimeField()
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["domain", "kind", "subject"], name="one_event_per_subject")]

    def __str__(self) -> str:
        return f"{self.kind} {self.at:%Y-%m-%d %H:%M:%S}"


class Delivery(models.Model):
    """One event for one endpoint: the outbox, and afterwards the record of it."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        GIVEN_UP = "given up", _("given up")

    endpoint = models.ForeignKey(Endpoint, models.CASCADE, related_name="deliveries")
    event = models.ForeignKey(Event, models.CASCADE, related_name="deliveries")
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    asked_at = models.DateTimeField(default=timezone.now)  # when it was decided, or asked for once more
    due_at = models.DateTimeField(default=timezone.now)
    leased_until = models.DateTimeField(null=True, blank=True)
    lease = models.UUIDField(null=True, blank=True)
    tries = models.PositiveIntegerField(default=0)
    ended_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["endpoint", "event"], name="one_delivery_per_endpoint")]
        indexes = [
            models.Index(fields=["endpoint", "id"], condition=models.Q(state="waiting"), name="waiting_for_endpoint")
        ]


class Progress(models.Model):
    """How far a company's programs were told: call-backs since when, and the last day whose figures went out."""

    domain = models.OneToOneField(Domain, models.CASCADE, related_name="+")
    call_backs_since = models.DateTimeField(null=True, blank=True)
    told_day = models.DateField(null=True, blank=True)


class KnownCallBack(models.Model):
    """A call-back that programs know to be open, by the leg of the call that it came from; `owner` has taken it."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="+")
    leg = models.OneToOneField(Leg, models.CASCADE, related_name="+")
    owner = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="+")
