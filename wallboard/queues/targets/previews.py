"""What targets make of today: what was counted, and what other targets would have made of it.

What was counted is the sum of the samples' seconds, as in the reports. A preview is estimated: a sample tells the
longest wait, the most callers and the fewest available agents of its minute, not for how long each of them held. Where
other targets change the level of a minute, it counts whole; every other minute stays as it was counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from accounts import company_day
from accounts.models import Domain
from wallboard.queues.hours import calendar
from wallboard.queues.level_minutes import LEVEL_SUMS, minutes
from wallboard.queues.models import Queue, Sample
from wallboard.queues.targets.levels import LATE, WATCH, Standards, Targets, judged

MINUTE_SECONDS = 60.0
SAMPLE_COLUMNS = (
    *("queue__number", "minute", "most_waiting", "longest_wait_seconds", "least_available"),
    *("average_wait_seconds", "late_seconds", "watch_seconds"),
)


@dataclass(frozen=True, slots=True)
class Shown:
    """Minutes of one queue: late, on watch, and measured."""

    late: int = 0
    watch: int = 0
    measured: int = 0

    def __add__(self, other: "Shown") -> "Shown":
        return Shown(self.late + other.late, self.watch + other.watch, self.measured + other.measured)


def with_bounds(default: Mapping[str, int | None], own: Mapping[str, Mapping[str, int | None]]) -> Standards:
    """Standards as they would be with these bounds, named as the fields of models.Target; `own` by queue number."""
    shared = Targets.of_columns(default)
    return Standards(shared, {number: Targets.of_columns(bounds).over(shared) for number, bounds in own.items()})


def counted_today(domain: Domain, now: datetime) -> dict[str, Shown]:
    """What each queue showed since the company's day began, by queue number."""
    rows: QuerySet[Any, Any] = _samples_of_today(domain, now).values("queue__number").annotate(**LEVEL_SUMS)
    return {row["queue__number"]: Shown(minutes(row["late"]), minutes(row["watch"]), row["measured"]) for row in rows}


def estimated_today(domain: Domain, in_force: Standards, wanted: Standards, now: datetime) -> dict[str, Shown]:
    """What each queue would have shown with the wanted standards instead of those in force, by queue number."""
    schedule = calendar.schedule(domain)
    # Most queues share the company's hours: a day has 1,440 minutes to ask about, not that times the queues.
    is_open: dict[tuple[calendar.Times, datetime], bool] = {}
    sums: dict[str, list[float]] = {}
    rows = _samples_of_today(domain, now).values_list(*SAMPLE_COLUMNS)
    # Such a wait is kept in the samples, but judges nothing.
    hidden = domain.hidden_waits.split()
    in_force, wanted = in_force.without(hidden), wanted.without(hidden)
    for number, minute, waiting, longest, available, average, late, watch in rows.iterator():
        key = schedule.of(number), minute
        if key not in is_open:
            is_open[key] = schedule.counts_outside or schedule.is_open(number, minute)
        before, after = (
            judged(waiting, longest, available, each.of(number), average)[0] for each in (in_force, wanted)
        )
        if is_open[key] and before != after:
            late, watch = MINUTE_SECONDS * (after == LATE), MINUTE_SECONDS * (after == WATCH)
        of_queue = sums.setdefault(number, [0, 0, 0])
        of_queue[:] = of_queue[0] + late, of_queue[1] + watch, of_queue[2] + 1
    return {number: Shown(minutes(late), minutes(watch), int(count)) for number, (late, watch, count) in sums.items()}


def _samples_of_today(domain: Domain, now: datetime) -> QuerySet[Sample]:
    queues = Queue.objects.filter(domain=domain, is_hidden=False)
    return Sample.objects.filter(queue__in=queues, minute__gte=company_day.start(domain, now), minute__lte=now)
