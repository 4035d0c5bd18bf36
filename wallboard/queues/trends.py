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
    kept = Trends.objects.filter(domain=domain).first()
    numbers = dict(Queue.objects.filter(domain=domain).values_list("pk", "number"))
    if kept is None or kept.until > start:
        kept = kept or Trends(domain=domain)
        kept.until, kept.lines = end - QUARTERS * QUARTER, {}
        samples = Sample.objects.filter(queue__domain=domain, minute__gte=kept.until, minute__lt=end)
    minutes: Minutes = defaultdict(dict)
    for sample in samples:
        minutes[sample.minute][numbers[sample.queue_id]] = sample.waiting, _grade(sample)
    for number in numbers.values():
        kept.lines.setdefault(number, {"waiting": [None] * MINUTES, "late": [None] * QUARTERS})
    while kept.until < end:
        _push(kept.lines, kept.until, minutes.get(kept.until, {}))
        kept.until += MINUTE
    kept.save()


def _push(lines: dict[str, Line], minute: datetime, seen: dict[str, Seen]) -> None:
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
