"""Companies, people, who signed in, and what the provider granted."""

from datetime import datetime, timedelta
from typing import Any, NoReturn

from django.contrib.auth.models import AbstractUser
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q, UniqueConstraint
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from accounts import validators
from accounts.companies.installation_row import Installation as Installation  # tables of this app
from accounts.encryption import SealedField
from accounts.signin.passkey_rows import Passkey as Passkey

GRANT_DAYS = 90  # how long the provider's refresh tokens live


class Domain(models.Model):
    """One company at the provider. All else belongs to a domain. Without a `host` it is at the installation's."""

    class WaitUnit(models.TextChoices):
        SECONDS = "s", _("seconds")
        MINUTES = "min", _("minutes")
        MILLISECONDS = "ms", _("milliseconds")

    class Clock(models.TextChoices):
        H24 = "24", _("24 hours: 08:05, 16:05")
        H12 = "12", _("12 hours: 8:05 AM, 4:05 PM")

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=120)
    is_active = models.BooleanField(default=True)
    host = models.CharField(max_length=253, unique=True, null=True, blank=True, validators=[validators.host_name])
    callback_key = models.CharField(max_length=32, blank=True, default="", db_default="", editable=False)
    removal_at = models.DateTimeField(null=True, blank=True, editable=False)  # when its removal was asked for
    base_url = models.CharField(max_length=300, validators=[validators.provider_address])
    client_id = models.CharField(max_length=300)
    client_secret = SealedField()
    login_client_id = models.CharField(max_length=300, blank=True)
    login_client_secret = SealedField(blank=True, default="")
    authorize_path = models.CharField(
        max_length=200,
        default="/api/oauth/authorize/",
        db_default="/api/oauth/authorize/",
        validators=[validators.authorize_path],
        help_text=_("Where the provider's sign-in page is, from its base address. Some have no /api in front."),
    )
    provider_domain = models.CharField(max_length=200, blank=True)  # learned from calls and sign-ins, or typed
    identity_field = models.CharField(max_length=100, blank=True)  # of the token answer; the API names none
    uses_pkce = models.BooleanField(default=True, db_default=True)  # off where a try showed that it is refused
    time_zone = models.CharField(max_length=64, default="UTC", validators=[validators.time_zone])
    day_starts_hour = models.PositiveSmallIntegerField(
        default=0, validators=[MaxValueValidator(23)], help_text=_("From 0 to 23: figures of today count from there.")
    )
    clock = models.CharField(
        max_length=2, choices=Clock, default="24", db_default="24", help_text=_("How every page writes times of day.")
    )
    language = models.CharField(max_length=16, blank=True, default="", db_default="", validators=[validators.language])
    longest_call_hours = models.PositiveSmallIntegerField(
        default=4,
        db_default=4,
        validators=[MinValueValidator(1), MaxValueValidator(72)],
        help_text=_("A call without any news for so many hours counts as over. From 1 to 72."),
    )
    country = models.CharField(max_length=2, default="US", validators=[validators.country])
    poll_seconds = models.FloatField(null=True, blank=True, validators=validators.POLL_SECONDS)
    wait_unit = models.CharField(max_length=3, choices=WaitUnit, default=WaitUnit.SECONDS)  # the API does not say
    hidden_waits = models.CharField(max_length=32, blank=True, default="", db_default="", editable=False)
    period_waits = models.CharField(max_length=32, blank=True, default="", db_default="", editable=False)
    call_time_zone = models.CharField(max_length=64, default="UTC", validators=[validators.time_zone])
    calls_kept_days = models.PositiveSmallIntegerField(null=True, blank=True, validators=validators.RETENTION_DAYS)
    notes_kept_days = models.PositiveSmallIntegerField(null=True, blank=True, validators=validators.RETENTION_DAYS)
    replay_kept_days = models.PositiveSmallIntegerField(default=30, db_default=30, validators=validators.REPLAY_DAYS)
    log_kept_days = models.PositiveSmallIntegerField(default=400, db_default=400, validators=validators.KEPT_DAYS)
    samples_kept_days = models.PositiveSmallIntegerField(default=400, db_default=400, validators=validators.KEPT_DAYS)
    tells_calls = models.BooleanField(default=False, db_default=False, editable=False)  # some program hears of calls

    def __str__(self) -> str:
        return self.name


