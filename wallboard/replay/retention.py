"""How long recordings are kept: as long as the company wants them, and never longer than callers are remembered."""

import time
from datetime import datetime

from accounts.models import Domain
from wallboard.calls.retention.retention import days_of_callers, limit
from wallboard.replay.models import Run, Span

AT_ONCE = 100  # rows of one statement, so that nobody waits for it
LONGEST_RUN_SECONDS = 20.0  # the next run goes on


def forget_old() -> bool:
    """Delete what is past its time, for some seconds at most; gives whether that is all of it."""
    ends_at = time.monotonic() + LONGEST_RUN_SECONDS
    done = [_forget(domain, ends_at) for domain in Domain.objects.all()]
    return all(done)


def keeps_from(domain: Domain) -> datetime | None:
    """The moment before which nothing is kept; None where nothing is kept at all."""
    days = min(domain.replay_kept_days, days_of_callers(domain))
    return limit(domain, days) if days else None


def _forget(domain: Domain, ends_at: float) -> bool:
    moment = keeps_from(domain)
    spans, runs = Span.objects.filter(domain=domain), Run.objects.filter(domain=domain)
    if moment is not None:
        second = int(moment.timestamp())
        runs.filter(begins__lt=second, ends__gt=second).update(begins=second)
        spans, runs = spans.filter(ends__lte=second), runs.filter(ends__lte=second)
    while time.monotonic() < ends_at:
        some = list(spans.values_list("pk", flat=True)[:AT_ONCE])
        if not some:
            # With spans that a recorder which died left without an end.
            runs.delete()
            return True
        Span.objects.filter(pk__in=some).delete()
    return False
