"""The hours of a day of many queues together: of all that are shown, and of those that a limit lets somebody see.

They are kept with the day, by the key of exactly these queues, and made by the worker.
"""

from collections.abc import Collection, Iterator
from datetime import date
from typing import Any

import msgspec
from django.db import transaction

from accounts.models import Domain
from wallboard.queues.models import Queue
from wallboard.reports.models import QueueHour, SampleDay
from wallboard.reports.rollups import sum_keys, sums_of_sets
from wallboard.reports.rollups.packed import pack, unpack
from wallboard.reports.rollups.sample_sums import OF_SUMS, Row, added

Stored = dict[str, msgspec.Raw]
# What a day keeps by key, or the list of an earlier release: the hours of all queues that were shown then.
COLUMN: Any = Stored | list[Any]


def made_for(domain: Domain) -> str:
    """The key of all sets of queues of which hours are added up now."""
    return sum_keys.queues_key(map(sum_keys.queues_key, _sets(domain)))


def columns(domain: Domain, day: date, stamp: str, kept: Stored | None = None) -> dict[str, Any]:
    """What a day with this stamp keeps of them; what it has kept already is not made again."""
    found: dict[str, Any] = {}
    for numbers in _sets(domain):
        key = _key(stamp, numbers)
        found[key] = kept[key] if kept and key in kept else _hours(domain, day, numbers)
    return {"shown": sum_keys.of_row(stamp, made_for(domain)), "together": pack(found)}


def renew(domain: Domain, day: date) -> None:
    """Make those of that day that lack, from what is kept of each queue."""
    with transaction.atomic():
        row = SampleDay.objects.select_for_update().filter(domain=domain, day=day).first()
        if row is not None:
            new = columns(domain, day, row.stamp, _stored(row.together))
            SampleDay.objects.filter(pk=row.pk).update(**new)


def of_days(domain: Domain, queues: Collection[Queue], among: Collection[date]) -> Iterator[tuple[date, list[Row]]]:
    """The hours of exactly these queues, of those of the days that have them."""
    numbers = frozenset(queue.number for queue in queues)
    rows = SampleDay.objects.filter(domain=domain, day__in=among)
    for day, stamp, stored in rows.values_list("day", "stamp", "together").iterator():
        hours = _stored(stored).get(_key(stamp, numbers))
        if hours is not None:
            yield day, msgspec.json.decode(hours, type=list[Row])


def _sets(domain: Domain) -> list[frozenset[str]]:
    numbers = sum_keys.queues(domain)
    return [numbers, *sums_of_sets.sets(sum_keys.queues_of_limits(domain), numbers).values()]


def _key(stamp: str, numbers: frozenset[str]) -> str:
    return sum_keys.of_row(stamp, sum_keys.queues_key(numbers))


def _hours(domain: Domain, day: date, numbers: frozenset[str]) -> list[Row]:
    queues = Queue.objects.filter(domain=domain, is_hidden=False, number__in=numbers).order_by()
    return list(added(QueueHour.objects.filter(queue__in=queues.values("pk"), day=day), OF_SUMS, "hour"))


def _stored(column: bytes | memoryview | None) -> Stored:
    """What a day keeps by key."""
    found = unpack(column, COLUMN) if column is not None else {}
    return found if isinstance(found, dict) else {}
