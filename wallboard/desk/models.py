"""What an agent writes, and which of their pages shows a call."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Domain, Person


class Claim(models.Model):
    """The one page of a person that pops for a call; it lapses unless the page keeps renewing it."""

    person = models.ForeignKey(Person, models.CASCADE, related_name="claims")
    call_id = models.CharField(max_length=200)
    page = models.CharField(max_length=64)
    until = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "call_id"], name="one_pop_per_call_and_person")]


class Note(models.Model):
    """What a person wrote about a call, kept with the caller's number. `stamp` grows with every change of the text."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="notes")
    person = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="notes")
    call_id = models.CharField(max_length=200)
    number_e164 = models.CharField(_("number"), max_length=64, blank=True)
    text = models.TextField(max_length=4000, blank=True)
    stamp = models.BigIntegerField(default=0)
    written_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "call_id"], name="one_note_per_call_and_person")]
        indexes = [models.Index(fields=["domain", "number_e164", "-written_at"])]
