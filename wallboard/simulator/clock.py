"""The service's own time: the machine's clock, which can be moved forward so that lifetimes can be tested."""

from datetime import UTC, datetime, timedelta


class Clock:
    """Tokens, codes, subscriptions and every time stamp go by this clock; the floor's pace does not change it."""

    def __init__(self) -> None:
        self.ahead_seconds = 0.0

    def now(self) -> datetime:
        """The service's time, in UTC."""
        return datetime.now(UTC) + timedelta(seconds=self.ahead_seconds)

    def time(self) -> float:
        """The service's time in seconds since 1970."""
        return self.now().timestamp()

    def move(self, seconds: float) -> None:
        """Go forward by so many seconds; a clock never goes back."""
        if seconds < 0:
            raise ValueError("The clock only goes forward.")
        self.ahead_seconds += seconds


def iso(moment: datetime) -> str:
    """UTC, ISO-8601 with fractional seconds and no zone suffix, as token answers and subscriptions carry it."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds")
