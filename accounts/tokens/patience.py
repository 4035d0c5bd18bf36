"""How long the provider is left in peace after a failure, and how often a token that it refused is replaced.

The first success ends all patience. Until then tries come after 2, 4, 8 … seconds, so that ten minutes of trouble cost
thirty requests at most: where tokens are refused a try may take two requests, hence the longer pauses there.
"""

import random
from datetime import datetime, timedelta

from accounts.models import StoredToken
from wallboard.telephony import errors

jitter = random.SystemRandom().uniform

FIRST_PAUSE_SECONDS = 2.0
LONGEST_PAUSE_SECONDS = 30.0  # while nobody answers: a try is one request
LONGEST_REFUSED_SECONDS = 60.0  # while tokens or credentials are refused
LEAST_SHARE = 0.85  # of a pause, as many clients must not come back at the same moment
RETRY_AFTER_SECONDS = 3600  # longest pause that the provider may ask for
REPLACEMENTS = 5  # of refused tokens one after the other, as long as calls succeed in between …
REPLACEMENT_SECONDS = 60.0  # … and one more each minute
FRUITLESS_SECONDS = (10.0, 100.0)  # between two replacements while no call succeeds: at first, and at most


def pause_seconds(error: Exception, failures: int) -> float:
    """Seconds until the next try after so many failures in a row, the newest of them `error`."""
    if isinstance(error, errors.RateLimited) and error.retry_after_seconds is not None:
        return min(max(error.retry_after_seconds, FIRST_PAUSE_SECONDS), RETRY_AFTER_SECONDS)
    is_refused = isinstance(error, errors.NotAuthorized | errors.GrantRefused | errors.NotFound)
    longest = LONGEST_REFUSED_SECONDS if is_refused else LONGEST_PAUSE_SECONDS
    # Past 16 doublings any limit is reached, and floats would overflow some day.
    return min(longest, FIRST_PAUSE_SECONDS * 2.0 ** min(failures - 1, 16)) * jitter(LEAST_SHARE, 1)


def is_pausing(row: StoredToken, now: datetime) -> bool:
    """Whether the token endpoint is to be left in peace; a pause longer than any is of a clock that was set back."""
    may_be_asked = row.failure in (errors.RateLimited.kind, errors.Unavailable.kind)
    longest = RETRY_AFTER_SECONDS if may_be_asked else LONGEST_REFUSED_SECONDS
    return row.retry_at is not None and now < row.retry_at <= now + timedelta(seconds=longest)


def may_replace(row: StoredToken, now: datetime) -> bool:
    """Whether another token may be asked for in the place of one that the API refused before its time."""
    if row.rejected_since is None or row.replaced_at is None:
        return recent_replacements(row, now) < REPLACEMENTS
    soonest, latest = FRUITLESS_SECONDS
    # In proportion to how long all are refused: replacements get rarer without being counted.
    gap = min(latest, max(soonest, _seconds_between(row.rejected_since, now) * 2 / 3))
    return _seconds_between(row.replaced_at, now) >= gap


def recent_replacements(row: StoredToken, now: datetime) -> int:
    """How many replacements still count: a minute takes one of them away."""
    if row.replaced_at is None:
        return 0
    return max(0, row.replacements - int(_seconds_between(row.replaced_at, now) / REPLACEMENT_SECONDS))


def _seconds_between(earlier: datetime, now: datetime) -> float:
    """Also where a clock was set back in between."""
    return abs((now - earlier).total_seconds())
