"""The one place that writes which call events a company missed: from when, until when, and why."""

from datetime import datetime, timedelta

from django.db.models import QuerySet

from wallboard.calls.models import EventGap

Reason = EventGap.Reason
SHORTEST = timedelta(seconds=10)  # what looked like a gap and was over sooner came late, from the spool for example
TOGETHER = timedelta(seconds=60)  # refusals so close to each other are one gap


def begin(domain_id: int, since: datetime, reason: str) -> None:
    """Events are missing from then on, until end(). Nothing where they are missing already."""
    newest = _of(domain_id).filter(until__isnull=False).order_by("-until").values_list("until", flat=True).first()
    # What came since the gap before this one is not missing.
    since = max(since, newest) if newest else since
    EventGap.objects.get_or_create(domain_id=domain_id, until=None, defaults={"since": since, "reason": reason})


def end(domain_id: int, at: datetime) -> None:
    """Events come again since then."""
    for gap in _of(domain_id).filter(until=None):
        if at - gap.since < SHORTEST:
            gap.delete()
        else:
            gap.until = at
            gap.save(update_fields=["until"])


def add(domain_id: int, since: datetime, until: datetime, reason: str) -> None:
    """Events of that time are lost; joined with the newest gap of the same kind where that is close."""
    near = (
        _of(domain_id).filter(reason=reason, until__gte=since - TOGETHER, since__lte=since).order_by("-until").first()
    )
    if near is None or near.until is None:
        EventGap.objects.create(domain_id=domain_id, since=since, until=until, reason=reason)
    elif until > near.until:
        near.until = until
        near.save(update_fields=["until"])


def _of(domain_id: int) -> QuerySet[EventGap]:
    return EventGap.objects.filter(domain_id=domain_id)
