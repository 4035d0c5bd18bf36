"""What is missing of what was counted, in words, for pages and the heads of files."""

from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import company_day
from accounts.languages.dates import written as date_format
from accounts.models import Domain
from wallboard.calls.gaps.coverage import Coverage, Missing


def sentences(found: Coverage, domain: Domain, *, is_one_day: bool) -> list[str]:
    """None where nothing is missing. Times are the company's, with their day where the span has several."""
    told = []
    if since := found.counted_since or found.untold_until:
        # A day before that is another one than that of which the page speaks.
        moment = _moment(since, domain, is_one_day=is_one_day and not found.untold_until)
        text = _("Counted since %(time)s, when call events began.")
        if found.is_deleted:
            text = _("Calls before %(time)s are no longer kept.")
        told.append(text % {"time": moment})
    if found.missing:
        told.append(missing_sentence(found.missing, domain, is_one_day=is_one_day))
    return told


def missing_sentence(missing: Missing, domain: Domain, *, is_one_day: bool) -> str:
    """ "2 min of call events are missing, 10:41 to 10:43." """
    minutes = missing.minutes
    values = {
        "minutes": minutes,
        "since": _moment(missing.since, domain, is_one_day=is_one_day),
        "until": _moment(missing.until, domain, is_one_day=is_one_day),
    }
    if missing.pieces == 1:
        text = ngettext(
            "%(minutes)d min of call events is missing, %(since)s to %(until)s.",
            "%(minutes)d min of call events are missing, %(since)s to %(until)s.",
            minutes,
        )
    else:
        text = ngettext(
            "%(minutes)d min of call events is missing between %(since)s and %(until)s.",
            "%(minutes)d min of call events are missing between %(since)s and %(until)s.",
            minutes,
        )
    return text % values


def _moment(at: datetime, domain: Domain, *, is_one_day: bool) -> str:
    local = at.astimezone(company_day.zone_of(domain))
    time = company_day.clock_text(domain.clock, local)
    return time if is_one_day else f"{date_format(local, 'j M')} {time}"
