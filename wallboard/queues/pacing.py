"""When a domain is polled next: its interval, its patience after a failure, and no catching up."""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings

from accounts.models import Domain
from wallboard.queues.models import PollState
from wallboard.telephony.errors import NotAuthorized, RateLimited

FIRST_PAUSE_SECONDS = 2.5  # at most, after one failure, where the interval is shorter than this
LONGEST_PAUSE_SECONDS = (27.0, 30.0)  # ten minutes of outage cost thirty calls at most, and healing is not far off
REFUSED_PAUSE_SECONDS = 300.0  # credentials that were refused do not get better by trying
LONGEST_RETRY_AFTER_SECONDS = 3600.0
LONGEST_PAUSE = timedelta(seconds=LONGEST_RETRY_AFTER_SECONDS)
LATE_SECONDS = 5.0  # how much later than expected a reading may come without being missed
EARLY = 0.2  # of a beat: how much too early a beat's tick may come and still count
_random = random.SystemRandom()


def interval_seconds(domain: Domain) -> float:
    """Seconds between two readings of the domain; polling more often than beat ticks is not possible."""
    return max(domain.poll_seconds or settings.POLL_SECONDS, settings.POLL_SECONDS)


def live_for(domain: Domain) -> timedelta:
    """How long a reading is shown as live: two intervals and a little; static/js/views/freshness.js knows the same."""
    return timedelta(seconds=2 * interval_seconds(domain) + LATE_SECONDS)


def due_domains(now: datetime) -> Iterator[Domain]:
    """The active domains whose next reading is due, in one query."""
    domains = Domain.objects.filter(is_active=True).select_related("poll_state", "company_token").order_by("pk")
    return (domain for domain in domains if is_due(domain, getattr(domain, "poll_state", None), now))


def is_due(domain: Domain, state: PollState | None, now: datetime) -> bool:
    """Whether to read now. A pause for refused credentials ends at once when they are changed (the token is gone).

    After a clock was set back the last try lies ahead: no interval and no pause counts then.
    """
    if state is None or state.tried_at is None or state.tried_at > now:
        return True
    if state.not_before is not None and now < state.not_before <= now + LONGEST_PAUSE:
        return state.failure == NotAuthorized.kind and getattr(domain, "company_token", None) is None
    early = timedelta(seconds=EARLY * settings.POLL_SECONDS)
    return state.tried_at + timedelta(seconds=interval_seconds(domain)) - early <= now


def pause_seconds(domain: Domain, error: Exception, failures: int) -> float:
    """How long to leave the provider alone after so many failures in a row, the newest of them `error`."""
    if isinstance(error, RateLimited) and error.retry_after_seconds is not None:
        return min(max(error.retry_after_seconds, interval_seconds(domain)), LONGEST_RETRY_AFTER_SECONDS)
    if isinstance(error, NotAuthorized):
        return REFUSED_PAUSE_SECONDS
    step = max(interval_seconds(domain), FIRST_PAUSE_SECONDS) * 2.0 ** min(failures - 1, 16)
    return min(step * _random.uniform(0.5, 1.0), _random.uniform(*LONGEST_PAUSE_SECONDS))
