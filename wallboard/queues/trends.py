"""The trend line and the day ribbon of every queue, moved on with each new sample instead of being read anew."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from accounts.statements import bulk_rows
from wallboard.queues.models import Sample, Trends

MINUTES = 60  # of the trend line
QUARTERS = 96  # of the ribbon: a day
MINUTE, QUARTER = timedelta(minutes=1), timedelta(minutes=15)
Line = dict[str, list[Any]]
Seen = tuple[float, int]  # callers waiting on average, and 0 normal, 1 watch, 2 late
Minutes = dict[datetime, dict[str, Seen]]
Queues = Mapping[int, tuple[int, str]]  # id of a queue -> its company's, and its number


def advance(
    windows: Mapping[int, tuple[datetime, datetime]], queues: Queues, samples: Iterable[Sample]
) -> list[Trends]:
    """Move the lines of these companies on, each to the end of its window with the samples since its start; made from
    all samples where they are missing. Gives the lines as they are stored now.
    """
    stored = {each.domain_id: each for each in Trends.objects.filter(domain__in=windows)}
    new: dict[int, list[Sample]] = defaultdict(list)
    for sample in samples:
        new[queues[sample.queue_id][0]].append(sample)
    moved = []
    for domain_id, (start, end) in windows.items():
        lines = stored.get(domain_id)
        # Also after a clock was set back: minutes that were pushed already must not be pushed twice.
        if lines is None or lines.until > start:
            lines = lines or Trends(domain_id=domain_id)
            lines.until, lines.lines = end - QUARTERS * QUARTER, {}
            of_day = Sample.objects.filter(queue__domain=domain_id, minute__gte=lines.until, minute__lt=end)
            new[domain_id] = list(of_day)
        numbers = {pk: number for pk, (owner, number) in queues.items() if owner == domain_id}
        _move_on(lines, end, numbers, new[domain_id])
        moved.append(lines)
    bulk_rows.upsert(moved, ("domain_id",))
    return moved


def _move_on(stored: Trends, end: datetime, numbers: Mapping[int, str], samples: Iterable[Sample]) -> None:
    minutes: Minutes = defaultdict(dict)
    for sample in samples:
        minutes[sample.minute][numbers[sample.queue_id]] = sample.waiting, _grade(sample)
    for number in numbers.values():
        stored.lines.setdefault(number, {"waiting": [None] * MINUTES, "late": [None] * QUARTERS})
    while stored.until < end:
        _push(stored.lines, stored.until, minutes.get(stored.until, {}))
        stored.until += MINUTE


def _push(lines: dict[str, Line], minute: datetime, seen: dict[str, Seen]) -> None:
    # Quarters of the clock, as the axis of the ribbon is labelled with them.
    is_new_quarter = minute.minute % 15 == 0
    for number, line in lines.items():
        waiting, grade = seen.get(number, (None, None))
        line["waiting"] = [*line["waiting"][1:], None if waiting is None else round(waiting, 1)]
        if is_new_quarter:
            line["late"] = [*line["late"][1:], None]
        if grade is not None:
            line["late"][-1] = max(grade, line["late"][-1] or 0)


def _grade(sample: Sample) -> int:
    if sample.late_seconds:
        return 2
    return 1 if sample.watch_seconds else 0
