"""The hours of a working day: how busy each one is, and how the floor's seconds map to them."""

from collections.abc import Generator
from typing import Any

from simpy import Event

# A process of the floor: it yields what it waits for.
Steps = Generator[Event, Any, None]

# Share of the base rate for each hour; a late-morning peak, a lunch dip, a smaller afternoon peak.
BUSY_BY_HOUR = (
    *(0.02, 0.02, 0.02, 0.02, 0.02, 0.04, 0.10, 0.35, 0.75, 1.00, 1.05, 0.95),
    *(0.70, 0.80, 0.95, 0.95, 0.85, 0.60, 0.35, 0.20, 0.12, 0.06, 0.04, 0.02),
)
HOUR_SECONDS = 3600.0


class Day:
    """A floor's day: it starts at some hour and either goes on or stays at that hour."""

    def __init__(self, start_hour: float = 10.0, *, goes_on: bool = True) -> None:
        self.start_hour = start_hour
        self.goes_on = goes_on

    def hour(self, now: float) -> float:
        """Hour of the day, 0 to 24 with fractions, at this second of the floor."""
        passed = now / HOUR_SECONDS if self.goes_on else 0.0
        return (self.start_hour + passed) % 24

    def busy(self, now: float) -> float:
        """Share of the base rate now, between the figures of this hour and the next."""
        hour = self.hour(now)
        this, following = BUSY_BY_HOUR[int(hour)], BUSY_BY_HOUR[(int(hour) + 1) % 24]
        return this + (following - this) * (hour % 1)

    def seconds_until(self, hour: float, now: float) -> float:
        """Floor seconds until it is this hour next."""
        return ((hour - self.hour(now)) % 24) * HOUR_SECONDS

    def shown(self, now: float) -> str:
        hour = self.hour(now)
        return f"{int(hour):02d}:{int(hour % 1 * 60):02d}"


class EvenDay(Day):
    """The same rate at every hour, for comparison with theory."""

    def busy(self, now: float) -> float:
        return 1.0
