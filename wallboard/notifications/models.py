"""Whom an alert reaches: destinations, routes, what each person chose, mutes, and every message that there was."""

from uuid import uuid4

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.encryption import SealedField
from accounts.models import Domain, Person, Team, User
from wallboard.alerts.models import Alert
from wallboard.notifications.hours import Hours
from wallboard.queues.models import Level, Queue


class Channel(models.TextChoices):
    """What a message goes out over; each is a module of wallboard/notifications/channels."""

    EMAIL = "email", _("e-mail")
    PUSH = "webpush", _("push to a browser")
    WEBHOOK = "webhooks", _("webhook")
    APPRISE = "apprise", _("chat, SMS or pager")


class Destination(models.Model):
    """Where messages go to: of one person, or of the company as a whole where `person` is empty.

    `address` is sealed text, or sealed JSON where a channel needs more than one value. `last_outcome` is what the other
    side said last, without secrets; `failing_since` is empty as long as it takes messages. Unconfirmed, it gets none.
    """

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="destinations")
    person = models.ForeignKey(Person, models.CASCADE, null=True, blank=True, related_name="destinations")
    user = models.ForeignKey(User, models.CASCADE, null=True, blank=True, related_name="+")  # whose it is, of a person
    channel = models.CharField(max_length=8, choices=Channel)
    name = models.CharField(max_length=120)
    address = SealedField()
    is_enabled = models.BooleanField(default=True)
    shows_numbers = models.BooleanField(default=False)
    is_confirmed = models.BooleanField(default=True)
    last_tried_at = models.DateTimeField(null=True, blank=True)
    last_outcome = models.CharField(max_length=300, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


class Filter(models.Model):
    """Which alerts are meant: of these kinds, about these queues or groups, from this level on; null means any."""

    kinds = models.JSONField(null=True, blank=True)
    queues = models.JSONField(null=True, blank=True)
    groups = models.JSONField(null=True, blank=True)
    level = models.CharField(max_length=6, choices=Level, default=Level.LATE)

    class Meta:
        abstract = True

    def matches(self, alert: Alert) -> bool:
        """Whether this alert, as bad as it was at its worst, is meant."""
        if self.level == Level.LATE and alert.worst != Level.LATE:
            return False
        if self.kinds is not None and alert.kind not in self.kinds:
            return False
        if self.queues is None and self.groups is None:
            return True
        queue = alert.queue
        return queue is not None and (queue.number in (self.queues or ()) or queue.group in (self.groups or ()))


class Route(Hours, Filter):
    """Where alerts of a company go by the word of an administrator, in steps; alerts outside its hours go nowhere."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="alert_routes")
    name = models.CharField(max_length=120)
    is_enabled = models.BooleanField(default=True)
    repeat_seconds = models.PositiveIntegerField(null=True, blank=True)
    tells_resolved = models.BooleanField(default=True)

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


class Step(models.Model):
    """One step of a route: who hears of an alert that nobody has acknowledged so long after it was raised."""

    route = models.ForeignKey(Route, models.CASCADE, related_name="steps")
    position = models.PositiveSmallIntegerField(default=0)
    after_seconds = models.PositiveIntegerField(default=0)
    people = models.ManyToManyField(Person, related_name="+", blank=True)
    teams = models.ManyToManyField(Team, related_name="+", blank=True)
    destinations = models.ManyToManyField(Destination, related_name="+", blank=True)

    class Meta:
        ordering = ["route", "position"]
        constraints = [models.UniqueConstraint(fields=["route", "position"], name="one_step_per_position")]

    def __str__(self) -> str:
        return f"{self.route} {self.position + 1}"


class Choice(Hours, Filter):
    """What reaches a person, by their own word; it holds for routes as well. Who has none is told everything.

    `is_subscribed`: alerts come by themselves, also where no route leads to this person.
    """

    person = models.OneToOneField(Person, models.CASCADE, related_name="notification_choice")
    is_subscribed = models.BooleanField(default=False)
    after_seconds = models.PositiveIntegerField(default=0)
    tells_resolved = models.BooleanField(default=True)

    def __str__(self) -> str:
        return str(self.person)


class Mute(models.Model):
    """No messages about a queue, or about anything where `queue` is empty, until a moment. Ends by itself."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="mutes")
    queue = models.ForeignKey(Queue, models.CASCADE, null=True, blank=True, related_name="mutes")
    until = models.DateTimeField()
    reason = models.CharField(max_length=120)
    by = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="+")
    by_name = models.CharField(max_length=200)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["domain", "until"])]

    def __str__(self) -> str:
        return f"{self.queue or self.domain} {self.until:%Y-%m-%d %H:%M}"


class PlanningState(models.Model):
    """One row for each company, locked while its messages are decided."""

    domain = models.OneToOneField(Domain, models.CASCADE, related_name="+")


class Timer(models.Model):
    """When an open alert is due for a step of a route, or for a person who asked for it; gone with the alert.

    `times` is how often it went off before; `worsened`: what was told before has become worse since.
    """

    alert = models.ForeignKey(Alert, models.CASCADE, related_name="timers")
    step = models.ForeignKey(Step, models.CASCADE, null=True, blank=True, related_name="timers")
    choice = models.ForeignKey(Choice, models.CASCADE, null=True, blank=True, related_name="timers")
    due_at = models.DateTimeField(db_index=True)
    times = models.PositiveIntegerField(default=0)
    worsened = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["alert", "step"], name="one_timer_per_step"),
            models.UniqueConstraint(fields=["alert", "choice"], name="one_timer_per_choice"),
        ]


