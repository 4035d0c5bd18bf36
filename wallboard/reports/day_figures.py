"""Day figures of queues and calls for the reports: all from stored samples and legs, by local day and hour."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, IntegerField, Max, Q, Value
from django.db.models.functions import TruncHour

from accounts import domains
from accounts.limits import EVERYTHING, Limit
from accounts.models import Domain
from wallboard.calls.gaps import coverage
from wallboard.calls.gaps.coverage import Coverage
from wallboard.queues.level_minutes import LEVEL_SUMS, minutes
from wallboard.queues.models import Queue, Sample
from wallboard.reports.external_calls import ExternalCalls, external_calls_by_span

MAX_DAYS = 92  # days in one report


@dataclass(frozen=True)
class Period:
    """Whole days of a company, the last one included; each begins at that hour (Domain.day_starts_hour).

    `clock` is how times of day are written (Domain.clock).
    """

    first: date
    last: date
    zone: ZoneInfo
    starts_hour: int = 0
    clock: str = Domain.Clock.H24.value

    @property
    def begin(self) -> datetime:
        """When its first day begins."""
        return datetime.combine(self.first, time(self.starts_hour), self.zone)

    @property
    def end(self) -> datetime:
        """When its last day is over."""
        # Not 24 hours after it began: a day may have 23 or 25.
        return datetime.combine(self.last + timedelta(days=1), time(self.starts_hour), self.zone)

    @property
    def days(self) -> "list[Period]":
        """Each of its days by itself."""
        dates = [self.first + timedelta(days=index) for index in range((self.last - self.first).days + 1)]
        return [Period(day, day, self.zone, self.starts_hour, self.clock) for day in dates]

    @property
    def is_one_day(self) -> bool:
        return self.first == self.last


@dataclass(frozen=True)
class QueueFigures:
    """A queue over some time; everything measured at the poll. Minutes, people, seconds.

    Waits are None where somebody waited and it is not known for how long, and where they must not be shown
    (accounts.domains.hides_wait).
    """

    queue: Queue
    at: datetime | None
    late_minutes: int
    watch_minutes: int
    nobody_minutes: int
    most_waiting: int
    longest_wait_seconds: int | None
    measured_minutes: int
    average_wait_seconds: int | None = 0  # the highest of any minute, as a target for it is reached then

    @property
    def heat(self) -> int:
        """0 to 4: how much of the time was late, for a shade that stands behind the figure."""
        share = self.late_minutes / self.measured_minutes if self.measured_minutes else 0
        return sum(share > limit for limit in (0, 0.05, 0.15, 0.4))


def samples_of(domain: Domain, period: Period) -> Any:
    queues = Queue.objects.filter(domain=domain, is_hidden=False)
    return Sample.objects.filter(queue__in=queues, minute__gte=period.begin, minute__lt=period.end)


SUMS = {
    **LEVEL_SUMS,
    "most": Max("most_waiting"),
    "longest": Max("longest_wait_seconds"),
    "average": Max("average_wait_seconds"),
    "untold": Count("id", filter=Q(longest_wait_seconds=None)),
    "untold_average": Count("id", filter=Q(average_wait_seconds=None, most_waiting__gt=0)),
}


def by_queue(domain: Domain, period: Period) -> list[QueueFigures]:
    """One row per queue over the whole period, in the company's order."""
    return _figures(domain, samples_of(domain, period).values("queue_id").annotate(**SUMS))


def by_part(domain: Domain, period: Period) -> list[QueueFigures]:
    """One row per queue and hour of a single day, or per queue and day of a longer period; one query either way."""
    if period.is_one_day:
        hours = samples_of(domain, period).annotate(at=TruncHour("minute", tzinfo=period.zone))
        return _figures(domain, hours.values("queue_id", "at").annotate(**SUMS).order_by("at"))
    days = period.days
    # A company's day begins at any hour and is not always as long, so no function of the database groups by it.
    first, *others = (
        samples_of(domain, day).values("queue_id").annotate(**SUMS, day=Value(index, IntegerField()))
        for index, day in enumerate(days)
    )
    return _figures(domain, ({**row, "at": days[row["day"]].begin} for row in first.union(*others, all=True)))


def _figures(domain: Domain, rows: Iterable[dict[str, Any]]) -> list[QueueFigures]:
    queues = {queue.pk: queue for queue in Queue.objects.filter(domain=domain)}
    hides_longest, hides_average = (domains.hides_wait(domain, name) for name in ("longest", "average"))
    order = {pk: index for index, pk in enumerate(queues)}
    return [
        QueueFigures(
            queues[row["queue_id"]],
            row.get("at"),
            minutes(row["late"]),
            minutes(row["watch"]),
            minutes(row["nobody"]),
            row["most"] or 0,
            None if hides_longest else longest_of(row),
            row["measured"],
            None if hides_average else average_of(row),
        )
        for row in sorted(rows, key=lambda row: order[row["queue_id"]])
    ]


def longest_of(row: dict[str, Any]) -> int | None:
    """The longest wait of a row of SUMS; what is known of it may be only that nobody waited at other times."""
    return row["longest"] or (None if row["untold"] else 0)


def average_of(row: dict[str, Any]) -> int | None:
    """The same for the highest average wait."""
    return round(row["average"] or 0) or (None if row["untold_average"] else 0)


def grid(rows: list[QueueFigures]) -> tuple[list[datetime], list[tuple[Queue, list[QueueFigures | None]]]]:
    """The parts as a table: the moments across, a line per queue, None where nothing was measured."""
    moments = sorted({row.at for row in rows if row.at is not None})
    found = {(row.queue.pk, row.at): row for row in rows}
    queues = list({row.queue.pk: row.queue for row in rows}.values())
    return moments, [(queue, [found.get((queue.pk, moment)) for moment in moments]) for queue in queues]


@dataclass(frozen=True)
class CallDay:
    """Calls from outside of one day, and how far they were told."""

    day: date
    calls: ExternalCalls
    coverage: Coverage


def calls_by_day(domain: Domain, period: Period, limit: Limit = EVERYTHING) -> list[CallDay]:
    """Calls from outside per day, oldest first; with a limit those that may be seen."""
    days = period.days
    spans = [(day.begin, day.end) for day in days]
    counted = external_calls_by_span(domain.pk, spans, limit)
    told = coverage.of_spans(domain.pk, spans)
    return [CallDay(day.first, calls, each) for day, calls, each in zip(days, counted, told, strict=True)]
