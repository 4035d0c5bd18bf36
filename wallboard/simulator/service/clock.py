"""The service's own time: the machine's clock, which can be moved forward so that lifetimes can be tested."""

from datetime import UTC, datetime, timedelta

MOST_AHEAD_SECONDS = 1e10  # some three hundred years


class ServiceClock:
    """Tokens, codes, subscriptions and every time stamp go by this clock; the floor's speed does not change it."""

    def __init__(self) -> None:
        self.ahead_seconds = 0.0

    def now(self) -> datetime:
        """The service's time, in UTC."""
        return datetime.now(UTC) + timedelta(seconds=self.ahead_seconds)

    def time(self) -> float:
        """The service's time in seconds since 1970."""
        return self.now().timestamp()

    def move(self, seconds: float) -> None:
        """Go forward by so many seconds; a clock never goes back, and not beyond what dates can tell."""
        if not 0 <= seconds <= MOST_AHEAD_SECONDS - self.ahead_seconds:
            raise ValueError(f"The clock only goes forward, by {MOST_AHEAD_SECONDS:g} seconds at most in all.")
        self.ahead_seconds += seconds
