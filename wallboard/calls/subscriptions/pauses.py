"""How long the provider is left in peace after it failed at a subscription.

Where none is in force each second costs call events, so tries begin after 2, 4, 8 … seconds, or when the provider says.
"""

import random
from datetime import datetime, timedelta

from django.conf import settings

from accounts.tokens import patience
from wallboard.calls.models import Subscription
from wallboard.calls.subscriptions import health
from wallboard.telephony.errors import NotAuthorized, RateLimited, Unavailable

State = Subscription.State
LONGEST_PAUSE_SECONDS = 300
OUTAGE_PAUSE_SECONDS = 900  # where polls fail too: once one succeeds, subscriptions are looked at without delay
LONGEST_RETRY_AFTER_SECONDS = 3600


def is_pausing(row: Subscription, now: datetime) -> bool:
    """Whether the provider is to be left in peace; a pause longer than any is of a clock that was set back."""
    may_be_asked = row.failure in (RateLimited.kind, Unavailable.kind)
    longest = LONGEST_RETRY_AFTER_SECONDS if may_be_asked else OUTAGE_PAUSE_SECONDS
    return row.not_before is not None and now < row.not_before <= now + timedelta(seconds=longest)


def seconds(row: Subscription, error: Exception, now: datetime, *, is_outage: bool) -> float:
    """How long to wait after this failure of a subscription, which is not counted in the row yet."""
    pause = OUTAGE_PAUSE_SECONDS if is_outage else _usual_seconds(row, error, now)
    told = error.retry_after_seconds if isinstance(error, RateLimited) else None
    return pause if told is None else max(pause, min(told, LONGEST_RETRY_AFTER_SECONDS))


def _usual_seconds(row: Subscription, error: Exception, now: datetime) -> float:
    """While the provider answers polls: refused tokens mostly are a hiccup."""
    if isinstance(error, NotAuthorized):
        return patience.pause_seconds(error, row.failures + 1)
    # The exponent is bounded: a float would overflow after a thousand failures in a row.
    doubled = 2.0 ** min(row.failures, 10)
    if not _is_missed(row, now):
        return min(LONGEST_PAUSE_SECONDS, settings.CHECK_SECONDS * doubled) * random.SystemRandom().uniform(0.5, 1)
    if isinstance(error, RateLimited) and error.retry_after_seconds is not None:
        return patience.FIRST_PAUSE_SECONDS
    longest = patience.FIRST_PAUSE_SECONDS * doubled
    return min(LONGEST_PAUSE_SECONDS, longest) * patience.jitter(patience.LEAST_SHARE, 1)


def _is_missed(row: Subscription, now: datetime) -> bool:
    """Whether calls pass by unheard until the provider grants what it was asked for."""
    if row.state == State.RETIRED:
        return False
    is_there = row.provider_id and row.state not in (State.NEW, State.LOST)
    return not is_there or row.silent_at is not None or health.is_lapsed(row, now)
