"""Word that rights changed, left in the database: every server process reads it within a second or two.

Redis carries such word faster (live/control.py), but it may be frozen or gone, and a right that ended ends then, too.
"""

from datetime import timedelta

from django.db import models
from django.db.models.functions import Now

READ_WITHIN = timedelta(seconds=60)  # what a longer transaction wrote, the sockets' own look at the database finds
FORGOTTEN_AFTER = timedelta(minutes=10)


class RightsChange(models.Model):
    """Rights of a user, a TV or a company changed. No foreign keys: it outlives what it is about."""

    at = models.DateTimeField(db_index=True)
    user_id = models.BigIntegerField(null=True)
    screen_id = models.BigIntegerField(null=True)
    domain_id = models.BigIntegerField(null=True)
    limited_only = models.BooleanField(default=False)


def changed(
    *,
    user_id: int | None = None,
    screen_id: int | None = None,
    domain_id: int | None = None,
    limited_only: bool = False,
) -> None:
    """The rights of this user, of this TV or of everybody at this company may have changed; part of a transaction.

    With `limited_only` just of those at the company who are limited to some queues or people.
    """
    # By the database's clock, as machines may differ.
    RightsChange.objects.filter(at__lt=Now() - FORGOTTEN_AFTER).delete()
    RightsChange.objects.create(
        user_id=user_id, screen_id=screen_id, domain_id=domain_id, limited_only=limited_only, at=Now()
    )


class RightsReader:
    """Reads each change once. Numbers of rows are no order (a lower one may be committed later), hence their times."""

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def new_changes(self) -> list[RightsChange]:
        """What was committed since the last call; with the first, that of the last minute."""
        rows = list(RightsChange.objects.filter(at__gt=Now() - READ_WITHIN).order_by("pk"))
        seen, self._seen = self._seen, {row.pk for row in rows}
        return [row for row in rows if row.pk not in seen]
