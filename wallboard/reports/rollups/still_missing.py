"""What a report lacks because it is still being added up, in words."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import company_day
from wallboard.reports.period_parts import Period
from wallboard.reports.rollups.days import Waiting


def sentences(waiting: Waiting, period: Period) -> list[str]:
    """What these days lack; nothing where they are whole."""
    found = []
    if count := sum(period.first <= day <= period.last for day in waiting.days):
        text = ngettext(
            "%(n)s of these days is still being added up and is not in here yet. Look again in some minutes.",
            "%(n)s of these days are still being added up and are not in here yet. Look again in some minutes.",
            count,
        )
        found.append(text % {"n": count})
    if waiting.today_until and period.begin <= waiting.today_until < period.end:
        time = company_day.clock_text(period.clock, waiting.today_until.astimezone(period.zone))
        found.append(_("Today is in here until %(time)s: it is added up every few minutes.") % {"time": time})
    return found
