"""The hours and days of a period by the clock on the wall, and how they are written."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from accounts.company_day import clock_text
from accounts.languages.dates import written as date_format
from accounts.models import Domain

HOUR = timedelta(hours=1)
MOST_COLUMNS = 31  # of a table by day; of more days it is by week
A_WEEK_DAYS = 7  # up to here every day of the week comes once, and its name tells it
Wall = datetime  # without a zone, as the clock on the wall shows it


@dataclass(frozen=True)
class Period:
    """Whole days of a company, the last one included; each begins at that hour (Domain.day_starts_hour).

    `clock` is how times of day are written (Domain.clock).
    """

    first: date
    last: date
    zone: ZoneInfo
    starts_hour: int = 0
    clock: str = Domain.Clock.H24.value

    @property
    def begin(self) -> datetime:
        """When its first day begins."""
        return datetime.combine(self.first, time(self.starts_hour), self.zone)

    @property
    def end(self) -> datetime:
        """When its last day is over."""
        # Not 24 hours after it began: a day may have 23 or 25.
        return datetime.combine(self.last + timedelta(days=1), time(self.starts_hour), self.zone)

    @property
    def days(self) -> "list[Period]":
        """Each of its days by itself."""
        dates = [self.first + timedelta(days=index) for index in range((self.last - self.first).days + 1)]
        return [Period(day, day, self.zone, self.starts_hour, self.clock) for day in dates]

    @property
    def is_one_day(self) -> bool:
        return self.first == self.last


def wall(moment: datetime, period: Period) -> Wall:
    """What the clock on the wall shows then: the hour that a day has twice is one."""
    return moment.astimezone(period.zone).replace(tzinfo=None)


def is_a_week_at_most(period: Period) -> bool:
    return (period.last - period.first).days < A_WEEK_DAYS


def is_by_week(period: Period) -> bool:
    """Whether its tables have a column per week."""
    return (period.last - period.first).days >= MOST_COLUMNS


def hours(period: Period) -> list[Wall]:
    """Every hour of a period."""
    return [wall(day.begin, period) + hour * HOUR for day in period.days for hour in range(24)]


def short_name(moment: datetime, period: Period) -> str:
    """An hour of a day, a day of a longer period, or the first day of a week, as it heads a column."""
    if period.is_one_day:
        return clock_text(period.clock, moment)
    if is_by_week(period):
        return date_format(moment, "j M")
    return date_format(moment, "D j M")


def hour_range(begin: Wall, period: Period) -> str:
    """From when to when an hour goes: 10:00–11:00."""
    return f"{clock_text(period.clock, begin)}–{clock_text(period.clock, begin + HOUR)}"


def hour_name(begin: Wall, period: Period) -> str:
    """An hour with its day, as a chart tells it: "Mon, 10:00"."""
    at = clock_text(period.clock, begin)
    return at if period.is_one_day else _("%(day)s, %(time)s") % {"day": date_format(begin, "D"), "time": at}


def day_name(moment: datetime, period: Period) -> str:
    """A day within a sentence: "Monday", or where several Mondays are meant "Monday 2 March"."""
    return date_format(moment, "l" if is_a_week_at_most(period) else "l j F")


def written(period: Period) -> str:
    """The period as the head of a report has it: "2 March 2026", "2–8 March 2026" or both days in full."""
    first, last = period.first, period.last
    if period.is_one_day:
        return date_format(first, "l j F Y")
    head = "j F Y" if first.year != last.year else "j F" if first.month != last.month else "j"
    return f"{date_format(first, head)} – {date_format(last, 'j F Y')}"
