"""Numbers that are being taken out of everything, and what came of it."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.encryption import SealedField
from accounts.models import Domain


class Erasure(models.Model):
    """A number that somebody wants gone; sealed until it is, and then only masked.

    `step` of `steps` are done. `counts` says how much of each kind lost the number, `remaining` what still holds it, in
    words, `refusal` why nothing was erased. `who` and `user_id` name whoever asked, for the audit log.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting for the worker")
        RUNNING = "running", _("being erased")
        DONE = "done", _("erased")
        REFUSED = "refused", _("not erased")

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="erasures")
    number = SealedField(blank=True, default="")
    masked = models.CharField(max_length=200)
    who = models.CharField(max_length=300)
    user_id = models.BigIntegerField(null=True)
    state = models.CharField(max_length=7, choices=State, default=State.WAITING)
    step = models.PositiveIntegerField(default=0)
    steps = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=dict)
    remaining = models.JSONField(default=list)
    refusal = models.CharField(max_length=300, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)
    # By it a run that died is told from one that is slow.
    heard_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-made_at", "-pk"]