class User(AbstractUser):
    """A sign-in. What it may see comes from the person it is linked to; superusers see only the admin site."""

    session_round = models.PositiveIntegerField(default=0, editable=False)  # in their hash: raised, it ends sessions
    is_operator = models.BooleanField(default=False, db_default=False, editable=False)  # signin/operators.py
    link_code = models.CharField(max_length=4, blank=True, editable=False)  # an administrator is told it
    language = models.CharField(max_length=16, blank=True, default="", db_default="", editable=False)

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        salt = "accounts.models.User.session"
        return salted_hmac(salt, f"{self.password}:{self.session_round}", secret=secret, algorithm="sha256").hexdigest()


class Person(models.Model):
    """Somebody with an extension; `only_queues` (numbers) and `only_team` limit what they see (accounts/limits.py)."""

    class Role(models.TextChoices):
        AGENT = "agent", _("agent")
        SUPERVISOR = "supervisor", _("supervisor")
        ADMINISTRATOR = "administrator", _("administrator")

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="people")
    extension = models.CharField(max_length=64)
    name = models.CharField(max_length=200, blank=True)
    role = models.CharField(max_length=13, choices=Role, default=Role.AGENT)
    user = models.OneToOneField(User, models.SET_NULL, null=True, blank=True, related_name="person")
    is_hidden = models.BooleanField(default=False)
    only_queues = models.JSONField(null=True, blank=True)
    only_team = models.ForeignKey("Team", models.RESTRICT, null=True, blank=True, related_name="seen_by")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = _("people")
        constraints = [UniqueConstraint(fields=["domain", "extension"], name="one_person_per_extension")]

    def __str__(self) -> str:
        return self.name or self.extension


class Team(models.Model):
    """Some people of a company, for supervisors who are to see only them (accounts/limits.py)."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="teams")
    name = models.CharField(max_length=80)
    people = models.ManyToManyField(Person, related_name="teams", blank=True)

    class Meta:
        ordering = ["name"]
        constraints = [UniqueConstraint(fields=["domain", "name"], name="one_team_per_name")]

    def __str__(self) -> str:
        return self.name


class StoredToken(models.Model):
    """An access token and how long to use it by our own clock; one caller at a time renews it, under a lease.

    `version` grows at each change, so that a late writer notices that the world went on. `retry_at` is when the token
    endpoint may be asked again after a failure; `replaced_at` when a refused token was last replaced, `replacements`
    how many shortly before (tokens/patience.py); `rejected_since` since when the API refuses every one, else null.
    """

    access_token = SealedField(blank=True, default="")
    usable_until = models.DateTimeField(null=True, blank=True)
    version = models.BigIntegerField(default=0)
    replaced_at = models.DateTimeField(null=True, blank=True)
    replacements = models.PositiveSmallIntegerField(default=0, db_default=0)
    rejected_since = models.DateTimeField(null=True, blank=True)
    retry_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveIntegerField(default=0)
    failure = models.CharField(max_length=40, blank=True)

    class Meta:
        abstract = True


class CompanyToken(StoredToken):
    """The company-wide token of a domain, shared by all processes."""

    domain = models.OneToOneField(Domain, models.CASCADE, related_name="company_token")


class Grant(StoredToken):
    """What the provider granted to one user, and whom it named (identity.Proofs): ninety days, then a new sign-in."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="grants")
    user = models.OneToOneField(User, models.CASCADE, related_name="grant")
    refresh_token = SealedField(blank=True, default="")
    refresh_issued_at = models.DateTimeField(null=True, blank=True)
    refused_at = models.DateTimeField(null=True, blank=True)
    signed_in_at = models.DateTimeField(default=timezone.now)
    named_by_token = models.CharField(max_length=200, blank=True, default="", db_default="")
    named_by_probe = models.CharField(max_length=200, blank=True, default="", db_default="")
    is_probe_unanswered = models.BooleanField(default=False, db_default=False)
    account = models.JSONField(default=dict, db_default={}, blank=True)

    @property
    def ends_at(self) -> datetime:
        """When the user has to sign in again at the latest: with its refresh token, or else with its access token."""
        if self.refresh_issued_at and not self.refused_at:
            return self.refresh_issued_at + timedelta(days=GRANT_DAYS)
        return self.usable_until or self.signed_in_at


