"""When a domain is polled next: its interval, its patience after a failure, and no catching up."""

import random
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet

from accounts.models import Domain
from accounts.spreading import phases
from accounts.tokens import patience
from wallboard.queues.models import PollState
from wallboard.telephony.errors import NotAuthorized, ProviderError, RateLimited, TokenRejected

FIRST_PAUSE_SECONDS = 2.5  # at most, after one failure, where the interval is shorter than this
LONGEST_PAUSE_SECONDS = (27.0, 30.0)  # ten minutes of outage cost thirty calls at most, and healing is not far off
LONGEST_PAUSE = timedelta(seconds=patience.RETRY_AFTER_SECONDS)
LATE_SECONDS = (5.0, 2.0)  # how much later than expected a reading may come: at most, and at least
LIVE_SECONDS = 12.0  # no longer than this is anything shown as live, where the interval lets it
REFUSALS = (NotAuthorized.kind, TokenRejected.kind)
EARLY = 0.2  # of a beat: how much too early a beat's tick may come and still count
LATER = 0.2  # of an interval: by how much it may be longer, once, for a company to come back to its own place in it
# Of the 20 to 500 figures of each company nothing is needed here.
DECIDING = (
    *("slug", "base_url", "poll_seconds", "company_token__rejected_since", "company_token__retry_at"),
    *(f"poll_state__{name}" for name in ("tried_at", "not_before", "failure", "failures")),
)
# Many installations that lost the provider together must not come back in step.
_random = random.SystemRandom()


def interval_seconds(domain: Domain) -> float:
    """Seconds between two readings of the domain; polling more often than beat ticks is not possible."""
    return max(domain.poll_seconds or settings.POLL_SECONDS, settings.POLL_SECONDS)


def live_for(domain: Domain) -> timedelta:
    """How long a reading is shown as live: two intervals and a little; static/js/views/freshness.js knows the same."""
    two, (most, least) = 2 * interval_seconds(domain), LATE_SECONDS
    return timedelta(seconds=max(two + least, min(two + most, LIVE_SECONDS)))


def connected() -> QuerySet[Domain]:
    """The active domains that somebody has connected, with what decides when they are read, and no more than that."""
    domains = Domain.objects.filter(is_active=True).exclude(client_id="").select_related("poll_state", "company_token")
    return domains.only(*DECIDING).order_by("pk")


def state_of(domain: Domain) -> PollState | None:
    """How polling it goes, where it was polled before."""
    return getattr(domain, "poll_state", None)


def seconds_until_due(domain: Domain, now: datetime) -> float:
    """In how many seconds to read the domain next; 0 where that is now, or was before.

    Each has its own place in the interval (accounts/spreading). Who was read at another moment comes back there step
    by step, so that hardly any interval is longer than it should be.
    """
    state = state_of(domain)
    if state is None or state.tried_at is None or state.tried_at > now:
        return 0.0
    if state.not_before is not None and state.not_before <= now + LONGEST_PAUSE:
        return 0.0 if is_due(domain, state, now) else (state.not_before - now).total_seconds()
    interval = interval_seconds(domain)
    due_at = state.tried_at.timestamp() + interval
    # Less early than is_due() lets pass: that looks again just before the poll, by a clock that may have been adjusted.
    least, most = -EARLY / 2 * settings.POLL_SECONDS, LATER * interval
    due_at += min(max(phases.nearest(domain.pk, interval, due_at), least), most)
    return max(0.0, due_at - now.timestamp())


def is_due(domain: Domain, state: PollState | None, now: datetime) -> bool:
    """Whether to read now: after a failure when its pause is over, however long the interval is.

    A pause for refused tokens or credentials also ends once another call succeeded, or the credentials were changed.
    After a clock was set back the last try lies ahead: no interval and no pause counts then.
    """
    # Whatever lies ahead of now was written before a clock was set back.
    if state is None or state.tried_at is None or state.tried_at > now:
        return True
    # A pause longer than any we plan is of such a clock, too.
    if state.not_before is not None and state.not_before <= now + LONGEST_PAUSE:
        return state.not_before <= now or (state.failure in REFUSALS and _is_trusted_again(domain))
    # Ticks of beat jitter. Without this a poll that is due 10 ms after the tick would wait for a whole next one.
    early = timedelta(seconds=EARLY * settings.POLL_SECONDS)
    return state.tried_at + timedelta(seconds=interval_seconds(domain)) - early <= now


def _is_trusted_again(domain: Domain) -> bool:
    token = getattr(domain, "company_token", None)
    return token is None or (token.rejected_since is None and token.retry_at is None)


def pause_seconds(domain: Domain, error: Exception, failures: int) -> float:
    """How long to leave the provider alone after so many failures in a row, the newest of them `error`.

    Refused tokens are tried again sooner than the interval says, as most of them are a hiccup (accounts/tokens).
    """
    if isinstance(error, RateLimited) and error.retry_after_seconds is not None:
        # The provider's word counts, within reason: a Retry-After of a day would darken boards for a day.
        return min(max(error.retry_after_seconds, interval_seconds(domain)), patience.RETRY_AFTER_SECONDS)
    if isinstance(error, ProviderError) and error.wait_seconds is not None:
        return error.wait_seconds
    if isinstance(error, NotAuthorized):
        return patience.pause_seconds(error, failures)
    # The exponent is bounded: a float would overflow after a thousand failures in a row.
    step = max(interval_seconds(domain), FIRST_PAUSE_SECONDS) * 2.0 ** min(failures - 1, 16)
    return min(step * _random.uniform(0.5, 1.0), _random.uniform(*LONGEST_PAUSE_SECONDS))
