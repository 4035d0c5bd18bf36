"""The trend line and the day ribbon of every queue, moved on with each new sample instead of being read anew."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from accounts.models import Domain
from wallboard.queues.models import Queue, Sample, Trends

MINUTES = 60  # of the trend line
QUARTERS = 96  # of the ribbon: a day
MINUTE, QUARTER = timedelta(minutes=1), timedelta(minutes=15)
Line = dict[str, list[Any]]
Seen = tuple[float, int]  # callers waiting on average, and 0 normal, 1 watch, 2 late
Minutes = dict[datetime, dict[str, Seen]]


def advance(domain: Domain, start: datetime, end: datetime, samples: Iterable[Sample]) -> None:
    """Move the lines of the domain on to `end` with the samples since `start`; made from all samples where missing."""
    stored = Trends.objects.filter(domain=domain).first()
    numbers = dict(Queue.objects.filter(domain=domain).values_list("pk", "number"))
    # Also after a clock was set back: minutes that were pushed already must not be pushed twice.
    if stored is None or stored.until > start:
        stored = stored or Trends(domain=domain)
        stored.until, stored.lines = end - QUARTERS * QUARTER, {}
        samples = Sample.objects.filter(queue__domain=domain, minute__gte=stored.until, minute__lt=end)
    minutes: Minutes = defaultdict(dict)
    for sample in samples:
        minutes[sample.minute][numbers[sample.queue_id]] = sample.waiting, _grade(sample)
    for number in numbers.values():
        stored.lines.setdefault(number, {"waiting": [None] * MINUTES, "late": [None] * QUARTERS})
    while stored.until < end:
        _push(stored.lines, stored.until, minutes.get(stored.until, {}))
        stored.until += MINUTE
    stored.save()


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
