"""Calls from outside and people's phones, of days that were added up; and adding up a day."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.limits import EVERYTHING, Limit
from accounts.models import Domain
from wallboard.reports.models import CallDay
from wallboard.reports.period_parts import Period
from wallboard.reports.rollups import asked_limits, days, groups, sum_keys
from wallboard.reports.rollups.groups import Group, PersonDay
from wallboard.reports.rollups.packed import pack, unpack

Rolled = Mapping[date, Group]
STAMP = "stamp"  # among the keys of limits: that of the row which they were made of


def stamp_of(domain: Domain) -> str:
    """What a day rests on: when it begins, and how calls are counted; the number grows where that changes."""
    return f"2 {days.clock_stamp(domain)}"


def of_days(domain: Domain, period: Period, limit: Limit) -> tuple[Rolled, list[Period]]:
    """Of each day that was added up what may be seen with this limit, as one group; and the other days."""
    split = days.split(domain, period, CallDay, stamp_of(domain))
    asked = (str(domain.pk), str(period), repr(limit))
    if (known := days.known_on_page(asked)) is None:
        rows = CallDay.objects.filter(domain=domain, day__in=split.rolled)
        found: Rolled = {}
        if split.rolled:
            found = _limited(domain, rows, limit) if limit.is_set else dict(_whole(rows))
        known = days.keep_on_page(asked, found)
    return known, split.others


def _whole(rows: QuerySet[CallDay]) -> Iterator[tuple[date, Group]]:
    for day, stored in rows.values_list("day", "everything").iterator():
        yield day, unpack(stored, Group)


def _limited(domain: Domain, rows: QuerySet[CallDay], limit: Limit) -> Rolled:
    """From what was added up for this limit; call by call where it is a new one, which is noted for the worker."""
    key, todo, found = asked_limits.limit_key(limit), [], {}
    for pk, day, stamp, stored in rows.exclude(limits=None).values_list("pk", "day", "stamp", "limits").iterator():
        made = unpack(stored or b"", dict[str, msgspec.Raw])
        if key in made and msgspec.json.decode(made[STAMP]) == stamp:
            found[day] = msgspec.json.decode(made[key], type=Group)
        else:
            todo.append(pk)
    for day, stored in rows.filter(Q(pk__in=todo) | Q(limits=None)).values_list("day", "groups").iterator():
        found[day] = _visible(unpack(stored, list[Group]), limit)
    asked_limits.note(domain, limit, is_new=bool(todo))
    return found


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
    stamp = stamp_of(domain) + until
    columns = {
        "stamp": stamp,
        "everything": pack(groups.together(found)),
        "groups": pack(found),
        **_of_limits(domain, found, stamp),
    }
    CallDay.objects.update_or_create(domain=domain, day=day.first, defaults=columns)


def renew(domain: Domain, day: date) -> None:
    """Add up that day for the limits that there are now, from what is kept of it."""
    with transaction.atomic():
        row = CallDay.objects.select_for_update().filter(domain=domain, day=day).first()
        if row is not None:
            columns = _of_limits(domain, unpack(row.groups, list[Group]), row.stamp)
            CallDay.objects.filter(pk=row.pk).update(**columns)


def _of_limits(domain: Domain, found: Sequence[Group], stamp: str) -> dict[str, Any]:
    """The columns of a day that hold what may be seen with each limit."""
    limits = sum_keys.limits_of(domain)
    made: dict[str, Any] = {asked_limits.limit_key(limit): _visible(found, limit) for limit in limits}
    made_for = sum_keys.of_row(stamp, sum_keys.limits_key(limits))
    return {"limits": pack(made | {STAMP: stamp}), "limits_stamp": made_for}


def _visible(found: Iterable[Group], limit: Limit) -> Group:
    if not limit.is_set:
        return groups.together(found)
    return groups.together(each for each in found if limit.shows_call(each.queues, each.people))
