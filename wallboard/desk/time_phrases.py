"""Moments and lengths in the words of the floor, in the time zone of the company."""

from datetime import datetime, timedelta, tzinfo

from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from accounts.languages.dates import written
from wallboard.live.feeds import milliseconds

# Six days: on the seventh the name of the day would mean today's.
A_WEEK = timedelta(days=6)


def duration(seconds: float) -> str:
    """Minutes and seconds as 4:08, with hours as 1:02:03."""
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def start_of_week(now: datetime, zone: tzinfo) -> datetime:
    """The last Monday, 0:00, in the zone."""
    today = localtime(now, zone)
    # By the date and not by hours: a week in which clocks are turned is 167 or 169 hours long.
    monday = (today - timedelta(days=today.weekday())).date()
    return datetime(monday.year, monday.month, monday.day, tzinfo=zone)


def in_a_sentence(moment: datetime, now: datetime, zone: tzinfo) -> str:
    """For the middle of a sentence: "today at {1795082400000}", "yesterday at {…}", "on Monday", "on 12 November".

    The page writes the moments between the brackets as its reader does (static/js/lib/times.js).
    """
    local, today = localtime(moment, zone), localtime(now, zone)
    days, time = (today.date() - local.date()).days, f"{{{milliseconds(moment)}}}"
    if days == 0:
        return _("today at %(time)s") % {"time": time}
    if days == 1:
        return _("yesterday at %(time)s") % {"time": time}
    if days <= A_WEEK.days:
        return _("on %(day)s") % {"day": written(local, "l")}
    return _("on %(day)s") % {"day": written(local, "j F" if local.year == today.year else "j F Y")}
