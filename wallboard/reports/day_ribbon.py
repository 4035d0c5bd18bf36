"""The last day by quarter hour: minutes over target, and minutes with callers and nobody available."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max, QuerySet

from wallboard.queues.models import Queue, Sample

QUARTER = timedelta(minutes=15)
QUARTERS = 96
Lane = list[float | None]


@dataclass(frozen=True)
class Ribbon:
    """Minutes of each quarter hour since `since`, None where nothing was read; the last quarter is under way."""

    since: datetime
    late: Lane
    nobody: Lane


def ribbon(queues: QuerySet[Queue], now: datetime) -> Ribbon:
    """The day that ends with the quarter hour of `now`. Over several queues the worst of each minute counts."""
    begin = now.replace(minute=now.minute // 15 * 15, second=0, microsecond=0) - (QUARTERS - 1) * QUARTER
    samples = Sample.objects.filter(queue__in=queues, minute__gte=begin, minute__lt=now)
    rows = samples.values_list("minute").annotate(late=Max("late_seconds"), nobody=Max("nobody_seconds"))
    late: Lane = [None] * QUARTERS
    nobody: Lane = [None] * QUARTERS
    for minute, late_seconds, nobody_seconds in rows:
        at = (minute - begin) // QUARTER
        late[at] = (late[at] or 0) + late_seconds / 60
        nobody[at] = (nobody[at] or 0) + nobody_seconds / 60
    return Ribbon(begin, _rounded(late), _rounded(nobody))


def _rounded(lane: Lane) -> Lane:
    return [None if minutes is None else round(minutes, 1) for minutes in lane]
