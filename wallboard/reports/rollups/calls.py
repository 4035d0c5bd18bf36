"""Calls from outside and people's phones, of days that were added up; and adding up a day."""

from collections.abc import Iterable, Mapping
from datetime import date

from accounts.limits import EVERYTHING, Limit
from accounts.models import Domain
from wallboard.reports.models import CallDay
from wallboard.reports.period_parts import Period
from wallboard.reports.rollups import days, groups
from wallboard.reports.rollups.groups import Group, PersonDay
from wallboard.reports.rollups.packed import pack, unpack

Rolled = Mapping[date, Group]


def of_days(domain: Domain, period: Period, limit: Limit) -> tuple[Rolled, list[Period]]:
    """Of each day that was added up what may be seen with this limit, as one group; and the other days."""
    split = days.split(domain, period, CallDay, days.clock_stamp(domain))
    column = "groups" if limit.is_set else "everything"
    rows = CallDay.objects.filter(domain=domain, day__in=split.rolled).values_list("day", column)
    found = {}
    for day, stored in rows.iterator() if split.rolled else ():
        found[day] = _visible(unpack(stored, list[Group]), limit) if limit.is_set else unpack(stored, Group)
    return found, split.others


def persons(
    domain: Domain, period: Period, limit: Limit, rolled: Rolled, others: Iterable[Period]
) -> dict[str, PersonDay]:
    """What each phone did over the period: days that were added up, and the others counted now."""
    of_days = dict(rolled)
    for each in others:
        for day in each.days:
            of_days[day.first] = counted(domain, day, limit)
    found: dict[str, PersonDay] = {}
    for day in (each for each in period.days if each.first in of_days):
        of_day = of_days[day.first]
        for extension, person in of_day.persons.items():
            groups.add(found.setdefault(extension, PersonDay()), person)
        since, until = (day.first - period.first).days, (period.last - day.first).days
        for extension, before in of_day.again:
            found[extension].answered -= before <= since
        for extension, until_again, since_taken in of_day.unsure:
            rings_again = until_again is not None and until_again <= until
            found[extension].missed += not rings_again and (since_taken is None or since_taken > since)
    return found


def counted(domain: Domain, day: Period, limit: Limit = EVERYTHING) -> Group:
    """Of one day what may be seen, counted now."""
    return _visible(groups.count(domain, day), limit)


def roll(domain: Domain, day: Period, until: str = "") -> None:
    """Add up that day and keep it; `until` ends its stamp."""
    found = groups.count(domain, day)
    columns = {
        "stamp": days.clock_stamp(domain) + until,
        "everything": pack(groups.together(found)),
        "groups": pack(found),
    }
    CallDay.objects.update_or_create(domain=domain, day=day.first, defaults=columns)


def _visible(found: Iterable[Group], limit: Limit) -> Group:
    if not limit.is_set:
        return groups.together(found)
    return groups.together(each for each in found if limit.shows_call(each.queues, each.people))
