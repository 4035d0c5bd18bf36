"""A person's own days: what rang their phone, over a period and on each of its days, and nothing of anybody else."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from accounts import company_day
from accounts.limits import EVERYTHING
from accounts.models import Domain, Person
from wallboard.reports import person_figures
from wallboard.reports.period_parts import Period
from wallboard.reports.person_figures import PersonFigures
from wallboard.reports.rollups import calls

# By their names in addresses: how many days ago the first and the last one are.
RANGES = {"today": (0, 0), "yesterday": (1, 1), "7": (6, 0), "30": (29, 0)}


@dataclass(frozen=True)
class OwnDays:
    """The figures of the whole period, and of each day of it that is counted, the newest first."""

    whole: PersonFigures
    days: Sequence[tuple[date, PersonFigures]]


def period(domain: Domain, name: str, today: date) -> Period:
    """The days of that name; today for any other."""
    first, last = (today - timedelta(days=ago) for ago in RANGES.get(name, RANGES["today"]))
    return Period(first, last, company_day.zone_of(domain), domain.day_starts_hour, domain.clock)


def of(person: Person, asked: Period) -> OwnDays:
    """What the person's phone did, in the figures that their supervisors have of them in the reports."""
    # Whole calls: whether a colleague took one decides whether it was missed. Nothing else of them is told.
    found, others = calls.of_days(person.domain, asked, EVERYTHING)
    is_told = person_figures.tells_missed(person.domain_id)
    counted = {**found, **{day.first: calls.counted(person.domain, day) for each in others for day in each.days}}

    def figures(part: Period) -> PersonFigures:
        phones = calls.persons(person.domain, part, EVERYTHING, counted, ())
        return person_figures.of_phone(person, phones.get(person.extension), is_missed_told=is_told)

    days = [(day.first, figures(day)) for day in reversed(asked.days) if day.first in counted]
    return OwnDays(figures(asked), days)
