"""What programs outside ask with."""

from django.db import models

from accounts.models import Domain, Person, Team


class Token(models.Model):
    """The key of one program: only its hash is stored (tokens.py), and what it may ask for (scopes.py).

    `only_queues` (numbers) and `only_team` limit what it sees, as they limit a person; null is everything.
    """

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80)
    prefix = models.CharField(max_length=12, unique=True)
    secret_hash = models.CharField(max_length=64)
    scopes = models.JSONField(default=list)
    only_queues = models.JSONField(null=True, blank=True)
    only_team = models.ForeignKey(Team, models.RESTRICT, null=True, blank=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="+")
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name