class Lease(models.Model):
    """One owner at a time, with a number that grows at each change of owner (a fence against late writers)."""

    name = models.CharField(max_length=200, unique=True)
    owner = models.CharField(max_length=64, blank=True)
    fence = models.BigIntegerField(default=0)
    until = models.DateTimeField()


class IdentityProbe(models.Model):
    """The address of a short subscription that only serves to learn whose token it is."""

    domain = models.ForeignKey(Domain, models.CASCADE)
    secret_hash = models.CharField(max_length=64, unique=True)
    until = models.DateTimeField()


class LinkNumber(models.Model):
    """A number that a waiting user may dial once; `extension` is the phone that dialled it first, at `heard_at`."""

    class Outcome(models.TextChoices):
        OPEN = "", _("open")
        LINKED = "linked", _("linked")
        TWO_PHONES = "two phones", _("two phones dialled it")
        TAKEN = "taken", _("the extension belongs to another sign-in")
        DIFFERS = "differs", _("the provider names another extension")
        CONFIRM = "confirm", _("an administrator has to confirm it")
        OVER = "over", _("over")

    domain = models.ForeignKey(Domain, models.CASCADE)
    user = models.ForeignKey(User, models.CASCADE, related_name="link_numbers")
    number = models.CharField(max_length=4)
    shown_at = models.DateTimeField()
    until = models.DateTimeField()
    extension = models.CharField(max_length=64, blank=True)
    heard_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)

    class Meta:
        ordering = ["shown_at", "pk"]
        constraints = [
            UniqueConstraint(fields=["domain", "number"], condition=Q(outcome=""), name="one_waits_for_a_number"),
            UniqueConstraint(fields=["user"], condition=Q(outcome=""), name="one_open_number_per_user"),
        ]


class FailedSignIn(models.Model):
    """A wrong password at the admin site, kept for a quarter of an hour. Some type it as their name, hence a hash."""

    address = models.CharField(max_length=64)
    name_hash = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["address", "at"]), models.Index(fields=["name_hash", "at"])]


class KnownAddress(models.Model):
    """Where somebody signed in at the admin site before, last at `at`: nobody elsewhere can shut them out there."""

    user = models.ForeignKey(User, models.CASCADE, related_name="known_addresses")
    address = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [UniqueConstraint(fields=["user", "address"], name="one_row_per_known_address")]


class ImmutableEntry(Exception):
    """Entries are neither changed nor deleted."""


class AuditEntryQuerySet(models.QuerySet["AuditEntry"]):
    """Rows that can be added and read."""

    def update(self, **_: Any) -> NoReturn:
        raise ImmutableEntry

    def delete(self) -> NoReturn:
        raise ImmutableEntry


class AuditEntry(models.Model):
    """Somebody did something (accounts/audit.py). No foreign keys: it outlives what it is about, and who did it."""

    at = models.DateTimeField(default=timezone.now, db_index=True)
    company_id = models.BigIntegerField(null=True)
    company = models.CharField(max_length=80, blank=True)
    who = models.CharField(max_length=300)
    user_id = models.BigIntegerField(null=True)
    what = models.CharField(max_length=60)
    about = models.CharField(max_length=300, blank=True)
    changes = models.JSONField(default=dict, blank=True)
    once = models.CharField(max_length=300, null=True, unique=True, editable=False)  # noqa: DJ001  (null is not unique)
    objects = AuditEntryQuerySet.as_manager()

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name_plural = _("audit entries")

    def __str__(self) -> str:
        return f"{self.what}: {self.about}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise ImmutableEntry
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise ImmutableEntry
