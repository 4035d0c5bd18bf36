"""What the provider told us about calls, and what we made of it."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.encryption import SealedField
from accounts.models import Domain, Person


class Subscription(models.Model):
    """An address of ours that the provider posts to, for calls or for call detail records.

    `expires_at` is by our clock; `doubted_expiry` what the provider says where that cannot be right. `silent_at` is
    when the polled figures first showed callers of whom it should have told and did not.
    """

    class Kind(models.TextChoices):
        CALLS = "calls", _("calls")
        RECORDS = "cdrs", _("call detail records")

    class State(models.TextChoices):
        NEW = "new", _("not created yet")
        CREATED = "created", _("created, no word from the provider yet")
        PREPARING = "preparing", _("preparing")
        READY = "ready", _("ready")
        LOST = "lost", _("vanished at the provider")
        RETIRED = "retired", _("retired")

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="subscriptions")
    kind = models.CharField(max_length=5, choices=Kind)
    state = models.CharField(max_length=9, choices=State, default=State.NEW)
    secret = SealedField()
    secret_hash = models.CharField(max_length=64, unique=True)
    provider_id = models.CharField(max_length=200, blank=True)
    # Renewing means the same bytes again, so they are stored, not made anew.
    request_body = SealedField(blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    doubted_expiry = models.DateTimeField(null=True, blank=True)
    renewed_at = models.DateTimeField(null=True, blank=True)
    checked_at = models.DateTimeField(null=True, blank=True)
    ready_at = models.DateTimeField(null=True, blank=True)
    heard_at = models.DateTimeField(null=True, blank=True)
    silent_at = models.DateTimeField(null=True, blank=True)
    retired_at = models.DateTimeField(null=True, blank=True)
    must_check = models.BooleanField(default=False)
    failing_since = models.DateTimeField(null=True, blank=True)
    failure = models.CharField(max_length=200, blank=True)
    failures = models.PositiveIntegerField(default=0)
    not_before = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["domain", "kind", "-created_at"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} ({self.get_state_display()})"


class Delivery(models.Model):
    """A POST that was answered with a 2xx: kept before the answer, applied once, forgotten after some days.

    `problem` says why it is not applied, or, where it is, what of it could not be read as it came.
    `identity` is given before the first attempt to keep it, so that a spool or an unclear commit cannot keep it twice.
    """

    identity = models.UUIDField(unique=True)
    subscription = models.ForeignKey(Subscription, models.CASCADE, related_name="deliveries")
    received_at = models.DateTimeField()
    body = models.TextField()
    applied_at = models.DateTimeField(null=True, blank=True)
    problem = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name_plural = _("deliveries")
        # Partial: the few that wait are looked for every few seconds among all of a week.
        indexes = [
            models.Index(
                fields=["id"], condition=models.Q(applied_at__isnull=True, problem=""), name="deliveries_to_apply"
            ),
            models.Index(fields=["received_at"]),
        ]


class Leg(models.Model):
    """A call leg, known by the pair of its endpoints' call ids. Each endpoint's state only moves forward.

    `ranks` holds one digit per field of legs.FIELDS: how advanced the endpoint was when it said so. `caller_e164` is
    the number of the other party, `queue` that of the queue which the leg leads to. `started_text` and `answered_text`
    are the provider's own words; every other time is our receipt clock. `is_unconfirmed`: more than silence speaks
    against a live leg (presence/aging.py). `is_begin_guessed`: no event told of the leg before its end, so that it was
    first seen when its call began, as a record has it. Since `forgotten_at` marks stand for the strangers on it
    (retention/anonymizing.py).
    """

    class State(models.TextChoices):
        NONE = "", _("not seen")
        OTHER = "other", _("other")
        PROGRESSING = "progressing", _("progressing")
        RINGING = "ringing", _("ringing")
        ACTIVE = "active", _("active")
        ENDED = "ended", _("ended")

    # Not indexed by itself: every index of a company's legs begins with it, and each one is written with each leg.
    domain = models.ForeignKey(Domain, models.CASCADE, related_name="legs", db_index=False)
    from_call_id = models.CharField(max_length=200)
    to_call_id = models.CharField(max_length=200)
    by_call_id = models.CharField(max_length=200, blank=True)
    on_net = models.BooleanField(null=True)
    is_human = models.BooleanField(null=True)
    from_state = models.CharField(max_length=11, choices=State, blank=True)
    from_number = models.CharField(max_length=200, blank=True)
    from_user = models.CharField(max_length=64, blank=True)
    from_domain = models.CharField(max_length=200, blank=True)
    from_name = models.CharField(max_length=200, blank=True)
    to_state = models.CharField(max_length=11, choices=State, blank=True)
    to_number = models.CharField(max_length=200, blank=True)
    to_user = models.CharField(max_length=64, blank=True)
    to_domain = models.CharField(max_length=200, blank=True)
    to_name = models.CharField(max_length=200, blank=True)
    started_text = models.CharField(max_length=64, blank=True)
    answered_text = models.CharField(max_length=64, blank=True)
    ranks = models.CharField(max_length=16, blank=True)
    queue = models.CharField(max_length=64, blank=True)
    caller_e164 = models.CharField(max_length=64, blank=True)
    first_seen_at = models.DateTimeField()
    ringing_at = models.DateTimeField(null=True, blank=True)
    active_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    heard_at = models.DateTimeField()
    is_answered = models.BooleanField(default=False)
    has_record = models.BooleanField(default=False)
    is_begin_guessed = models.BooleanField(default=False, db_default=False)
    is_unconfirmed = models.BooleanField(default=False)
    forgotten_at = models.DateTimeField(null=True, blank=True)
    version = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["domain", "from_call_id", "to_call_id"], name="one_leg_per_pair"),
        ]
        indexes = [
            # Partial: live legs are a handful among a year's. Without what changes while a call goes on, so that
            # PostgreSQL can write a leg again without writing all its indexes again (a heap-only tuple).
            models.Index(fields=["domain"], condition=models.Q(ended_at__isnull=True), name="live_legs_by_domain"),
            models.Index(fields=["domain", "ended_at"]),
            models.Index(fields=["domain", "first_seen_at"]),
            models.Index(fields=["domain", "caller_e164", "-first_seen_at"]),
            # For deleting what is past its time, over all companies.
            models.Index(fields=["ended_at"]),
        ]


class ChangedLeg(models.Model):
    """That a leg changed, stored with the change itself, where programs are to hear of calls (Domain.tells_calls).

    Whoever tells them deletes the row in the transaction in which what follows from it is stored, so that none is lost.
    """

    leg = models.ForeignKey(Leg, models.CASCADE, related_name="+", db_index=False)

    class Meta:
        indexes = [models.Index(fields=["leg"], name="changed_legs_by_leg")]


class Presence(models.Model):
    """What a person's phone is doing, as far as call events show it; with the name and visibility last published.

    `heard_at` is the last news of the leg, to a minute, and `is_unconfirmed` whether something speaks against it.
    `status` is what the person has set for themself (presence/statuses.py) and ends by itself at `status_until`. It
    stands beside the state, never instead of it; since it ended and nothing was heard of the phone, `overdue_since`
    says when that was. Columns keep their former names, so that a release before this one
    can run beside it during a rolling restart.
    """

    class Status(models.TextChoices):
        NOTHING = "", _("nothing")
        AWAY = "away", _("away")
        BREAK = "break", _("break")
        LUNCH = "lunch", _("lunch")
        MEETING = "meeting", _("meeting")
        TRAINING = "training", _("training")
        BUSY = "busy", _("busy")

    class State(models.TextChoices):
        UNKNOWN = "unknown", _("not seen yet")
        IDLE = "idle", _("idle")
        CALLING = "calling", _("calling")
        RINGING = "ringing", _("ringing")
        TALKING = "talking", _("talking")

    person = models.OneToOneField(Person, models.CASCADE, related_name="presence")
    state = models.CharField(max_length=7, choices=State, default=State.UNKNOWN)
    since = models.DateTimeField(null=True, blank=True)
    # Old legs are deleted; who was last seen on one is still there.
    leg = models.ForeignKey(Leg, models.SET_NULL, null=True, blank=True)
    heard_at = models.DateTimeField(null=True, blank=True)
    # Also in the database: the release before writes rows without it.
    is_unconfirmed = models.BooleanField(default=False, db_default=False)
    published_name = models.CharField(max_length=200, blank=True, db_column="told_name")
    is_shown = models.BooleanField(default=True)
    status = models.CharField(max_length=8, choices=Status, blank=True, default="", db_column="said")
    status_note = models.CharField(max_length=60, blank=True, default="", db_column="said_note")
    status_since = models.DateTimeField(null=True, blank=True, db_column="said_since")
    status_until = models.DateTimeField(null=True, blank=True, db_column="said_until")
    overdue_since = models.DateTimeField(null=True, blank=True)
    version = models.BigIntegerField(default=0)


class Favourite(models.Model):
    """Somebody whom a person wants to see first on the page of all people; seen by nobody else."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="favourites")
    owner = models.ForeignKey(Person, models.CASCADE, related_name="favourites")
    person = models.ForeignKey(Person, models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["owner", "person"], name="one_favourite_per_person")]


