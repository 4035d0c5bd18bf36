"""The course of a day: how many calls came to a queue in each quarter of an hour by the clock on the wall."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property

DAY = timedelta(days=1)
QUARTER = timedelta(minutes=15)
QUARTER_MINUTES, QUARTERS = 15, 96
WINDOW = 4  # quarters in an hour


@dataclass(frozen=True)
class DayCourse:
    """`minutes` are those of each quarter in which the queue was open and events came: 0 where the clock skips a
    quarter, 30 where it comes twice. Calls of a quarter without minutes do not count."""

    day: date
    offered: tuple[int, ...] = (0,) * QUARTERS
    minutes: tuple[float, ...] = (0.0,) * QUARTERS

    @cached_property
    def seen(self) -> list[tuple[int, int, float]]:
        """Quarter, calls and minutes, of the quarters in which calls counted."""
        return [(at, self.offered[at], minutes) for at, minutes in enumerate(self.minutes) if minutes > 0]


@dataclass(frozen=True)
class Window:
    """Four quarters that begin at a quarter of a day, by the clock on the wall; the last ones may be of the day after.

    `minutes` says for each of them how long the queue is open then.
    """

    day: date
    first: int
    minutes: tuple[float, ...] = (15.0,) * WINDOW

    @property
    def slots(self) -> list[tuple[date, int, float]]:
        """The day, the quarter and the minutes of each."""
        places = [divmod(self.first + step, QUARTERS) for step in range(WINDOW)]
        return [(self.day + days * DAY, quarter, self.minutes[step]) for step, (days, quarter) in enumerate(places)]

    @property
    def is_closed(self) -> bool:
        return not any(self.minutes)


def quarter_of(local: datetime) -> int:
    """The quarter of the day that a moment of the clock on the wall lies in."""
    return (local.hour * 60 + local.minute) // QUARTER_MINUTES
