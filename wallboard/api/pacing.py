"""How often a program may ask, per token, and how often a stranger may try tokens; counted over all processes."""

from accounts.signin.start_throttle import StartThrottle, WindowCounter
from wallboard.live.backends.shared_counts import Usage

REQUESTS_PER_MINUTE = 600
WINDOW_SECONDS = 60
WRONG_TOKENS = 120  # of one address, in ten minutes

_requests = WindowCounter(WINDOW_SECONDS, "api-requests")
wrong_tokens = StartThrottle(WRONG_TOKENS, "api-wrong-tokens")


def count(token_id: int) -> Usage:
    """Count one more request of this token."""
    return _requests.count(str(token_id))


def headers(usage: Usage) -> dict[str, str]:
    """The limit as it stands, for every answer."""
    return {
        "RateLimit-Limit": str(REQUESTS_PER_MINUTE),
        "RateLimit-Remaining": str(max(0, REQUESTS_PER_MINUTE - usage.used)),
        "RateLimit-Reset": str(usage.seconds_left),
    }
