"""The company's clock: when its day begins, which is where figures of today begin, and how times of day are written.

A time of day has two digits for the hour on a clock of 24 hours, and AM or PM on one of 12; lengths have neither.
"""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.utils import translation
from django.utils.dateformat import format as date_format

from accounts.models import Domain

FORMATS = {Domain.Clock.H24.value: "H:i", Domain.Clock.H12.value: "g:i A"}  # of Django's date filter
WITH_SECONDS = {Domain.Clock.H24.value: "H:i:s", Domain.Clock.H12.value: "g:i:s A"}

FIRST, LAST = date(2000, 1, 1), date(2100, 12, 31)  # that people may ask for; clocks end where the calendar does


def start(domain: Domain, now: datetime) -> datetime:
    """The beginning of the day that `now` belongs to, by the clock on the company's wall."""
    zone = zone_of(domain)
    return datetime.combine(day_of(now, zone, domain.day_starts_hour), time(domain.day_starts_hour), zone)


def day_of(moment: datetime, zone: ZoneInfo, starts_hour: int) -> date:
    """The day that this moment belongs to, where days begin at that hour."""
    local = moment.astimezone(zone)
    return local.date() - timedelta(days=local.hour < starts_hour)


def begin(domain: Domain, day: date) -> datetime:
    """When that day of the company begins (Domain.day_starts_hour)."""
    # By the calendar, not by adding hours: a day on which clocks change has 23 or 25.
    return datetime.combine(day, time(domain.day_starts_hour), zone_of(domain))


def end(domain: Domain, day: date) -> datetime:
    """When that day of the company is over: the next one begins."""
    return begin(domain, day + timedelta(days=1))


def zone_of(domain: Domain) -> ZoneInfo:
    """The company's time zone."""
    return zone_named(domain.time_zone)


def zone_named(name: str) -> ZoneInfo:
    """The time zone of that name; UTC where it is none, since a wrong setting must not stop a pop."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def locale_of(clock: str, locale: str) -> str:
    """The same for scripts: the locale that writes times of day on that clock on a page in that locale."""
    if clock != Domain.Clock.H12:
        return "en-GB"  # it has the hour 00 in every browser; some write 24 for it where American English is asked
    return locale if translation.get_language_bidi() else "en-US"


def clock_text(clock: str, moment: datetime | time, *, seconds: bool = False) -> str:
    """A time of day as a company with that clock (Domain.clock) writes it; `moment` is in the zone to be shown."""
    formats = WITH_SECONDS if seconds else FORMATS
    # AM and PM in every language but Arabic.
    with translation.override("ar" if translation.get_language_bidi() else "en"):
        return date_format(moment, formats.get(clock, formats[Domain.Clock.H24.value]))
