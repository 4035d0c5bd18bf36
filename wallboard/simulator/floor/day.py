"""The hours of a working day: how many calls come in each, and how the floor's seconds map to them."""

# Share of the base call rate for each hour; a late-morning peak, a lunch dip, a smaller afternoon peak.
CALL_RATE_BY_HOUR = (
    *(0.02, 0.02, 0.02, 0.02, 0.02, 0.04, 0.10, 0.35, 0.75, 1.00, 1.05, 0.95),
    *(0.70, 0.80, 0.95, 0.95, 0.85, 0.60, 0.35, 0.20, 0.12, 0.06, 0.04, 0.02),
)
HOUR_SECONDS = 3600.0


class Day:
    """A floor's day: it starts at some hour and either goes on or stays at that hour."""

    def __init__(self, start_hour: float = 10.0, *, stays: bool = False) -> None:
        self.start_hour = start_hour
        self.stays = stays

    def hour(self, now: float) -> float:
        """Hour of the day, 0 to 24 with fractions, at this second of the floor."""
        passed = 0.0 if self.stays else now / HOUR_SECONDS
        return (self.start_hour + passed) % 24

    def call_rate(self, now: float) -> float:
        """Share of the base call rate now, between the figures of this hour and the next."""
        hour = self.hour(now)
        this, following = CALL_RATE_BY_HOUR[int(hour)], CALL_RATE_BY_HOUR[(int(hour) + 1) % 24]
        return this + (following - this) * (hour % 1)

    def seconds_until(self, hour: float, now: float) -> float:
        """Floor seconds until it is this hour next."""
        return ((hour - self.hour(now)) % 24) * HOUR_SECONDS

    def time_text(self, now: float) -> str:
        """The time of the day as HH:MM."""
        hour = self.hour(now)
        return f"{int(hour):02d}:{int(hour % 1 * 60):02d}"


class ConstantRateDay(Day):
    """The same call rate at every hour, for comparison with theory."""

    def call_rate(self, now: float) -> float:
        return 1.0
