"""Which days a report by mail is about, and when it is due: at the company's hour, once these days are over."""

from datetime import date, datetime, time, timedelta

from accounts import company_day
from accounts.models import Domain
from wallboard.reports.models import ReportMail
from wallboard.reports.period_parts import Period

A_DAY = timedelta(days=1)
Every = ReportMail.Every


def last_period(every: str, domain: Domain, now: datetime, hour: int) -> Period:
    """The newest days, week or month whose report is due by now."""
    zone = company_day.zone_of(domain)
    day = now.astimezone(zone).date()
    while True:
        period = _before(every, day, domain)
        if due_at(period, domain, hour) <= now:
            return period
        day = period.first


def due_at(period: Period, domain: Domain, hour: int) -> datetime:
    """When the report of these days is due: that hour of the next day, or later where a day ends later."""
    morning = datetime.combine(period.last + A_DAY, time(hour), period.zone)
    return max(morning, company_day.end(domain, period.last), key=datetime.timestamp)


def _before(every: str, day: date, domain: Domain) -> Period:
    """The last whole day, week from Monday, or month before that day."""
    if every == Every.WEEK:
        end = day - timedelta(days=day.weekday())
        first = end - 7 * A_DAY
    elif every == Every.MONTH:
        end = day.replace(day=1)
        first = (end - A_DAY).replace(day=1)
    else:
        end, first = day, day - A_DAY
    return Period(first, end - A_DAY, company_day.zone_of(domain), domain.day_starts_hour, domain.clock)
