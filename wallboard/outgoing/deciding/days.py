"""Days that are over: their figures go out once the last minute of them is counted."""

from datetime import datetime, timedelta

from django.db import transaction

from accounts import company_day
from accounts.models import Domain
from wallboard.outgoing import kinds
from wallboard.outgoing.deciding import events
from wallboard.outgoing.models import Endpoint, Event, Progress

COUNTED_AFTER = timedelta(minutes=5)  # samples are rolled up by then, and calls of the last minute are over


def follow(domain: Domain, listeners: list[Endpoint], now: datetime) -> None:
    """Tell the last day that is over, if nobody was told yet. One caller at a time."""
    today = company_day.start(domain, now - COUNTED_AFTER).date()
    last = today - timedelta(days=1)
    with transaction.atomic():
        progress, is_new = Progress.objects.get_or_create(domain=domain)
        if progress.told_day is not None and progress.told_day >= last:
            return
        Progress.objects.filter(pk=progress.pk).update(told_day=last)
        # Who begins to listen at noon is not told of yesterday.
        if not is_new and progress.told_day is not None:
            at = company_day.end(domain, last)
            event = Event(domain=domain, kind=kinds.DAY_ENDED, subject=str(last), at=at, about={"day": str(last)})
            events.store(domain, [event], listeners)
