"""What an agent writes and decides, and which of their pages shows a call."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Domain, Person
from wallboard.contacts.models import Contact, Link


class Claim(models.Model):
    """The one page of a person that pops for a call; it lapses unless the page keeps renewing it."""

    person = models.ForeignKey(Person, models.CASCADE, related_name="claims")
    call_id = models.CharField(max_length=200)
    page = models.CharField(max_length=64)
    until = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "call_id"], name="one_pop_per_call_and_person")]


class Outcome(models.Model):
    """A word for how a call went, offered on every card of the company. One that is retired stays on old notes."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="outcomes")
    name = models.CharField(max_length=40)
    order = models.PositiveSmallIntegerField(default=0)
    is_offered = models.BooleanField(default=True)

    class Meta:
        ordering = ["domain", "order", "name"]
        constraints = [models.UniqueConstraint(fields=["domain", "name"], name="one_outcome_per_name")]

    def __str__(self) -> str:
        return self.name


class Rule(models.Model):
    """When a person wants a card. `ignored` is as caller_ids.normalize() writes it; after 0 seconds means never hide.

    While `is_quiet`, no card comes by itself, until `quiet_until` or, where that is empty, until the person says so.
    """

    class Pop(models.TextChoices):
        RING = "ring", _("as soon as it rings")
        ANSWER = "answer", _("once I answer")
        NEVER = "never", _("never")

    person = models.OneToOneField(Person, models.CASCADE, related_name="rule")
    pop = models.CharField(max_length=6, choices=Pop, default=Pop.RING)
    shows_internal = models.BooleanField(default=True)
    ignored = models.JSONField(default=list)
    hide_after_seconds = models.PositiveSmallIntegerField(default=0)
    opens = models.ForeignKey(Link, models.SET_NULL, null=True, related_name="+")
    is_quiet = models.BooleanField(default=False)
    quiet_until = models.DateTimeField(null=True)


class Note(models.Model):
    """What a person kept about a call: text, outcome and whom they took the caller for.

    It is kept with the caller's number; `stamp` grows with every change.
    """

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="notes")
    # What somebody wrote about a caller stays when they leave the company.
    person = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="notes")
    call_id = models.CharField(max_length=200)
    number_e164 = models.CharField(_("number"), max_length=64, blank=True)
    text = models.TextField(max_length=4000, blank=True)
    # A note outlives what it points at.
    outcome = models.ForeignKey(Outcome, models.SET_NULL, null=True, related_name="notes")
    contact = models.ForeignKey(Contact, models.SET_NULL, null=True, related_name="notes")
    stamp = models.BigIntegerField(default=0)
    written_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "call_id"], name="one_note_per_call_and_person")]
        indexes = [
            models.Index(fields=["domain", "number_e164", "-written_at"]),
            # The unique constraint begins with the person, and a card asks for everybody's notes.
            models.Index(fields=["domain", "call_id"], name="note_by_call"),
        ]


class CallBack(models.Model):
    """What people decided about a caller whom nobody answered; whether they still wait, callbacks.py tells."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="call_backs")
    number_e164 = models.CharField(_("number"), max_length=64)
    owner = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="call_backs")
    snoozed_until = models.DateTimeField(null=True)
    decided_at = models.DateTimeField(null=True)  # the last of these; null in rows of older releases
    done_at = models.DateTimeField(null=True)
    done_by = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["domain", "number_e164"], name="one_call_back_per_number")]