class Record(models.Model):
    """A call detail record, as the provider sent it."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="records")
    from_call_id = models.CharField(max_length=200)
    to_call_id = models.CharField(max_length=200)
    started_at = models.DateTimeField(null=True, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    duration_seconds = models.PositiveIntegerField(null=True, blank=True)
    from_number = models.CharField(max_length=200, blank=True)
    from_user = models.CharField(max_length=64, blank=True)
    from_name = models.CharField(max_length=200, blank=True)
    to_number = models.CharField(max_length=200, blank=True)
    to_user = models.CharField(max_length=64, blank=True)
    received_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["domain", "from_call_id", "to_call_id"], name="one_record_per_pair"),
        ]
        indexes = [models.Index(fields=["domain", "started_at"]), models.Index(fields=["received_at"])]


class EventGap(models.Model):
    """Call events that a company missed, from `since` until `until`, which is null while they are still missing."""

    class Reason(models.TextChoices):
        SILENT = "silent", _("silent while the queues moved")
        SUBSCRIPTION = "subscription", _("no subscription at the provider")
        PROVIDER = "provider", _("the provider did not answer")
        REFUSED = "refused", _("deliveries were refused")
        STOPPED = "stopped", _("no web process took deliveries")

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="event_gaps")
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=12, choices=Reason)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["domain"], condition=models.Q(until__isnull=True), name="one_open_gap_per_domain"
            ),
        ]
        indexes = [models.Index(fields=["domain", "since"])]


class IntakeProof(models.Model):
    """When any web process last said that it takes deliveries: one row (webhooks/intake_watch.py)."""

    proved_at = models.DateTimeField()


class Forgetting(models.Model):
    """How far a company's old calls have lost their strangers, all that ended before `calls_until`, or are deleted."""

    domain = models.OneToOneField(Domain, models.CASCADE, related_name="forgetting")
    calls_until = models.DateTimeField()
    deleted_until = models.DateTimeField(null=True)
