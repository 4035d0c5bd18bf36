"""The next hour of a queue put together: its calls, the people it takes, the longest wait; or why there is none."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

import msgspec

from wallboard.forecast import waits
from wallboard.forecast.calls_ahead import WEEKS, CallsAhead, Rates, TooShort
from wallboard.forecast.courses import DAY, QUARTER, WINDOW, Window, quarter_of
from wallboard.forecast.history import Counted
from wallboard.forecast.waits import Behaviour, Expected, Sums
from wallboard.queues.hours.calendar import Schedule

Reason = Literal["", "closed", "short", "no times", "no target", "too many"]
LEAST_PEOPLE = 1.05  # with fewer at work before the waits are not those of a queue that is served
STEP = timedelta(minutes=5)


class Estimate(msgspec.Struct, frozen=True, array_like=True):
    """The middle of what is expected, and from, to of its 80 % interval."""

    middle: float
    low: float
    high: float


class Outlook(msgspec.Struct, frozen=True):
    """What the hour is expected to bring; `why` each is missing; `days` is how often the hour was seen before."""

    calls: Estimate | None = None
    why: Reason = ""
    days: int = 0
    people: Estimate | None = None
    why_people: Reason = ""
    longest: Estimate | None = None
    why_longest: Reason = ""
    usual_people: float | None = None
    target_seconds: int | None = None


@dataclass(frozen=True)
class Asked:
    """One queue and the quarter in which its hour begins."""

    number: str
    begins_at: datetime
    zone: ZoneInfo
    target_seconds: int | None

    @property
    def local(self) -> datetime:
        return self.begins_at.astimezone(self.zone)


def outlook(asked: Asked, days: Mapping[date, Counted], schedule: Schedule, *, with_waits: bool) -> Outlook:
    """The outlook from the counted days, today's so far among them. `with_waits`: calibration has proven the rest."""
    window = window_at(asked, schedule)
    if window.is_closed:
        return Outlook(why="closed")
    today = asked.local.date()
    courses = [counted.course(day) for day, counted in days.items()]
    calls = Rates(courses, today).ahead(window, quarter_of(asked.local))
    if isinstance(calls, TooShort):
        return Outlook(why="short", days=calls.days)
    seen = sum(day - 7 * week * DAY in days for day in (window.day,) for week in range(1, WEEKS + 1))
    low, high = calls.interval
    found = Outlook(Estimate(calls.mean, low, high), days=seen, target_seconds=asked.target_seconds)
    return _with_waits(found, asked, calls, window, days) if with_waits else found


def window_at(asked: Asked, schedule: Schedule) -> Window:
    """The hour by the clock on the wall, with the minutes that the queue is open."""
    minutes = [
        5.0 * sum(schedule.is_open(asked.number, asked.begins_at + part * QUARTER + step * STEP) for step in range(3))
        for part in range(WINDOW)
    ]
    return Window(asked.local.date(), quarter_of(asked.local), tuple(minutes))


def _with_waits(
    found: Outlook, asked: Asked, calls: CallsAhead, window: Window, days: Mapping[date, Counted]
) -> Outlook:
    times = waits.behaviour(sum((each.times for each in days.values()), Sums()))
    if times is None:
        return msgspec.structs.replace(found, why_people="no times", why_longest="no times")
    # Calls come within the minutes in which the queue is open: the rate is higher where these are few.
    hourly = CallsAhead(calls.mean * 60 / sum(window.minutes), calls.shape)
    usual = _usual_people(window, days, times)
    longest = None if usual is None or usual < LEAST_PEOPLE else waits.longest_wait(hourly, usual, times)
    target = asked.target_seconds
    people = waits.people_needed(hourly, target, times) if target else None
    return msgspec.structs.replace(
        found,
        longest=_estimate(longest),
        why_longest="" if longest else "no times",
        usual_people=usual,
        people=_estimate(people),
        why_people="" if people else "too many" if target else "no target",
    )


def _usual_people(window: Window, days: Mapping[date, Counted], times: Behaviour) -> float | None:
    """As many as explain the waits of the same hour of the last weeks."""
    calls, minutes, seconds = 0, 0.0, 0.0
    for day, quarter, _ in window.slots:
        for week in range(1, WEEKS + 1):
            counted = days.get(day - 7 * week * DAY)
            if counted is not None and counted.minutes[quarter]:
                calls += counted.offered[quarter]
                minutes += counted.minutes[quarter]
                seconds += counted.waits[quarter]
    return waits.people_at_work(calls, minutes, seconds, times)


def _estimate(expected: Expected | None) -> Estimate | None:
    return None if expected is None else Estimate(*expected)
