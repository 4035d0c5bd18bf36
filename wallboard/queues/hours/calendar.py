"""When queues take calls: ranges by weekday and days closed, in the company's time zone.

A range belongs to the day on which it begins and may reach past midnight. The clock on the wall counts: where it is
turned, an hour is skipped or comes twice, as it does for the people on the floor.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any

from accounts.company_day import zone_named
from accounts.models import Domain
from wallboard.queues.models import Hours

DAY = timedelta(days=1)
DAY_MINUTES = 1440
COLUMNS = ("week", "closed_days", "keeps_closed_days", "counts_outside")
# A queue that is closed for longer than a month has no opening that a board should count down to.
LOOK_AHEAD_DAYS = 31
Range = tuple[int, int]  # from, until in minutes of the day; an `until` that is not later lies on the day after
Week = tuple[tuple[Range, ...], ...]  # seven days, Monday first


@dataclass(frozen=True, slots=True)
class Times:
    """When one queue is open. A week without any range is open around the clock, save for the closed days."""

    week: Week = ()
    closed_days: frozenset[date] = frozenset()

    def is_open(self, local: datetime) -> bool:
        """Whether it is open then, by a clock of the company's zone."""
        minute = local.hour * 60 + local.minute
        if not any(self.week):
            return local.date() not in self.closed_days
        # Yesterday's range may reach past midnight.
        return self._covers(local.date(), minute) or self._covers(local.date() - DAY, minute + DAY_MINUTES)

    def opens_after(self, local: datetime) -> datetime | None:
        """When it opens next after that moment of a clock of the company's zone; None where it does not for a month."""
        for step in range(LOOK_AHEAD_DAYS):
            day = local.date() + step * DAY
            if day in self.closed_days:
                continue
            # Around the clock but for closed days: it opens again at the midnight after them.
            begins = [begin for begin, _ in self.week[day.weekday()]] if any(self.week) else [0]
            moments = [datetime.combine(day, time(*divmod(begin, 60)), local.tzinfo) for begin in begins]
            if later := [each for each in moments if each > local]:
                return min(later)
        return None

    def _covers(self, day: date, minute: int) -> bool:
        if day in self.closed_days:
            return False
        return any(begin <= minute < end_of(begin, until) for begin, until in self.week[day.weekday()])


ALWAYS = Times()


@dataclass(frozen=True, slots=True)
class Schedule:
    """The hours of a whole company. `counts_outside`: time over target counts although a queue is closed."""

    zone: str = "UTC"
    default: Times = ALWAYS
    own: dict[str, Times] = field(default_factory=dict)
    counts_outside: bool = False

    def of(self, number: str) -> Times:
        return self.own.get(number, self.default)

    def is_open(self, number: str, moment: datetime) -> bool:
        """Whether the queue takes calls at that moment (aware, in any zone)."""
        return self.of(number).is_open(moment.astimezone(zone_named(self.zone)))

    def opens_after(self, number: str, moment: datetime) -> datetime | None:
        """When the queue takes calls again after that moment (aware); None where it does not within a month."""
        return self.of(number).opens_after(moment.astimezone(zone_named(self.zone)))


def end_of(begin: int, until: int) -> int:
    """The end of a range in minutes since the midnight before it began."""
    return until if until > begin else until + DAY_MINUTES


def schedule(domain: Domain) -> Schedule:
    """The hours in force, in one query; a company without any is always open."""
    return of_rows(domain.time_zone, Hours.objects.filter(domain=domain).values("queue__number", *COLUMNS))


def of_rows(time_zone: str, rows: Iterable[Mapping[str, Any]]) -> Schedule:
    """The same of the rows, each with `queue__number` and COLUMNS."""
    by_number = {row["queue__number"]: row for row in rows}
    company = by_number.pop(None, None)
    shared = _days(company["closed_days"]) if company else frozenset()
    own = {
        number: Times(
            _week(row["week"]), _days(row["closed_days"]) | (shared if row["keeps_closed_days"] else frozenset())
        )
        for number, row in by_number.items()
    }
    default = Times(_week(company["week"]), shared) if company else ALWAYS
    return Schedule(time_zone, default, own, bool(company and company["counts_outside"]))


def _week(stored: Sequence[Sequence[Sequence[int]]]) -> Week:
    return tuple(tuple((each[0], each[1]) for each in ranges) for ranges in stored)


def _days(stored: Sequence[Sequence[str]]) -> frozenset[date]:
    return frozenset(date.fromisoformat(day) for day, _ in stored)
