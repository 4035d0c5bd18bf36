"""Reports by mail on pages of other rooms."""

from datetime import time
from typing import Any

from django import template

from accounts import company_day
from accounts.languages.lists import listed
from accounts.models import Person
from wallboard.reports.mails.forms import PARTS

register = template.Library()


@register.inclusion_tag("reports/_my_mails.html", takes_context=True)
def my_report_mails(context: Any, person: Person) -> dict[str, Any]:
    """The reports that this person gets, each with a button that stops it."""
    mails = person.report_mails.all() if person.role != Person.Role.AGENT else ()
    return {"mails": mails, "clock": person.domain.clock, "csrf_token": context.get("csrf_token")}


@register.filter
def hour_text(hour: int, clock: str) -> str:
    """The hour as the company's clock writes it."""
    return company_day.clock_text(clock, time(hour))


@register.filter
def part_names(parts: list[str]) -> str:
    """The tables of a report in words."""
    return listed(name for key, name in PARTS if key in parts)
