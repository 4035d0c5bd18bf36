"""Callers who were missed and have waited for long to be rung back."""

from django.utils import timezone

from accounts.models import Domain
from wallboard.alerts.conditions import State
from wallboard.alerts.detecting.findings import NOT_JUDGED, Finding
from wallboard.alerts.detecting.opening import is_any_open
from wallboard.alerts.models import Alert
from wallboard.calls.subscriptions import health
from wallboard.desk import callbacks


def overdue(domain: Domain) -> Finding:
    """The oldest call-back of the company that nobody has taken; by how long it has waited the rule says."""
    now = timezone.now()
    if not is_any_open(domain, now):
        return Finding(why_ended={"": Alert.Ended.CLOSED.value})
    # Somebody may have been rung back, and nobody could see it.
    if health.of(domain.pk).state != "live":
        return NOT_JUDGED
    found = callbacks.summary(domain.pk)
    if not found.open or found.oldest_at is None:
        return Finding()
    minutes = int((now - found.oldest_at).total_seconds() // 60)
    return Finding([State(since=found.oldest_at, facts={"minutes": minutes, "open": found.open}, is_age=True)])
