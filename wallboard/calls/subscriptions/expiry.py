"""When a subscription ends by our own clock, whatever the provider's clock and zone make of it."""

from datetime import datetime, timedelta

from wallboard.calls.models import Subscription
from wallboard.telephony.resources import LONGEST_SUBSCRIPTION_SECONDS

# Of a subscription that has just been made, an end sooner than this is not believed.
SHORTEST_LIFE = timedelta(seconds=20)
TICK_SECONDS = 10  # beat asks what is due as often as this, or more often (wallboard/settings.py)
REMADE_EVERY = timedelta(minutes=5)  # a subscription that stays silent
LONGEST_LIFE = timedelta(seconds=LONGEST_SUBSCRIPTION_SECONDS)


def of(
    row: Subscription, stated: datetime | None, provider_now: datetime | None, now: datetime, *, is_renewal: bool
) -> tuple[datetime, datetime | None]:
    """When a subscription ends by our clock, and what the provider stated where that is not believed.

    Measured from the provider's own clock, where its answer carries one, so that neither clock has to be right. An end
    that is past, or all but past, when the subscription has just been made cannot be right: then it lives for as long
    as we asked for, whatever later looks at it say.
    """
    # The provider's own limit (604,800 s): a date beyond it is a clock or a zone that is wrong.
    longest = now + LONGEST_LIFE
    # An answer without an end got what was asked for.
    left = LONGEST_LIFE if stated is None else stated - (provider_now or now)
    if left > SHORTEST_LIFE or not (is_renewal or row.doubted_expiry):
        return min(now + left, longest), None
    return longest if is_renewal or row.expires_at is None else row.expires_at, stated


def is_renewal_due(row: Subscription, now: datetime) -> bool:
    """Whether to send the request again: at half life, and where it fell silent, for a look may find nothing."""
    return now >= half_life(row) or _is_deaf(row, now)


def _is_deaf(row: Subscription, now: datetime) -> bool:
    """Whether it stopped to deliver while the figures went on, and was not made anew since."""
    made_at = row.renewed_at or row.created_at
    return row.silent_at is not None and (made_at < row.silent_at or now - made_at >= REMADE_EVERY)


def half_life(row: Subscription) -> datetime:
    """When it is renewed."""
    start = row.renewed_at or row.created_at
    end = row.expires_at or start
    # Half of the life is left for an outage of ours or of the provider's.
    return start + min(max(end - start, SHORTEST_LIFE), LONGEST_LIFE) / 2


def checked_for(interval_seconds: float) -> timedelta:
    """How long a look at a subscription counts: half a tick less than the interval, for ticks come a little early."""
    return timedelta(seconds=interval_seconds - min(interval_seconds, TICK_SECONDS) / 2)
