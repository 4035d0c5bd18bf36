"""When the company's day begins: every figure "of today" counts from there, and nothing has to be set back for it."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from accounts.models import Domain

FIRST, LAST = date(2000, 1, 1), date(2100, 12, 31)  # that people may ask for; clocks end where the calendar does


def start(domain: Domain, now: datetime) -> datetime:
    """The beginning of the day that `now` belongs to, by the clock on the company's wall."""
    zone = zone_of(domain)
    local = now.astimezone(zone)
    day = local.date() - timedelta(days=local.hour < domain.day_starts_hour)
    return datetime.combine(day, time(domain.day_starts_hour), zone)


def zone_of(domain: Domain) -> ZoneInfo:
    """The company's time zone."""
    return zone_named(domain.time_zone)


def zone_named(name: str) -> ZoneInfo:
    """The time zone of that name; UTC where it is none, since a wrong setting must not stop a pop."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")