class Notice(models.Model):
    """That somebody is to hear of an alert: what the history of the alert shows.

    Either for a person, over whatever reaches them, or for a destination of the company. `batch` is the message that
    carried it, empty while it waits; `held_back` says why nothing was sent. `told` is the receiver's name, which stays.
    """

    class What(models.TextChoices):
        RAISED = "raised", _("raised")
        WORSE = "worse", _("got worse")
        REPEATED = "repeated", _("repeated")
        ESCALATED = "escalated", _("escalated")
        RESOLVED = "resolved", _("resolved")

    class HeldBack(models.TextChoices):
        ENDED = "ended", _("was over before it was sent")
        TAKEN = "taken", _("somebody had acknowledged it")
        HOURS = "hours", _("outside the hours of this person")
        CHOICE = "choice", _("this person does not want to hear of it")
        LIMIT = "limit", _("this person may not see it")
        NOWHERE = "nowhere", _("nothing is set up to reach this person")
        DISABLED = "disabled", _("switched off")
        MUTED = "muted", _("muted")
        UNPROVEN = "unproven", _("its address is not confirmed yet")

    # What is over is told as such; what is open is true until somebody acknowledges it.
    STILL_TRUE = models.Q(what=What.RESOLVED) | models.Q(alert__ended_at=None, alert__acknowledged_at=None)
    alert = models.ForeignKey(Alert, models.CASCADE, related_name="notices")
    domain = models.ForeignKey(Domain, models.CASCADE, related_name="+")
    person = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="+")
    destination = models.ForeignKey(Destination, models.SET_NULL, null=True, blank=True, related_name="+")
    what = models.CharField(max_length=9, choices=What)
    told = models.CharField(max_length=200)
    route = models.ForeignKey(Route, models.SET_NULL, null=True, blank=True, related_name="+", db_constraint=False)
    route_name = models.CharField(max_length=120, blank=True)
    batch = models.UUIDField(null=True, blank=True, db_index=True)
    held_back = models.CharField(max_length=8, choices=HeldBack, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["domain", "created_at"], condition=models.Q(batch=None, held_back=""), name="waiting_notices"
            )
        ]

    @property
    def receiver(self) -> tuple[str, int]:
        """Who hears it, as a key."""
        return ("person", self.person_id) if self.person_id is not None else ("destination", self.destination_id or 0)


class Delivery(models.Model):
    """One message over one channel: the outbox, and afterwards the record of it.

    `uid` is the same at every try. Rows of one `batch` carry the same notices over the channels of one receiver.
    `leased_until` is set while a worker sends it; if that worker dies, another one takes it from then on.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        GIVEN_UP = "given up", _("given up")
        DROPPED = "dropped", _("not needed any more")

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="+")
    uid = models.UUIDField(default=uuid4, unique=True)
    batch = models.UUIDField(db_index=True)
    earlier = models.JSONField(default=list, db_default=[])  # batches of messages that this one takes the place of
    destination = models.ForeignKey(Destination, models.SET_NULL, null=True, related_name="deliveries")
    person = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="+")
    channel = models.CharField(max_length=8, choices=Channel)
    destination_name = models.CharField(max_length=120)
    content = models.JSONField()  # the fields of messages.Message but its id; afterwards its title
    is_test = models.BooleanField(default=False)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now)
    leased_until = models.DateTimeField(null=True, blank=True)
    lease = models.UUIDField(null=True, blank=True)
    tries = models.PositiveIntegerField(default=0)
    ended_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["due_at"], condition=models.Q(state="waiting"), name="waiting_deliveries"),
            models.Index(fields=["domain", "created_at"]),
        ]

    def __str__(self) -> str:
        return f"{self.destination_name} {self.created_at:%Y-%m-%d %H:%M}"


class LastMessage(models.Model):
    """When a receiver got their last message, so that nobody gets more than one a minute. `receiver` as in Notice."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="+")
    receiver = models.CharField(max_length=40)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["domain", "receiver"], name="one_last_message_per_receiver")]


class MailServer(models.Model):
    """How a company sends mail; without a row the installation's own server (SMTP_URL) is used."""

    class Security(models.TextChoices):
        STARTTLS = "starttls", _("STARTTLS (usually port 587)")
        TLS = "tls", _("TLS (usually port 465)")
        NONE = "none", _("none (inside one's own network only)")

    domain = models.OneToOneField(Domain, models.CASCADE, related_name="mail_server")
    host = models.CharField(max_length=200)
    port = models.PositiveIntegerField(default=587)
    security = models.CharField(max_length=8, choices=Security, default=Security.STARTTLS)
    username = models.CharField(max_length=200, blank=True)
    password = SealedField(blank=True, default="")
    sender = models.CharField(max_length=254)

    def __str__(self) -> str:
        return self.host


class PushKey(models.Model):
    """The key that signs push messages, in one row."""

    private_key = SealedField()
