"""Figures and times as the pages write them."""

from collections.abc import Mapping
from datetime import date, datetime

from django import template
from django.utils.timezone import template_localtime  # type: ignore[attr-defined]  # which the stubs leave out
from django.utils.translation import gettext as _

from accounts import company_day
from accounts.languages import dates, lists

register = template.Library()


@register.filter
def duration(seconds: float | None) -> str:
    """Seconds as 4:08, from an hour on as 1:02:05; none as a dash."""
    if seconds is None:
        return "–"
    minutes, rest = divmod(max(0, int(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@register.filter
def day(moment: date | None, english: str) -> str:
    """A date in the reader's language, by the format that English has for it, in the zone of the template."""
    if not isinstance(moment, date):
        return ""
    return dates.written(template_localtime(moment) if isinstance(moment, datetime) else moment, english)


@register.simple_tag
def comma() -> str:
    """What stands between two things in the reader's language."""
    return lists.comma()


@register.filter
def clock(moment: date | None, domain_clock: str) -> str:
    """A time of day as the company writes it (Domain.clock), in the zone of the template; nothing for a whole day."""
    return company_day.clock_text(domain_clock, template_localtime(moment)) if isinstance(moment, datetime) else ""


@register.filter
def clock_seconds(moment: date | None, domain_clock: str) -> str:
    """The same with seconds."""
    if not isinstance(moment, datetime):
        return ""
    return company_day.clock_text(domain_clock, template_localtime(moment), seconds=True)


@register.filter
def named(number: str, names: Mapping[str, str]) -> str:
    """The name that belongs to a number, or the number."""
    return names.get(number, number)


@register.filter
def direction(value: str) -> str:
    """Which way a call went, in a word; nothing where it is not known."""
    return {"in": _("in"), "out": _("out"), "internal": _("internal")}.get(value, "")


@register.filter
def outcome(value: str) -> str:
    """What became of a call."""
    return {"live": _("live"), "answered": _("answered"), "unanswered": _("unanswered")}.get(value, value)
